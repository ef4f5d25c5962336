public import Foundation
public import MessageModel
internal import MessageStorage

/// Asks for counts of messages by a property.
public struct GroupsQuestion: HistoryQuestion, ListQuestion, SelectingQuestion {
  /// Its word in JSON.
  public static let word = "groups"

  /// The property; `nil` for months.
  public var by: MessageGrouping?
  /// The conversations; `nil` for all.
  public var conversations: [ConversationReference]?
  /// The name of a person, for everything between them and you: docs/json.md. `nil` for all.
  public var person: String?
  /// The condition on messages; `nil` for all.
  public var filter: HistoryFilter?
  /// The time zone of days, and of times in the filter that name no zone; `nil` for UTC.
  public var timeZone: String?
  /// The message at which to begin, from an earlier answer; for years, months and days.
  public var from: Message.ID?
  /// The most groups; `nil` for the usual limit.
  public var limit: Int?

  /// Creates a question.
  public init(
    by: MessageGrouping? = nil, conversations: [ConversationReference]? = nil, person: String? = nil,
    filter: HistoryFilter? = nil,
    timeZone: String? = nil, from: Message.ID? = nil, limit: Int? = nil
  ) {
    (self.by, self.conversations, self.person, self.filter) = (by, conversations, person, filter)
    (self.timeZone, self.from, self.limit) = (timeZone, from, limit)
  }
}

extension GroupsQuestion {
  /// Returns the groups.
  public func answer(by queries: QuestionAnswerer) throws(StoreError) -> GroupsAnswer {
    let zone = try QuestionAnswerer.zone(timeZone)
    return try queries.groups(
      of: queries.selection(of: self), by: by ?? .month, zone: zone, from: from ?? .lowest,
      limit: QuestionAnswerer.limit(limit)
    ) { _ in !queries.isCancelled() }
  }

  package var isSearch: Bool { true }
  package var isOfMessagesAlone: Bool { person == nil && filter.isOfMessagesAlone }

  package func suggestions(by queries: QuestionAnswerer) throws(StoreError) -> Suggestions {
    Suggestions(nothing: try queries.nothing(under: self))
  }
}

/// Counts of messages by a property.
public struct GroupsAnswer: HistoryAnswer, ServedAnswer {
  /// The groups: times in order, others by number of messages, most first.
  public var groups: [GroupAnswer]
  /// The number of messages in all groups, including those left out.
  public var total: Int
  /// The number of smaller groups left out; `nil` if there are none.
  public var others: Int?
  /// The message at which years, months or days continue; `nil` at the end.
  public var next: Message.ID?

  package var count: Int { groups.count }
  package var continuations: [Continuation] { [Continuation](next: next.map { .fromMessage($0) }) }
}

/// The messages with one value of a property, under the key of that property.
public struct GroupAnswer: Codable, Hashable, Sendable {
  /// The year: `2024`.
  public var year: String?
  /// The month: `2024-05`.
  public var month: String?
  /// The date: `2024-05-01`.
  public var day: String?
  /// The day of the week: `monday`.
  public var weekday: String?
  /// The hour, 0 to 23; `nil` for messages whose time of day is unknown.
  public var hour: Int?
  /// The sender; `nil` for messages without one.
  public var sender: String?
  /// The person.
  public var person: String?
  /// The conversation.
  public var conversation: String?
  /// The kind.
  public var kind: Message.Kind?
  /// The number of messages.
  public var messages: Int
  /// Its oldest message, for a year, month or day.
  public var firstID: Message.ID?

  init(_ group: MessageGroup, _ grouping: MessageGrouping, conversation: String?) {
    messages = group.count
    self.conversation = conversation
    switch group.key {
    case .date(let date, let oldest):
      firstID = oldest
      let text = date.dateText
      switch grouping {
      case .year: year = String(text.dropLast(6))
      case .month: month = String(text.dropLast(3))
      case .day, .weekday, .hour, .sender, .person, .conversation, .kind: day = text
      }
    case .weekday(let number): weekday = Self.weekdays[min(max(0, number), 6)]
    case .hour(let hour): self.hour = hour
    case .sender(let sender): self.sender = sender?.name
    case .person(_, let name): person = name
    case .kind(let kind): self.kind = kind
    case .conversation: break
    }
  }

  private static let weekdays = [
    "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
  ]
}

extension QuestionAnswerer {
  /// Returns counts of a selection's messages by a property.
  ///
  /// - Parameters:
  ///   - selection: The messages to count.
  ///   - grouping: The property.
  ///   - zone: The time zone whose midnights separate days.
  ///   - first: The message at which to begin, from an earlier answer; for years, months and days.
  ///   - limit: The maximum number of groups: the earliest years, months or days, or the groups with the most
  ///     messages.
  ///   - progress: Receives the number of messages counted so far, and returns whether to continue.
  /// - Complexity: O(groups), or one pass over the selection, whatever the limit.
  public func groups(
    of selection: Selection, by grouping: MessageGrouping, zone: TimeZone, from first: Message.ID = .lowest,
    limit: Int = .max, progress: (Int) -> Bool = { _ in true }
  ) throws(StoreError) -> GroupsAnswer {
    let rest =
      try first == .lowest
      ? selection : selection.narrowed(to: .time(from: store.moment(of: first), until: nil))
    let all = try store.groups(of: rest, by: grouping, zone: zone, progress: progress)
    var names = ConversationNames(store)
    var shown: [GroupAnswer] = []
    for group in all.prefix(limit) {
      var name: String?
      if case .conversation(let id) = group.key { name = try names.name(of: id) }
      shown.append(GroupAnswer(group, grouping, conversation: name))
    }
    var answer = GroupsAnswer(groups: shown, total: all.reduce(0) { $0.adding($1.count) })
    guard let following = all.dropFirst(limit).first else { return answer }
    if case .date(_, let oldest) = following.key {
      answer.next = oldest
    } else {
      answer.others = all.count - shown.count
    }
    return answer
  }
}

public import Foundation
public import MessageModel
public import MessageStorage

/// Asks for messages counted by a property.
public struct GroupsQuestion: HistoryQuestion, ListQuestion, SelectingQuestion {
  /// Its word in JSON.
  public static let word = "groups"

  /// By which property; `nil` for months.
  public var by: MessageGrouping?
  /// Of which conversations; `nil` for all.
  public var conversations: [ConversationReference]?
  /// The name of a person, for everything between them and you alone: docs/json.md. `nil` for all.
  public var person: String?
  /// The condition that must hold for the messages; `nil` for all.
  public var filter: HistoryFilter?
  /// The zone whose midnights part days, and in which times are that name none; `nil` for UTC.
  public var timeZone: String?
  /// The message from which on years, months or days are wanted.
  public var from: Message.ID?
  /// The most groups to return; `nil` for the usual limit.
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

/// Messages counted by a property.
public struct GroupsAnswer: HistoryAnswer, ServedAnswer {
  /// The groups: times in their order, others with the most messages first.
  public var groups: [GroupAnswer]
  /// The number of messages of all groups, also of those that are not among these.
  public var total: Int
  /// The number of groups with fewer messages that are left out; `nil` if there are none.
  public var others: Int?
  /// From which message years, months or days go on; `nil` at the end.
  public var next: Message.ID?

  package var count: Int { groups.count }
  package var continuations: [Continuation] { [Continuation](next: next.map { .fromMessage($0) }) }
}

/// Messages that have one property in common: the key that says which.
public struct GroupAnswer: Codable, Hashable, Sendable {
  /// The year: `2024`.
  public var year: String?
  /// The month: `2024-05`.
  public var month: String?
  /// The date: `2024-05-01`.
  public var day: String?
  /// The day of the week: `monday`.
  public var weekday: String?
  /// The hour of the day, 0 to 23; `nil` for messages of which only the day is known.
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
  /// The oldest of them in a year, month or day.
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
  /// Returns the messages of a selection counted by a property.
  ///
  /// - Parameters:
  ///   - selection: The messages that are counted.
  ///   - grouping: The property.
  ///   - zone: The zone whose midnights part days.
  ///   - first: The message from which on, as an answer before this one says; for years, months and days.
  ///   - limit: The most groups: of times the first ones, of others those with the most messages.
  ///   - progress: Told now and then how many messages have been counted; answers whether to go on.
  /// - Throws: ``StoreError`` of kind `cancelled` if it was stopped, `invalidRequest` if an expression is wrong, `damaged`,
  ///   `busy` or `inputOutput`.
  /// - Complexity: As for ``StoreReading/groups(of:by:zone:progress:)``, whatever the limit.
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

public import Foundation
public import MessageModel
internal import MessageStorage

/// Asks for the days or months with messages.
public struct DaysQuestion: HistoryQuestion, ListQuestion {
  /// Its word in JSON.
  public static let word = "days"

  /// The conversation; `nil` for all together.
  public var conversation: ConversationReference?
  /// The name of a person, for everything between them and you: docs/json.md. `nil` for all.
  public var person: String?
  /// `nil` for days.
  public var by: HistorySection.Span?
  /// The time zone whose midnights separate them; `nil` for UTC.
  public var timeZone: String?
  /// The message at which to begin.
  public var from: Message.ID?
  /// The most days or months; `nil` for the usual limit.
  public var limit: Int?

  /// Creates a question.
  public init(
    conversation: ConversationReference? = nil, person: String? = nil, by: HistorySection.Span? = nil,
    timeZone: String? = nil,
    from: Message.ID? = nil, limit: Int? = nil
  ) {
    (self.conversation, self.person, self.by, self.timeZone) = (conversation, person, by, timeZone)
    (self.from, self.limit) = (from, limit)
  }
}

extension DaysQuestion {
  /// Returns the days or months.
  public func answer(by queries: QuestionAnswerer) throws(StoreError) -> DaysAnswer {
    let zone = try QuestionAnswerer.zone(timeZone)
    let found = try conversation.map { reference throws(StoreError) in try queries.find(reference) }
    let (span, first, limit) = (by ?? .day, from ?? .lowest, try QuestionAnswerer.limit(limit))
    guard let person else {
      return try queries.days(of: found, by: span, zone: zone, from: first, limit: limit)
    }
    return try queries.days(
      with: person, in: found, by: span, zone: zone, from: first, limit: limit,
      isCancelled: queries.isCancelled)
  }

  package var isSearch: Bool { person != nil }
  package var isOfMessagesAlone: Bool { person == nil }
}

/// The days or months with messages, oldest first.
public struct DaysAnswer: HistoryAnswer, ServedAnswer {
  /// The days or months that have messages, oldest first.
  public var days: [DayAnswer]
  /// The message at which to continue; `nil` at the end.
  public var next: Message.ID?

  package var count: Int { days.count }
  package var continuations: [Continuation] { [Continuation](next: next.map { .fromMessage($0) }) }
}

/// A day or month with messages.
public struct DayAnswer: Codable, Hashable, Sendable {
  /// The conversation, if it is only one.
  public var conversation: String?
  /// The date: `2024-05-01`; `nil` for a month.
  public var day: String?
  /// The month: `2024-05`; `nil` for a day.
  public var month: String?
  /// The number of messages in it.
  public var messages: Int
  /// The ordinal of its oldest message, 1 being the oldest of all.
  public var firstNumber: Int
  /// Its oldest message.
  public var firstID: Message.ID

  /// Creates an answer.
  package init(_ section: HistorySection, _ span: HistorySection.Span, conversation: String? = nil) {
    self.conversation = conversation
    let date = section.start.dateText
    switch span {
    case .day: day = date
    case .month: month = String(date.dropLast(3))
    }
    messages = section.count
    firstNumber = section.firstOrdinal.adding(1)
    firstID = section.oldest
  }
}

extension QuestionAnswerer {
  /// Returns the days or months with messages, oldest first.
  ///
  /// - Parameters:
  ///   - conversation: The conversation; `nil` for all together.
  ///   - span: Whether to count days or months.
  ///   - zone: The time zone whose midnights separate them.
  ///   - first: The message at which to begin, from an earlier answer.
  ///   - limit: The most days or months.
  /// - Complexity: O(`limit` × √*n*) small steps for *n* messages.
  public func days(
    of conversation: Conversation? = nil, by span: HistorySection.Span, zone: TimeZone,
    from first: Message.ID = .lowest, limit: Int = .max
  ) throws(StoreError) -> DaysAnswer {
    let portion = try Portion(limit: limit) { limit throws(StoreError) in
      try store.sections(of: conversation?.id, by: span, zone: zone, from: first, limit: limit)
    }
    return DaysAnswer(
      days: portion.shown.map { DayAnswer($0, span, conversation: conversation?.name) },
      next: portion.following?.oldest)
  }

  /// Returns the days or months with messages between a person and the user, oldest first; ordinals are those
  /// of ``everything(with:)``.
  ///
  /// - Parameters:
  ///   - person: The name of the person.
  ///   - conversation: The conversation; `nil` for all together.
  ///   - span: Whether to count days or months.
  ///   - zone: The time zone whose midnights separate them.
  ///   - first: The message at which to begin, from an earlier answer.
  ///   - limit: The most days or months.
  ///   - isCancelled: Called at intervals.
  /// - Complexity: O(groups), or one pass over the selection, whatever the limit.
  public func days(
    with person: String, in conversation: Conversation? = nil, by span: HistorySection.Span, zone: TimeZone,
    from first: Message.ID = .lowest, limit: Int = .max,
    isCancelled: () -> Bool = { Task.isCancelled }
  ) throws(StoreError) -> DaysAnswer {
    var selection = try everything(with: person)
    if let conversation { selection.conversations = .some([conversation.id]) }
    let start = try first == .lowest ? nil : store.moment(of: first)
    let rest = start == nil ? selection : selection.narrowed(to: .time(from: start, until: nil))
    var ordinal = 0
    if start != nil {
      let before = selection.narrowed(to: .time(from: nil, until: start))
      ordinal = try store.groups(of: before, by: .kind, zone: zone) { _ in !isCancelled() }
        .reduce(0) { $0.adding($1.count) }
    }
    let grouping: MessageGrouping = span == .day ? .day : .month
    let groups = try store.groups(of: rest, by: grouping, zone: zone) { _ in !isCancelled() }
    var answer = DaysAnswer(days: [])
    for group in groups {
      guard case .date(let start, let oldest) = group.key else { continue }
      guard answer.days.count < limit else {
        answer.next = oldest
        break
      }
      let section = HistorySection(start: start, oldest: oldest, firstOrdinal: ordinal, count: group.count)
      answer.days.append(DayAnswer(section, span, conversation: conversation?.name))
      ordinal = ordinal.adding(group.count)
    }
    return answer
  }
}

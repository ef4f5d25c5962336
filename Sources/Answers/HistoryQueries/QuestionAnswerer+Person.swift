public import Foundation
public import MessageModel
public import MessageStorage

/// The messages between a person and whoever asks.
extension QuestionAnswerer {
  /// Returns everything with a person: the direct conversations in which one of their accounts wrote, both sides of them,
  /// and what they wrote elsewhere.
  ///
  /// - Parameter person: The name of the person, in any case, with or without an `@` in front.
  /// - Throws: ``StoreError`` of kind `notFound` that names the nearest people, `damaged`, `busy` or `inputOutput`.
  /// - Complexity: As for ``SynchronousMessageStore/person(named:)`` and
  ///   ``SynchronousMessageStore/directConversations(with:)``.
  public func everything(with person: String) throws(StoreError) -> Selection {
    let senders = try store.person(named: person).senders
    let wrote = MessagePredicate.person(senders)
    let direct = try store.directConversations(with: senders)
    return Selection(.all, where: direct.isEmpty ? wrote : .or([.conversation(direct), wrote]))
  }

  /// Returns the days or months that hold messages between a person and whoever asks, oldest first; their numbers are those
  /// of ``everything(with:)``.
  ///
  /// - Parameters:
  ///   - person: The name of the person.
  ///   - conversation: Where to look; `nil` for all together.
  ///   - span: Whether days or months are counted.
  ///   - zone: The zone whose midnights part them.
  ///   - first: The message from which on, as an answer before this one says.
  ///   - limit: The most days or months.
  ///   - isCancelled: Asked now and then whether to stop.
  /// - Throws: As ``everything(with:)``, and ``StoreError`` of kind `cancelled`.
  /// - Complexity: As for ``SynchronousMessageStore/groups(of:by:zone:progress:)``, whatever the limit.
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

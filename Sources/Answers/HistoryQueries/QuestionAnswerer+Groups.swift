public import Foundation
public import MessageModel
public import MessageStorage

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
  /// - Complexity: As for ``SynchronousMessageStore/groups(of:by:zone:progress:)``, whatever the limit.
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

  func answer(
    _ question: GroupsQuestion, isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> GroupsAnswer {
    guard let zone = TimeZone(named: question.timeZone ?? "UTC") else {
      throw Self.notFound("time zone", question.timeZone ?? "")
    }
    let selection = try selection(
      question.conversations, with: question.person, question.filter, zone: question.timeZone)
    return try groups(
      of: selection, by: question.by ?? .month, zone: zone, from: question.from ?? .lowest,
      limit: Self.limit(question.limit)
    ) { _ in !isCancelled() }
  }
}

public import Foundation
public import MessageModel
internal import MessageStorage

extension QuestionAnswerer {
  /// Returns sessions of assistants, those with the newest messages first.
  ///
  /// - Parameters:
  ///   - query: A query as somebody types it (docs/sessions.md); `nil` or an empty one for all sessions.
  ///   - id: The message before which the newest ones of the sessions lie; `nil` for the newest end.
  ///   - limit: The most sessions.
  ///   - zone: The zone of times that name none.
  /// - Throws: ``StoreError`` of kind `invalidRequest` that names what is not understood, else what reading threw.
  /// - Complexity: O(sessions), and O(messages) of those that were changed since the last import.
  public func sessions(
    matching query: String? = nil, before id: Message.ID? = nil, limit: Int = QuestionAnswerer.usualLimit,
    timeZone zone: TimeZone = .gmt
  ) throws(StoreError) -> SessionsAnswer {
    var predicate = SessionPredicate.everything
    if let query, let read = try MessageQuery(reading: query) {
      var compiler = QueryCompiler(store, now: now(), clock: WallClock(zone: zone))
      predicate = try compiler.sessions(read)
    }
    let page = try store.sessions(where: predicate, before: id, limit: limit)
    return SessionsAnswer(sessions: page.sessions.map(SessionAnswer.init), next: page.next)
  }

  func answer(_ question: SessionsQuestion) throws(StoreError) -> SessionsAnswer {
    guard let zone = TimeZone(named: question.timeZone ?? "UTC") else {
      throw Self.notFound("time zone", question.timeZone ?? "")
    }
    return try sessions(
      matching: question.words, before: question.before, limit: Self.limit(question.limit), timeZone: zone)
  }
}

public import MessageModel

/// Asks for sessions of assistants, those with the newest messages first.
public struct SessionsQuestion: Codable, Hashable, Sendable {
  /// A query as somebody types it (docs/sessions.md): words of titles, `project:tea`, `model:opus`, `tool:Bash`, `is:failed` …;
  /// `nil` for all.
  public var words: String?
  /// The message before which the newest ones of the sessions lie; `nil` for the newest end.
  public var before: Message.ID?
  /// The most sessions; `nil` for the usual limit.
  public var limit: Int?
  /// The zone of times that name none; `nil` for UTC.
  public var timeZone: String?

  /// Creates a question.
  public init(
    words: String? = nil, before: Message.ID? = nil, limit: Int? = nil, timeZone: String? = nil
  ) {
    self.words = words
    self.before = before
    self.limit = limit
    self.timeZone = timeZone
  }
}

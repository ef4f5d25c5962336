public import MessageModel

/// An assistant's session: a conversation marked as one by its program, with what is known of it.
public struct AssistantSession: Identifiable, Hashable, Sendable {
  /// A model, tool or file, and its number of uses in the session.
  public struct Use: Hashable, Sendable {
    /// Its name, id or path.
    public var name: String
    /// The number of messages or calls with it.
    public var count: Int
  }

  /// The conversation.
  public var id: Conversation.ID
  /// The name of the conversation.
  public var name: String
  /// The program and its id of the session.
  public var identity: ConversationIdentity
  /// The number of messages.
  public var messageCount: Int
  /// The first message.
  public var oldest: Message.ID
  /// The newest message.
  public var newest: Message.ID
  /// When the first message was written, if that is not the millisecond of its place (``Message/writtenAt``).
  public var oldestWrittenAt: Timestamp?
  /// When the newest message was written, if that is not the millisecond of its place.
  public var newestWrittenAt: Timestamp?
  /// The precision of the first message's time.
  public var oldestPrecision = TimePrecision.millisecond
  /// The precision of the newest message's time.
  public var newestPrecision = TimePrecision.millisecond
  /// The message with the first question, if there is one.
  public var questionID: Message.ID?
  /// The first line of that question, at most 200 characters.
  public var question: String?
  /// The number of results and notes that report a failure.
  public var failureCount: Int
  /// The folder, branch, tokens and cost, as far as known.
  public var note = SessionNote()
  /// Whether its messages report tokens or costs, which are then those of single turns.
  package var reportsUse = false
  /// The models, those with the most messages first.
  public var models: [Use] = []
  /// The tools, those with the most calls first.
  public var tools: [Use] = []
  /// The files named by calls, those with the most calls first; at most ``listedFiles``.
  public var files: [Use] = []
  /// The number of such files.
  public var fileCount = 0

  /// The most files listed of a session.
  public static let listedFiles = 50

  /// The time of the first message, rounded down to the precision.
  public var oldestTime: Timestamp { (oldestWrittenAt ?? oldest.placeTime).rounded(to: oldestPrecision) }
  /// The time of the newest message, rounded down to the precision.
  public var newestTime: Timestamp { (newestWrittenAt ?? newest.placeTime).rounded(to: newestPrecision) }

  /// The text that a query's words search, and its SQL for a session `s` and its conversation `c`.
  var searchedText: String { "\(name)\n\(question ?? "")\n\(identity.platform)" }
  static let searchedColumns = "c.name || char(10) || ifnull(s.title, '') || char(10) || s.platform"

  /// - Parameter uses: In order of their counts.
  mutating func take(_ uses: [(word: SessionWord, count: Int)]) {
    for (word, count) in uses {
      let use = Use(name: word.word, count: count)
      switch word.sort {
      case .folder, .branch: break
      case .model: models.append(use)
      case .tool: tools.append(use)
      case .file:
        fileCount += 1
        if files.count < Self.listedFiles { files.append(use) }
      }
    }
  }
}

/// A page of sessions, newest first.
public struct SessionPage: Hashable, Sendable {
  /// The sessions.
  public var sessions: [AssistantSession]
  /// The message before which further sessions' newest messages are; `nil` at the end.
  public var next: Message.ID?
}

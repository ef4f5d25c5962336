public import MessageModel

/// A session of an assistant: a conversation of which its program says that it is one, and what is known of it.
public struct AssistantSession: Identifiable, Hashable, Sendable {
  /// A model, tool or file, and how often the session has it.
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
  /// The program and the id that it gave the session.
  public var identity: ConversationIdentity
  /// The number of messages.
  public var messageCount: Int
  /// The first message.
  public var oldest: Message.ID
  /// The newest message.
  public var newest: Message.ID
  /// The millisecond when the first message was written, where that is not the one of its place (``Message/writtenAt``).
  public var oldestWrittenAt: Timestamp?
  /// The millisecond when the newest message was written, where that is not the one of its place.
  public var newestWrittenAt: Timestamp?
  /// The precision with which the time of the first message is known.
  public var oldestPrecision = TimePrecision.millisecond
  /// The precision with which the time of the newest message is known.
  public var newestPrecision = TimePrecision.millisecond
  /// The message that asks the first question; `nil` if there is none.
  public var questionID: Message.ID?
  /// The first line of that question, at most 200 characters of it.
  public var question: String?
  /// The number of results and notes that say that something failed.
  public var failureCount: Int
  /// The folder, the branch, the tokens and the cost, as far as they are told.
  public var note = SessionNote()
  /// The models, those with the most messages first.
  public var models: [Use] = []
  /// The tools that were called, those with the most calls first.
  public var tools: [Use] = []
  /// The files that calls name, those with the most calls first; at most ``listedFiles``.
  public var files: [Use] = []
  /// The number of such files.
  public var fileCount = 0

  /// The most files that are listed of a session.
  public static let listedFiles = 50

  /// The time of the first message, rounded down to the precision.
  public var oldestTime: Timestamp { (oldestWrittenAt ?? oldest.placeTime).rounded(to: oldestPrecision) }
  /// The time of the newest message, rounded down to the precision.
  public var newestTime: Timestamp { (newestWrittenAt ?? newest.placeTime).rounded(to: newestPrecision) }

  /// The text that is searched by the words of a query, and the same of the rows of a session `s` and its conversation `c`.
  var searchedText: String { "\(name)\n\(question ?? "")\n\(identity.platform)" }
  static let searchedColumns = "c.name || char(10) || ifnull(s.title, '') || char(10) || s.platform"

  /// Takes what uses say, in the order of their counts.
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

/// Some sessions of assistants, newest first.
public struct SessionPage: Hashable, Sendable {
  /// The sessions.
  public var sessions: [AssistantSession]
  /// The message before which the newest ones of further sessions lie; `nil` if there are no others.
  public var next: Message.ID?
}

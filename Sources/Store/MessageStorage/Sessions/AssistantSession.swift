package import HistoryModel
package import MessageModel

/// An assistant's session: a conversation marked as one by its program, with what is known of it.
package struct AssistantSession: Identifiable, Hashable, Sendable {
  /// A model, tool or file, and its number of uses in the session.
  package struct Use: Hashable, Sendable {
    /// Its name, id or path.
    package var name: String
    /// The number of messages or calls with it.
    package var count: Int
  }

  /// The conversation.
  package var id: Conversation.ID
  /// The name of the conversation.
  package var name: String
  /// The program and its id of the session.
  package var identity: ConversationIdentity
  /// The number of messages.
  package var messageCount: Int
  /// The first message.
  package var oldest: Message.ID
  /// The newest message.
  package var newest: Message.ID
  /// When the first message was written, if that is not the millisecond of its place (``Message/writtenAt``).
  package var oldestWrittenAt: Timestamp?
  /// When the newest message was written, if that is not the millisecond of its place.
  package var newestWrittenAt: Timestamp?
  /// The precision of the first message's time.
  package var oldestPrecision = TimePrecision.millisecond
  /// The precision of the newest message's time.
  package var newestPrecision = TimePrecision.millisecond
  /// The message with the first question, if there is one.
  package var questionID: Message.ID?
  /// The first line of that question, at most 200 characters.
  package var question: String?
  /// The number of results and notes that report a failure.
  package var failureCount: Int
  /// The folder, branch, tokens and cost, as far as known.
  package var note = SessionNote()
  /// Whether its messages report tokens or costs, which are then those of single turns.
  package var reportsUse = false
  /// The models, those with the most messages first.
  package var models: [Use] = []
  /// The tools, those with the most calls first.
  package var tools: [Use] = []
  /// The files named by calls, those with the most calls first; at most ``listedFiles``.
  package var files: [Use] = []
  /// The number of such files.
  package var fileCount = 0

  /// The most files listed of a session.
  package static let listedFiles = 50

  /// The time of the first message, rounded down to the precision.
  package var oldestTime: Timestamp { (oldestWrittenAt ?? oldest.placeTime).rounded(to: oldestPrecision) }
  /// The time of the newest message, rounded down to the precision.
  package var newestTime: Timestamp { (newestWrittenAt ?? newest.placeTime).rounded(to: newestPrecision) }

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
package struct SessionPage: Hashable, Sendable {
  /// The sessions.
  package var sessions: [AssistantSession]
  /// The message before which further sessions' newest messages are; `nil` at the end.
  package var next: Message.ID?
}

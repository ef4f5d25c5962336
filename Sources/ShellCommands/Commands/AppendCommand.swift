internal import Foundation
internal import MessageModel
internal import MessageShell
internal import MessageStorage

/// `append`: writes messages from the command line, or a message per line of standard input as lines arrive.
struct AppendCommand: Sendable {
  var sender: String?
  var time: Timestamp?
  var replyTo: Message.ID?
  /// The conversation; `nil` for the only one there is.
  var conversation: String?
  /// Whether a conversation that is not there is made.
  var creates: Bool

  /// Creates the command.
  init(
    sender: String?, time: Timestamp? = nil, replyTo: Message.ID? = nil, conversation: String? = nil,
    creates: Bool = false
  ) {
    self.sender = sender
    self.time = time
    self.replyTo = replyTo
    self.conversation = conversation
    self.creates = creates
  }

  /// Appends one message.
  func run(_ store: MessageStore, text: String) throws {
    try store.append([message(text)], to: try target(in: store))
  }

  /// Returns what appends a message per line of a stream.
  ///
  /// - Throws: ``UsageError`` if there is no such conversation.
  func appender(
    _ store: MessageStore, linesFrom descriptor: Int32, until stop: StopSignals? = nil
  ) throws -> LineAppender {
    LineAppender(
      lines: ArrivingLines(descriptor: descriptor, until: stop), store: store, target: try target(in: store),
      message: message)
  }

  private func message(_ text: String) -> NewMessage {
    NewMessage(text, from: sender, at: time, replyTo: replyTo)
  }

  private func target(in store: MessageStore) throws -> Conversation.ID {
    guard let conversation else { return try ConversationChoice.only(in: store).id }
    if let found = try store.conversation(named: conversation) { return found.id }
    if try creates || store.conversationCount() == 0 {
      return try store.makeConversation(named: conversation).id
    }
    do {
      return try ConversationChoice.named(conversation, in: store).id
    } catch var error as UsageError {
      error.remedy = "--create, which makes it"
      throw error
    }
  }
}

/// Lines of a stream on their way into a conversation, a message each.
struct LineAppender {
  var lines: ArrivingLines
  let store: MessageStore
  let target: Conversation.ID
  let message: (String) -> NewMessage
  /// How many messages are on disk, also when ``run()`` has thrown.
  private(set) var count = 0

  /// The most lines of one commit.
  private static let batchLimit = 1_000

  /// Appends until the stream ends or a signal asks to stop.
  ///
  /// What can be read at once is one commit, so a slow writer is followed line by line and a fast one by the
  /// thousand. A last line without a newline counts; the newline itself, with a carriage return before it, does not.
  ///
  /// - Throws: ``UsageError`` if the stream cannot be read further, ``StoreError`` if a commit fails: what ``count`` says
  ///   is in the store then.
  mutating func run() throws {
    while let batch = try lines.next(atMost: Self.batchLimit) {
      try store.append(batch.map(message), to: target)
      count += batch.count
    }
  }
}

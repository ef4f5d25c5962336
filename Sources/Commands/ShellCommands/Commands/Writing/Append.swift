internal import ArgumentParser
internal import ChatSession
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import TerminalText

struct Append: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "append",
    abstract: "Write messages into the store.",
    discussion: """
      Without TEXT, each line of standard input is a message, written as it arrives.

      With --ack the id of each message is printed once it is on the disk, in the order of the lines: acknowledged \
      messages survive a crash. docs/reliability.md says how a program continues after one.

      Examples:
        scrollback append -c notes Buy milk
        make 2>&1 | scrollback append -c builds --from make --create
        id=$(scrollback append --ack -c notes Buy milk)
      """)

  @Argument(help: ArgumentHelp("The message; several words are joined by spaces.", valueName: "text"))
  var text: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The sender (default: $USER).", valueName: "name"),
    completion: ValueCompletions.senders)
  var from: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("When it was written (default: now).", valueName: "time"))
  var time: String?

  @Option(help: ArgumentHelp("The message that it replies to.", valueName: "id"))
  var replyTo: String?

  @Flag(help: "Create the conversation if it does not exist.")
  var create = false

  @Flag(help: "Print the id of each message once it is on the disk.")
  var ack = false

  @OptionGroup var target: OneConversationOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if !text.isEmpty, text.allSatisfy({ $0.allSatisfy(\.isWhitespace) }) {
      throw ValidationError("the message is empty")
    }
  }

  func run(in shell: Shell) throws -> ExitStatus {
    var reply: Message.ID?
    if let replyTo {
      reply = Message.ID(replyTo.hasPrefix("#") ? String(replyTo.dropFirst()) : replyTo)
      guard reply != nil else {
        throw UsageError("'\(replyTo)' is not a message id", remedy: "--reply-to #ID")
      }
    }
    let store = try common.writableStore(in: shell, StoreOptions())
    defer { store.close() }
    let sender = from ?? shell.userName
    let command = AppendCommand(
      sender: sender, time: try time.map { try moment($0, in: shell) }, replyTo: reply,
      conversation: target.conversation, creates: create)
    if text.isEmpty {
      try appendLines(of: command, to: store, in: shell)
    } else {
      let id = try command.run(store, text: text.joined(separator: " "))
      if ack { common.console(in: shell).writeAtOnce(Self.acknowledgement(of: id)) }
    }
    return .done
  }

  private func appendLines(of command: AppendCommand, to store: SynchronousMessageStore, in shell: Shell)
    throws
  {
    let console = common.console(in: shell)
    let stop = try shell.stopSignals()
    var appender = try command.appender(store, linesFrom: shell.standardInput, until: stop)
    do {
      while let ids = try appender.next() {
        guard ack else { continue }
        console.writeAtOnce(Self.acknowledgement(of: ids)) {
          console.complain(Self.summary(of: appender))
          store.close()
        }
      }
    } catch {
      console.complain(Self.summary(of: appender))
      throw error
    }
    if let stop, stop.received != nil {
      console.complain(Self.summary(of: appender))
      store.close()
      stop.end()
    } else {
      console.note(Self.summary(of: appender))
    }
  }

  private static func acknowledgement(of ids: [Message.ID]) -> String {
    ids.map { "\($0)\n" }.joined()
  }

  private static func summary(of appender: LineAppender) -> String {
    "appended \(NumberText.counted(appender.count, "message"))"
  }

  private func moment(_ text: String, in shell: Shell) throws -> Timestamp {
    guard let expression = TimeExpression(text) else {
      throw UsageError("'\(text)' is not a time", remedy: "--time '2024-05-01 14:30'")
    }
    var clock = WallClock(zone: try common.zone(in: shell))
    return expression.moment(now: shell.now(), clock: &clock)
  }
}

/// `append`: writes a message from the command line, or one per line of standard input as lines arrive.
struct AppendCommand: Sendable {
  var sender: String?
  var time: Timestamp?
  var replyTo: Message.ID?
  var conversation: String?
  /// Whether to create a missing conversation.
  var creates: Bool

  func run(_ store: SynchronousMessageStore, text: String) throws -> [Message.ID] {
    try store.append([message(text)], to: try target(in: store))
  }

  func appender(
    _ store: SynchronousMessageStore, linesFrom descriptor: Int32, until stop: StopSignals? = nil
  ) throws -> LineAppender {
    LineAppender(
      lines: ArrivingLines(descriptor: descriptor, until: stop), store: store, target: try target(in: store),
      message: message)
  }

  private func message(_ text: String) -> NewMessage {
    NewMessage(text, from: sender, at: time, replyTo: replyTo.map { .message($0) })
  }

  private func target(in store: SynchronousMessageStore) throws -> Conversation.ID {
    guard let conversation else { return try ConversationChoice.only(in: store).id }
    if let found = try store.conversation(named: conversation) { return found.id }
    if try creates || store.conversationCount() == 0 {
      return try store.makeConversationIfNeeded(named: conversation).id
    }
    do {
      return try ConversationChoice.named(conversation, in: store).id
    } catch var error as UsageError {
      error.remedy = "--create, which makes it"
      throw error
    }
  }
}

struct LineAppender {
  var lines: ArrivingLines
  let store: SynchronousMessageStore
  let target: Conversation.ID
  let message: (String) -> NewMessage
  /// The number of messages on disk, also after ``next()`` has thrown.
  private(set) var count = 0

  /// The most lines of a commit, and so the most that may be on disk without being acknowledged
  /// (docs/reliability.md).
  private static let batchLimit = 1_000

  /// Waits for lines, appends them and returns their ids once they are on disk; `nil` at the end of the
  /// stream or after a stop signal. Whatever can be read at once forms one commit: a slow writer gets a
  /// commit per line, a fast one up to a thousand lines. A last line without a newline counts; the newline,
  /// and a carriage return before it, do not belong to the message.
  ///
  /// - Throws: ``UsageError`` if the stream cannot be read further, ``StoreError`` if a commit fails;
  ///   ``count`` messages are in the store then.
  mutating func next() throws -> [Message.ID]? {
    guard let batch = try lines.next(atMost: Self.batchLimit) else { return nil }
    let ids = try store.append(batch.map(message), to: target)
    count += ids.count
    return ids
  }
}

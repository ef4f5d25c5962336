internal import ArgumentParser
internal import Foundation
internal import MessageModel
internal import MessageShell
internal import MessageStorage
internal import TerminalText

struct Append: ShellCommand {
  static let configuration = CommandConfiguration(
    commandName: "append",
    abstract: "Write messages into the store.",
    discussion: """
      Without TEXT, each line of standard input is a message, written as it arrives.

      Examples:
        scrollback append -c notes Buy milk
        make 2>&1 | scrollback append -c builds --from make --create
      """)

  @Argument(help: ArgumentHelp("The message; several words are joined by spaces.", valueName: "text"))
  var text: [String] = []

  @Option(help: ArgumentHelp("Who writes it ($USER).", valueName: "name"))
  var from: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("When it was written (now, at the newest end).", valueName: "time"))
  var time: String?

  @Option(help: ArgumentHelp("The message that it answers.", valueName: "id"))
  var replyTo: String?

  @Flag(help: "Make the conversation if it is not there.")
  var create = false

  @Option(name: [.short, .long], help: ArgumentHelp("The conversation.", valueName: "name"))
  var conversation: String?

  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    var reply: Message.ID?
    if let replyTo {
      reply = Message.ID(replyTo.hasPrefix("#") ? String(replyTo.dropFirst()) : replyTo)
      guard reply != nil else { throw UsageError("'\(replyTo)' is no message id", remedy: "--reply-to #ID") }
    }
    let store = try common.writableStore(in: shell, StoreOptions())
    defer { store.close() }
    let sender = from ?? shell.environment["USER"].flatMap { $0.isEmpty ? nil : $0 }
    let command = AppendCommand(
      sender: sender, time: try time.map { try moment($0, in: shell) }, replyTo: reply,
      conversation: conversation, creates: create)
    if text.isEmpty {
      try appendLines(of: command, to: store, in: shell)
    } else {
      try command.run(store, text: text.joined(separator: " "))
    }
    return .done
  }

  /// Appends the lines of standard input, and says in every way this can end how many are in the store.
  private func appendLines(of command: AppendCommand, to store: MessageStore, in shell: Shell) throws {
    let console = common.console(in: shell)
    let stop = try shell.stopSignals()
    var appender = try command.appender(store, linesFrom: shell.standardInput, until: stop)
    do {
      try appender.run()
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

  private static func summary(of appender: LineAppender) -> String {
    "appended \(NumberText.counted(appender.count, "message"))"
  }

  private func moment(_ text: String, in shell: Shell) throws -> Timestamp {
    guard let expression = TimeExpression(text) else {
      throw UsageError("'\(text)' is no time", remedy: "--time '2024-05-01 14:30'")
    }
    var clock = WallClock(zone: try common.zone(in: shell))
    return expression.moment(now: shell.now(), clock: &clock)
  }
}

internal import AgentProtocol
internal import ArgumentParser
internal import ChatSession
internal import HistoryPublishing
internal import MessageModel
internal import MessageStorage
internal import Redaction

struct AgentContext: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "mcp",
    abstract: "Let an agent search and read, by the Model Context Protocol.",
    discussion: """
      An agent's client starts it, and uses its standard input and output. It reads the store and writes nothing. \
      docs/agents.md shows how to enter it into clients (`claude mcp add scrollback -- scrollback mcp`), and what an agent \
      can ask.

      Examples:
        scrollback mcp
        scrollback mcp --store chats.db
        scrollback mcp --store postgres://reader@db.example.org/history
        scrollback mcp --redact secrets
      """)

  @OptionGroup var redacting: RedactOption
  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let place = try common.place(in: shell)
    let console = common.console(in: shell)
    let output = shell.output
    let redactor = try redactor(in: shell)
    let server = try AgentServer(
      version: Scrollback.version, me: shell.userName, redactor: redactor
    ) { () throws(StoreError) in
      try SynchronousMessageStore.opened(at: place, options: .readOnly)
    } send: { line in
      _ = output.send(line)
    }
    defer { server.close() }
    var lines = ArrivingLines(descriptor: shell.standardInput)
    while let line = try lines.next()?.first { server.receive(line) }
    server.finish()
    console.flush()
    return .done
  }

  private func redactor(in shell: Shell) throws -> Redactor? {
    guard let rules = try redacting.rules() else { return nil }
    let store = try common.opened(in: shell)
    defer { store.close() }
    return try RedactionChoice.redactor(rules, of: store, answering: "agents")
  }
}

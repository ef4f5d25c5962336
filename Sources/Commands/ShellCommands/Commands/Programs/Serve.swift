internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import MessageStorage

/// Replaces this process with the server after everything that can fail was checked.
struct Serve: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "serve",
    abstract: "Read the history in a browser on this computer.",
    discussion: """
      It prints the address of the page and serves it until Ctrl-C. Only this computer can reach it, and only with \
      the address, which changes at each start. Anyone with the address can read the whole store. Nothing is \
      written, except with --mark-read and --write. docs/serve.md has more, and docs/json.md lists what programs can ask.

      Examples:
        scrollback serve --open
        scrollback serve --port 8080 --store chats.db
        scrollback serve --store postgres://reader@db.example.org/history
        scrollback serve --redact secrets
      """)

  @Option(help: ArgumentHelp("The port to listen at (one that is free).", valueName: "number"))
  var port: UInt16 = 0

  @Option(
    help: ArgumentHelp(
      "Keep the key of the address in a file, so that with --port the address stays the same.",
      valueName: "file"),
    completion: .file())
  var keyFile: String?

  @Flag(help: "Mark what is read in the page as read in the store.")
  var markRead = false

  @Option(help: ArgumentHelp("Let the page write this, too: stars.", valueName: "what"))
  var write: [PageWrite] = []

  enum PageWrite: String, ExpressibleByArgument, CaseIterable {
    case stars
  }

  @Flag(help: "Open the page in the browser.")
  var open = false

  @OptionGroup var redacting: RedactOption
  @OptionGroup var common: CommonOptions

  /// Who has imported nothing yet sees a page that says how. A store that was named and is not there is a mistake.
  private func makeDefaultStore(in shell: Shell) throws {
    let path = try common.path(in: shell)
    guard
      path
        == StoreLocation.path(
          option: nil,
          environment: ["HOME", "XDG_DATA_HOME"].reduce(into: [:]) {
            $0[$1] = shell.environment[$1]
          }), !FileManager.default.fileExists(atPath: path)
    else { return }
    try common.writableStore(in: shell, StoreOptions()).close()
  }

  /// Reports errors in the rules before the server starts; returns the name of the rules.
  private func checkedRedaction(in shell: Shell) throws -> String? {
    let store = try common.opened(in: shell)
    defer { store.close() }
    guard let rules = try redacting.rules() else { return nil }
    _ = try RedactionChoice.redactor(rules, of: store, answering: "a browser")
    return redacting.redact
  }

  func run(in shell: Shell) throws -> ExitStatus {
    let address = common.address(in: shell)
    if address != nil, markRead || !write.isEmpty {
      throw UsageError(
        markRead
          ? "cannot mark messages of a published archive as read"
          : "cannot give stars in a published archive",
        cause: "an archive is only read",
        remedy: "the same without \(markRead ? "--mark-read" : "--write")")
    }
    if address == nil { try makeDefaultStore(in: shell) }
    let redact = try checkedRedaction(in: shell)
    let place = try common.place(in: shell)
    var arguments = ["--store=\(place)", "--port=\(port)"]
    if let keyFile { arguments.append("--key-file=\(keyFile)") }
    if let me = shell.userName { arguments.append("--me=\(me)") }
    if let redact { arguments.append("--redact=\(PathText.expanded(redact))") }
    if markRead { arguments.append("--write=read") }
    for what in write { arguments.append("--write=\(what.rawValue)") }
    if open { arguments.append("--open") }
    switch shell.becomeServer(arguments) {
    case .notThere(let place):
      throw UsageError(
        "cannot start the server",
        cause: "'\(place)', from which this command was started, no longer exists",
        remedy: "the command again, as it is installed now", status: .noSuchFile)
    case .failed(let cause):
      throw UsageError("cannot start the server", cause: cause, status: .inputOutput)
    }
  }
}

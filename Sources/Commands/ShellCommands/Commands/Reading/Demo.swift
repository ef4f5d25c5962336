internal import ArgumentParser
internal import CEmbeddedFiles
internal import ChatSession
internal import Foundation
internal import MessageModel
internal import MessageStorage

struct Demo: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "demo",
    abstract: "Try a made-up history, with a tour of ten keys.",
    discussion: """
      The history is in a temporary store, which is removed when you leave. Without a terminal a short tour is printed.

      Example:
        scrollback demo
      """)

  private static let conversation = "lighthouse"

  /// The tour without a terminal.
  private static let commands = [
    "/conversations", "/top", "/newer 2", "/goto 2025-09-14", "/newer 3", "/bottom", "/search soup",
  ]

  func run(in shell: Shell) throws -> ExitStatus {
    // The store is to be removed before a signal, or an output that closes, ends the process.
    let stop = try shell.stopSignals()
    let console = Console(in: shell)
    let status = try showHistory(in: shell, console, unless: stop)
    console.flush()
    stop?.end()
    return status
  }

  private func showHistory(
    in shell: Shell, _ console: Console, unless stop: StopSignals?
  ) throws -> ExitStatus {
    let folder = try Self.makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (history, store) = (folder + "/history", folder + "/demo.db")
    try Self.writeHistory(to: history)
    var shell = shell
    (shell.takesSignals, shell.prepareForImport) = (false, {})
    let status = try Import.parse(["--quiet", "--store", store, history]).run(in: shell)
    guard status == .done, stop?.received == nil else { return status }
    return shell.isInteractive
      ? try openWindow(on: store, keepingStateIn: folder, in: shell)
      : try printTour(of: store, in: shell, to: console)
  }

  /// Typed lines and places are of this store alone.
  private func openWindow(
    on store: String, keepingStateIn folder: String, in shell: Shell
  ) throws -> ExitStatus {
    var shell = shell
    shell.environment["XDG_STATE_HOME"] = folder + "/state"
    var tour: Tour? = Tour()
    shell.openWindow = { [open = shell.openWindow] request in
      var request = request
      request.context.tour = tour
      let end = try open(request)
      tour = end.context.tour
      return end
    }
    return try Open.parse(["--quiet", "--store", store, "-c", Self.conversation]).run(in: shell)
  }

  private func printTour(of path: String, in shell: Shell, to console: Console) throws -> ExitStatus {
    let store = try SynchronousMessageStore(path: path)
    defer { store.close() }
    let context = ReplContext(
      store: store, conversation: try ConversationChoice.named(Self.conversation, in: store),
      me: shell.userName ?? "me", zone: shell.localZone(), now: shell.now)
    var session = try Session(
      context, isReadOnly: true, write: { console.write($0) },
      complain: { console.complain("scrollback: \($0)") })
    var commands = Self.commands[...]
    return session.run(lines: {
      guard let command = commands.popFirst() else { return nil }
      console.write("> \(command)\n")
      return command
    })
  }

  private static func makeFolder() throws -> String {
    guard let folder = FileManager.default.makeTemporaryFolder(named: "scrollback-demo") else {
      throw UsageError(
        "cannot make a folder in '\(VisibleText.of(NSTemporaryDirectory()))'",
        cause: String(cString: strerror(errno)), remedy: .words("another folder in $TMPDIR"),
        status: .cannotCreate)
    }
    return folder
  }

  private static func writeHistory(to folder: String) throws {
    try? FileManager.default.createDirectory(
      atPath: folder + "/pictures", withIntermediateDirectories: true)
    var file = embedded_demo_files()
    while let name = file.pointee.name, let bytes = file.pointee.bytes {
      let path = "\(folder)/\(String(cString: name))"
      let contents = Data(bytes: bytes, count: file.pointee.count)
      guard FileManager.default.createFile(atPath: path, contents: contents) else {
        throw UsageError(
          "cannot write '\(VisibleText.of(path))'", cause: String(cString: strerror(errno)),
          status: .cannotCreate)
      }
      file += 1
    }
  }
}

import ArgumentParser
import Foundation
import TestSupport

/// `screenshot`: opens a history in the REPL, types, and draws what the terminal shows as SVG.
struct Screenshot: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "screenshot", abstract: "Draw the REPL over a history as an SVG picture.")

  @Argument(help: "The history to import.")
  var history: String

  @Argument(help: "The conversation to open.")
  var conversation: String

  @Option(help: ArgumentHelp("What to type; \\r is Enter.", valueName: "keys"))
  var type = ""

  @Option(help: ArgumentHelp("What the screen shows when it has done that.", valueName: "text"))
  var until = " of "

  @Option(name: .shortAndLong, help: ArgumentHelp("Where to write the picture.", valueName: "file"))
  var output: String

  func run() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let state = folder.appendingPathComponent(".local/state/scrollback")
    try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Not the first run: no greeting.
    try Data().write(to: state.appendingPathComponent("history"))
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("scrollback").path
    let environment = [
      "HOME": folder.path, "SCROLLBACK_STORE": folder.appendingPathComponent("store.db").path, "TZ": "UTC",
      "USER": "mira", "INPUTRC": "/dev/null",
    ]
    let loading = Process()
    loading.executableURL = URL(fileURLWithPath: program)
    loading.arguments = ["import", "--quiet", history]
    loading.environment = environment
    try loading.run()
    loading.waitUntilExit()
    let terminal = try PseudoTerminal(
      running: program, ["open", conversation], environment: environment, rows: 24, columns: 92)
    try terminal.wait(for: " of ")
    try terminal.type(type.replacing("\\r", with: "\r"))
    try terminal.wait(for: until)
    try ScreenDrawing(terminal.screen).svg.write(toFile: output, atomically: true, encoding: .utf8)
  }
}

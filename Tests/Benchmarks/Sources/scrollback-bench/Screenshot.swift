import ArgumentParser
import Foundation
import TestSupport

/// `screenshot`: opens a history in the REPL, plays a script, and draws what the terminal shows as SVG: a picture that
/// plays, unless there is only one scene.
struct Screenshot: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "screenshot", abstract: "Draw the REPL over a history as an SVG picture that plays.")

  @Argument(help: "The history to import.")
  var history: String

  @Argument(help: "The conversation to open.")
  var conversation: String

  @Argument(help: "The scenes, as JSON.")
  var script: String

  @Option(name: .shortAndLong, help: ArgumentHelp("Where to write the picture.", valueName: "file"))
  var output: String

  func run() throws {
    let scenes = try JSONDecoder().decode([Scene].self, from: Data(contentsOf: URL(filePath: script)))
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let state = folder.appendingPathComponent(".local/state/scrollback")
    try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Not the first run: no greeting.
    try Data().write(to: state.appendingPathComponent("history"))
    let stage = Stage(folder: folder)
    try stage.run(["import", "--quiet", history])
    let terminal = try stage.terminal(["open", conversation])
    var film = ScreenFilm()
    for scene in scenes { try play(scene, on: terminal, stage, &film) }
    try film.svg.write(toFile: output, atomically: true, encoding: .utf8)
  }

  private func play(
    _ scene: Scene, on terminal: PseudoTerminal, _ stage: Stage, _ film: inout ScreenFilm
  ) throws {
    if let arguments = scene.run { try stage.run(arguments) }
    for letter in scene.type ?? "" {
      try Self.press(String(letter), on: terminal)
      film.show(terminal.screen, for: Scene.secondsPerLetter)
    }
    if let key = scene.press {
      for time in 1...max(scene.times ?? 1, 1) {
        if time > 1 { film.show(terminal.screen, for: Scene.secondsPerKey) }
        try Self.press(key, on: terminal)
      }
    }
    try terminal.wait(for: scene.shows)
    film.show(terminal.screen, for: scene.seconds)
  }

  /// Presses a key and waits until the screen is another one.
  private static func press(_ key: String, on terminal: PseudoTerminal) throws {
    let before = terminal.screen
    try terminal.type(key)
    try terminal.wait(for: "what the key \(key.debugDescription) does") {
      $0.cells != before.cells || $0.cursor != before.cursor
    }
  }
}

/// A line of a script: what is done, what the screen shows then, and for how long to look at it.
///
/// First another process is run, then letters are typed, then a key is pressed. The program takes its time, the picture
/// takes the times of the script.
private struct Scene: Decodable {
  static let secondsPerLetter = 0.07
  static let secondsPerKey = 0.4

  /// The arguments of a command that another process carries out.
  var run: [String]?
  /// Letters that are typed one after the other.
  var type: String?
  /// What a single key sends.
  var press: String?
  /// How often that key is pressed; once unless said.
  var times: Int?
  /// What the screen shows when it has done that.
  var shows: String
  /// How long it stays.
  var seconds: Double
}

/// The program, and the world that it is shown in.
private struct Stage {
  private let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appendingPathComponent("scrollback").path
  private let environment: [String: String]

  init(folder: URL) {
    environment = [
      "HOME": folder.path, "SCROLLBACK_STORE": folder.appendingPathComponent("store.db").path, "TZ": "UTC",
      "USER": "mira", "INPUTRC": "/dev/null",
    ]
  }

  func run(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = environment
    try process.run()
    process.waitUntilExit()
  }

  func terminal(_ arguments: [String]) throws -> PseudoTerminal {
    try PseudoTerminal(running: program, arguments, environment: environment, rows: 24, columns: 92)
  }
}

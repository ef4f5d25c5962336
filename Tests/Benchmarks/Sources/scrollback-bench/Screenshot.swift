import ArgumentParser
import Foundation
import TestSupport

/// `screenshot`: plays a script in `scrollback demo`, and draws what the terminal shows as SVG: a picture that plays, unless
/// there is only one scene.
struct Screenshot: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "screenshot", abstract: "Draw the demo as an SVG picture that plays.")

  @Argument(help: "The scenes, as JSON.")
  var script: String

  @Option(name: .shortAndLong, help: ArgumentHelp("Where to write the picture.", valueName: "file"))
  var output: String

  func run() throws {
    let scenes = try JSONDecoder().decode([Scene].self, from: Data(contentsOf: URL(filePath: script)))
    let home = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: home) }
    let terminal = try Self.demo(inHome: home)
    var film = ScreenFilm()
    for scene in scenes { try play(scene, on: terminal, &film) }
    try film.svg.write(toFile: output, atomically: true, encoding: .utf8)
    try terminal.type("\u{4}")
    _ = terminal.waitForExit()
  }

  private static func demo(inHome home: URL) throws -> PseudoTerminal {
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("scrollback").path
    let environment = ["HOME": home.path, "TZ": "UTC", "USER": "mira", "INPUTRC": "/dev/null"]
    return try PseudoTerminal(running: program, ["demo"], environment: environment, rows: 24, columns: 92)
  }

  private func play(_ scene: Scene, on terminal: PseudoTerminal, _ film: inout ScreenFilm) throws {
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
/// First letters are typed, then a key is pressed. The program takes its time, the picture takes the times of the script.
private struct Scene: Decodable {
  static let secondsPerLetter = 0.07
  static let secondsPerKey = 0.4

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

import Foundation
import TestSupport
import Testing

/// A folder with a store and a state of its own, and the program at work in it.
final class Desk {
  let folder: URL
  let environment: [String: String]

  /// Makes a store whose conversation `general` holds `count` messages of alice and bob, a minute apart from
  /// 2024-05-01 00:00 UTC, their texts their numbers, and then `texts`.
  init(count: Int = 200, texts: [String] = [], environment: [String: String] = [:]) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("scrollback-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    self.environment = [
      "HOME": folder.path, "SCROLLBACK_STORE": folder.appendingPathComponent("store.db").path, "TZ": "UTC",
      "USER": "carol", "INPUTRC": "/dev/null",
    ].merging(environment) { $1 }
    let history = folder.appendingPathComponent("history.jsonl")
    try Self.lines(count, texts).write(to: history, atomically: true, encoding: .utf8)
    try #require(run(["import", "--quiet", history.path]).status == 0)
    // Not the first run: no greeting.
    let state = folder.appendingPathComponent(".local/state/scrollback")
    try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
    try Data().write(to: state.appendingPathComponent("history"))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private static func lines(_ count: Int, _ texts: [String]) throws -> String {
    let start = Date(timeIntervalSince1970: 1_714_521_600)
    let format = ISO8601DateFormatter()
    let all = (0..<count).map { "message \($0 + 1)" } + texts
    let lines = try all.enumerated().map { index, text in
      let object = [
        "conversation": "general", "sender": index.isMultiple(of: 2) ? "alice" : "bob", "text": text,
        "time": format.string(from: start.addingTimeInterval(Double(index) * 60)),
      ]
      return String(decoding: try JSONEncoder().encode(object), as: UTF8.self)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Runs the program without a terminal.
  @discardableResult
  func run(_ arguments: [String], input: String = "") throws -> (
    output: String, errors: String, status: Int32
  ) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "scrollback"))
    process.arguments = arguments
    process.environment = environment
    let pipes = (Pipe(), Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (pipes.0, pipes.1, pipes.2)
    try process.run()
    try pipes.0.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try pipes.0.fileHandleForWriting.close()
    let output = pipes.1.fileHandleForReading.readDataToEndOfFile()
    let errors = pipes.2.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (
      String(decoding: output, as: UTF8.self), String(decoding: errors, as: UTF8.self),
      process.terminationStatus
    )
  }

  /// The path of the store.
  var store: String { folder.appendingPathComponent("store.db").path }

  /// Imports a history in JSON lines.
  func add(_ lines: String) throws {
    let history = folder.appendingPathComponent("\(UUID().uuidString).jsonl")
    try lines.write(to: history, atomically: true, encoding: .utf8)
    try #require(run(["import", "--quiet", history.path]).status == 0)
  }

  /// Another program that writes into `general`, a message for each line it is given.
  final class Writer {
    private let process = Process()
    private let pipe = Pipe()

    init(_ desk: Desk, as name: String) throws {
      process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "scrollback"))
      process.arguments = ["append", "--quiet", "-c", "general", "--from", name]
      process.environment = desk.environment
      process.standardInput = pipe
      try process.run()
    }

    /// Has it write a message, some time soon.
    func say(_ text: String) throws {
      try pipe.fileHandleForWriting.write(contentsOf: Data((text + "\n").utf8))
    }

    /// Waits until all is written.
    func finish() throws {
      try pipe.fileHandleForWriting.close()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0)
    }
  }

  /// Starts another program that writes.
  func writer(as name: String) throws -> Writer { try Writer(self, as: name) }

  /// Runs the program in a terminal, whatever it shows there.
  func start(
    _ arguments: [String] = [], rows: Int = 12, columns: Int = 60, environment more: [String: String] = [:]
  ) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      running: BuiltProduct.path(of: "scrollback"), arguments,
      environment: environment.merging(more) { $1 }, rows: rows, columns: columns)
    terminal.belongings = self
    return terminal
  }

  /// Opens the REPL in a terminal and waits for its first screen.
  func open(
    _ arguments: [String] = [], rows: Int = 12, columns: Int = 60, environment more: [String: String] = [:],
    prompt: String = ">"
  ) throws -> PseudoTerminal {
    let terminal = try start(arguments, rows: rows, columns: columns, environment: more)
    try terminal.wait(for: "the first screen") { screen in
      screen.isAlternate && screen.text(ofRow: rows - 1).hasPrefix(prompt) && screen.contains(" of ")
    }
    return terminal
  }
}

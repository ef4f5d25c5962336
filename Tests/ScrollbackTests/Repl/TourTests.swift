import Foundation
import ShellTesting
import TestSupport
import Testing

/// `scrollback demo` in a terminal: the tour, and what is left of it.
@Suite(.serialized) struct TourTests {
  private let fixture: ShellFixture
  private let temporary: URL

  init() throws {
    fixture = try ShellFixture(count: 0)
    temporary = fixture.folder.appending(path: "tmp")
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
  }

  private func start() throws -> PseudoTerminal {
    let terminal = try fixture.start(
      ["demo"], rows: 24, columns: 100, environment: ["TMPDIR": temporary.path])
    try terminal.wait(for: "1 of 10: PageUp")
    #expect(try leftovers().count == 1)
    return terminal
  }

  private func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: temporary.path)
  }

  @Test func `each of ten keys leads to the next, and leaving removes the store`() throws {
    let terminal = try start()
    let keys = [
      "\u{1B}[5~", "\u{1B}m", "\r", "\u{1B},", "\u{1B}[1;3F", "/search soup\r", "\u{1B}p", "\u{1B}c", "\r",
    ]
    for (number, key) in keys.enumerated() {
      try terminal.wait(for: "\(number + 1) of 10: ")
      try terminal.type(key)
    }
    try terminal.wait(for: "10 of 10: Ctrl-D")
    try terminal.type("\u{4}")
    #expect(terminal.waitForExit() == 0)
    #expect(try leftovers().isEmpty)
    // What was typed is not among the lines that the user typed elsewhere.
    let lines = fixture.folder.appending(path: ".local/state/scrollback/history")
    #expect(try Data(contentsOf: lines).isEmpty)
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func `a signal removes the store, too`(signal: Int32) throws {
    let terminal = try start()
    terminal.signal(signal)
    #expect(terminal.waitForExit() == 128 + signal)
    #expect(try leftovers().isEmpty)
  }

  @Test func `Ctrl-C empties the line, and leaving after it removes the store`() throws {
    let terminal = try start()
    try terminal.type("tea")
    try terminal.wait(for: "> tea")
    try terminal.type("\u{3}")
    try terminal.wait(for: "an empty line") { $0.text(ofRow: 23) == ">" }
    try terminal.type("\u{4}")
    #expect(terminal.waitForExit() == 0)
    #expect(try leftovers().isEmpty)
  }

  @Test func `a reader of the printed tour that goes away leaves no store either`() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", #""$0" demo | head -n 1"#, BuiltProduct.path(of: "scrollback")]
    process.environment = fixture.environment.merging(
      ["TMPDIR": temporary.path, "PATH": "/usr/bin:/bin"]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(text == "> /conversations\n")
    #expect(try leftovers().isEmpty)
  }
}

import Foundation
import ShellTesting
import TestSupport
import Testing

/// The window without a line to type in.
@Suite(.serialized) struct ViewTests {
  @Test(arguments: [(5, 20), (12, 60), (30, 120)])
  func `the keys of less read a history`(rows: Int, columns: Int) throws {
    let terminal = try view(try ShellFixture(), rows: rows, columns: columns)
    let page = TerminalModel.messageRows(rows: rows, columns: columns).count
    for (keys, shown) in [
      ("g", " 1 of 200"), ("50%", "101 of 200"), (" ", "\(101 + page) of 200"), ("b", "101 of 200"),
      ("j", "102 of 200"), ("2k", "100 of 200"), ("G", "200 of 200"), ("7g", " 7 of 200"),
      (":goto 30\r", " 30 of 200"), ("''", " 7 of 200"),
    ] where columns >= 60 || !" bjk".contains(keys.last ?? " ") {
      try terminal.type(keys)
      try terminal.wait(for: shown)
    }
    try terminal.type("q")
    #expect(terminal.waitForExit() == 0)
    #expect(!terminal.screen.isAlternate && terminal.screen.modes.isEmpty)
    #expect(terminal.screen.unknownSequences.isEmpty)
  }

  @Test func `searching goes on in its direction`() throws {
    let texts = (1...30).map { "note \($0)\($0 % 10 == 0 ? " tea" : "")" }
    let fixture = try ShellFixture(count: 0, texts: texts)
    let terminal = try view(fixture, rows: 12, columns: 60)
    try terminal.type("g/tea")
    try terminal.wait(for: "the words typed") { $0.lines.last == "/tea" }
    try terminal.type("\r")
    try terminal.wait(for: "a hit") { $0.contains(" of 3") && $0.contains("note 10 tea") }
    try terminal.type("n")
    try terminal.wait(for: "note 20 tea")
    try terminal.type("n")
    try terminal.wait(for: "note 30 tea")
    try terminal.type("n")
    try terminal.wait(for: "no other hit in this direction")
    try terminal.type("N")
    try terminal.wait(for: "note 17")
  }

  @Test func `a view finds what is being typed, and Escape returns`() throws {
    let texts = (1...30).map { "note \($0)\($0 == 10 ? " teapot" : "")" }
    let terminal = try view(try ShellFixture(count: 0, texts: texts), rows: 8, columns: 60)
    try terminal.type("?tea")
    try terminal.wait(for: "a hit") { $0.contains("note 10 teapot") && $0.contains("1 of 1") }
    #expect(terminal.screen.lines.last == "?tea")
    try terminal.type("\u{1B}")
    try terminal.wait(for: "the newest") { $0.contains("30 of 30") && $0.contains("note 30") }
  }

  @Test func `nothing is written, and marks are single letters`() throws {
    let terminal = try view(try ShellFixture(), rows: 12, columns: 100)
    try terminal.type("12gma")
    try terminal.wait(for: "mark 'a set")
    try terminal.type("G'a")
    try terminal.wait(for: "message 12")
    try terminal.type(":delete c\r")
    try terminal.wait(for: "nothing is written in a view")
  }

  @Test(arguments: [(6, 40), (12, 60), (30, 100)])
  func `the help is of the keys here, and q puts it away before it leaves`(rows: Int, columns: Int) throws {
    let terminal = try view(try ShellFixture(), rows: rows, columns: columns)
    for (keys, shown) in [("h", "j k, Down Up"), (":days\r", "2024-05-01"), (":help goto\r", ":goto DATE")] {
      try terminal.type(keys)
      try terminal.wait(for: shown)
      try terminal.type("q")
      try terminal.wait(for: "the messages") { $0.contains("200 of 200") }
    }
    try terminal.type("q")
    #expect(terminal.waitForExit() == 0)
  }

  @Test func `it may be stopped, resized and gone on with`() throws {
    let terminal = try view(try ShellFixture(), rows: 12, columns: 60)
    try terminal.type("\u{1A}")
    terminal.waitForStop()
    terminal.signal(SIGCONT)
    try terminal.wait(for: "the window") { $0.isAlternate && $0.contains("message 200") }
    terminal.resize(rows: 6, columns: 40)
    try terminal.wait(for: "the new size") {
      $0.text(ofRow: 4).contains("200 of 200") && $0.text(ofRow: 5) == ":"
    }
    try terminal.type("/abc\u{3}")
    try terminal.wait(for: "no prompt") { $0.text(ofRow: 5) == ":" }
    terminal.signal(SIGTERM)
    #expect(terminal.waitForExit() == 128 + SIGTERM)
  }

  private func view(_ fixture: ShellFixture, rows: Int, columns: Int) throws -> PseudoTerminal {
    let terminal = try fixture.start(["--view"], rows: rows, columns: columns)
    try terminal.wait(for: "the first screen") {
      $0.isAlternate && $0.text(ofRow: rows - 1) == ":" && $0.contains(" of ")
    }
    return terminal
  }
}

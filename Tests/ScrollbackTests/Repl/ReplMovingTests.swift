import Foundation
import ShellTesting
import TestSupport
import Testing

/// Moving about, in the real program in a terminal, while others write.
@Suite(.serialized) struct ReplMovingTests {
  private static let sizes = [(5, 20), (12, 60), (24, 80), (50, 132)]

  @Test(arguments: sizes)
  func `every key moves as it says while messages come in`(rows: Int, columns: Int) throws {
    let fixture = try ShellFixture(count: 500)
    let terminal = try fixture.open(rows: rows, columns: columns)
    let page = TerminalModel.messageRows(rows: rows, columns: columns).count
    let others = try fixture.writer(as: "dave")
    try terminal.type("a line being typed")
    for (keys, number) in [
      ("\u{1B}[1;5H", 1), ("\u{1B}[6~", 1 + page), ("\u{1B}[6;3~", 4 + page), ("\u{1B}[1;3B", 5 + page),
      ("\u{1B}[1;3A", 4 + page), ("\u{1B}[5;3~", 1 + page), ("\u{1B}[<65;1;1M", 4 + page), ("\u{1B}[5~", 4),
      ("\u{1B}[1;3H", 1),
    ] where columns >= 60 || abs(number) == 1 {
      try others.say("from elsewhere")
      try terminal.type(keys)
      try terminal.wait(for: "message \(number) at the top after \(keys.dropFirst())") {
        $0.messageLines[0].hasSuffix(" message \(number)")
          || $0.messageLines.prefix(3).joined(separator: " ").contains("message \(number)")
      }
      #expect(terminal.screen.lines.last?.hasSuffix("a line being typed".suffix(columns / 2)) == true)
    }
    try others.finish()
    try terminal.type("\u{1B}[1;3F")
    try terminal.wait(for: "what came in meanwhile") {
      $0.lines.dropLast(2).joined(separator: " ").contains("elsewhere")
    }
    #expect(terminal.screen.unknownSequences.isEmpty && terminal.screen.bells == 0)
  }

  @Test(arguments: sizes)
  func `what is typed behind /search is found, and Ctrl-C returns`(rows: Int, columns: Int) throws {
    let texts = (1...100).map { "note \($0)\($0 == 30 ? " lighthouse" : "")" }
    let fixture = try ShellFixture(texts: texts)
    let terminal = try fixture.open(rows: rows, columns: columns)
    let others = try fixture.writer(as: "dave")
    try terminal.type("/search lig")
    try terminal.wait(for: "the hit") {
      $0.contains("1 of 1") && $0.lines.joined(separator: " ").contains("lighthouse")
    }
    try others.say("not this")
    try others.finish()
    try terminal.type("htx")
    try terminal.wait(for: "nothing found")
    try terminal.type("\u{7F}")
    try terminal.wait(for: "1 of 1")
    try terminal.type("\u{3}")
    try terminal.wait(for: "the place before") {
      $0.lines.last == ">" && $0.lines.contains { $0.contains("dave") }
    }
  }

  @Test func `who holds a key down sees where it goes`() throws {
    let terminal = try ShellFixture(count: 3_000).open()
    let before = terminal.screen.updateCount
    let keys = [("\u{1B}[5~", 100), ("\u{1B}[6~", 800), ("x", 1)].map { String(repeating: $0, count: $1) }
    try terminal.type(keys.joined())
    try terminal.wait(for: "all keys to be done") { $0.lines.last == "> x" && $0.contains("3,000 of 3,000") }
    #expect(terminal.screen.updateCount > before + 2)
  }

  @Test func `back and forward, marks and dates lead where they say`() throws {
    let terminal = try ShellFixture(count: 3_000).open(columns: 80)
    for (line, shown) in [
      ("/goto 2024-05-02", "1,441 of 3,000"), ("/goto 14:30", "2,311 of 3,000"),
      ("/goto -24h", "871 of 3,000"),
      ("/goto +1h", "931 of 3,000"), ("/mark here", "mark 'here set"), ("/goto 0%", " 1 of 3,000"),
      ("/back", "931 of 3,000"), ("/forward", " 1 of 3,000"), ("/goto 'here", "931 of 3,000"),
      ("/goto 2031-01-01", "this is the last one, of 2024-05-03"), ("/goto 50%", "1,501 of 3,000"),
      ("/goto yesterday", "this is the last one"),
      ("/goto #1", "is not in this conversation; showing the nearest"),
      ("/goto nowhere", "cannot use 'nowhere'"),
    ] {
      try terminal.type("\u{15}\(line)\r")
      try terminal.wait(for: shown)
    }
    #expect(terminal.screen.lines.last == ">")
  }

  @Test func `a view that does not follow stays, and a frozen one counts`() throws {
    let fixture = try ShellFixture()
    let terminal = try fixture.open(columns: 80)
    try terminal.type("/follow off\r")
    try terminal.wait(for: "an empty line") { $0.lines.last == ">" }
    try fixture.run(["append", "--from", "dave", "one"])
    try terminal.wait(for: "↓ 1 new")
    #expect(!terminal.screen.contains("dave"))
    try terminal.type("/follow on\r/bottom\r")
    try terminal.wait(for: "dave  one")
    try terminal.type("/freeze on\r")
    try terminal.wait(for: "frozen: +0 −0 ~0")
    try fixture.run(["append", "--from", "dave", "two"])
    try terminal.wait(for: "frozen: +1 −0 ~0")
    try terminal.type("/top\r")
    try terminal.wait(for: " 1 of 201")
    try terminal.type("/freeze off\r/bottom\r")
    try terminal.wait(for: "dave  two")
  }

  @Test func `help teaches, also the command asked for`() throws {
    let fixture = try ShellFixture()
    try fixture.run(["append", "-c", "random", "--create", "hi"])
    let terminal = try fixture.open(["general"], rows: 24, columns: 80)
    try terminal.type("/help\r")
    try terminal.wait(for: "/goto DATE")
    try terminal.type("/help goto\r")
    try terminal.wait(for: "half way from the oldest to the newest")
    try terminal.type("/open generla\r")
    try terminal.wait(for: "no conversation 'generla'; did you mean 'general'?")
    #expect(terminal.screen.lines.last == ">")
    try terminal.type("\u{15}/open random\r")
    try terminal.wait(for: " random  1 of 1")
  }
}

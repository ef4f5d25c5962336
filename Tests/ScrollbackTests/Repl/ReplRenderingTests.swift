import Foundation
import ShellTesting
import TestSupport
import Testing

/// What messages look like, in the real program in a terminal.
@Suite(.serialized) struct ReplRenderingTests {
  /// A message of each sort, three days before and after the turn of a month.
  private static let history = """
    {"id":"1","time":"2024-04-30T22:30:00Z","sender":"alice","text":"shall we meet at the lighthouse?"}
    {"id":"2","time":"2024-04-30T23:10:00Z","sender":"bob","text":"Yes. The text hangs from its column however long it is, and 世界 keeps its width 👩‍👩‍👧 too.","replyTo":"1"}
    {"id":"3","time":"2024-05-01T08:00:00Z","sender":"alice","kind":"action","text":"waves","reactions":[{"emoji":"👍","senders":["bob","carol"]}]}
    {"id":"4","time":"2024-05-01T08:05:00Z","sender":"eve","kind":"join","text":"has joined"}
    {"id":"5","time":"2024-05-01T08:06:00Z","sender":"bob","text":"see https://example.org/map now","attachments":[{"name":"chart.png","type":"image/png","bytes":2048}]}
    {"id":"6","time":"2024-05-01T08:07:00Z","sender":"bob","text":"edited by now","edits":[{"time":"2024-05-01T08:06:30Z","text":"first"}]}
    {"id":"7","time":"2024-05-01T08:08:00Z","sender":"alice","text":"\(String(repeating: "long words ", count: 300))"}
    {"id":"8","time":"2024-05-01T08:09:00Z","sender":"alice","text":"a\\tb\\tc\\u000304red\\u0003 e\\u0301\\u0301"}

    """

  private func fixture() throws -> ShellFixture {
    let fixture = try ShellFixture(
      holding: Self.history.replacing("{\"id\"", with: "{\"conversation\":\"general\",\"id\""))
    return fixture
  }

  @Test(arguments: [(24, 80), (30, 132), (40, 60)])
  func `days, replies, reactions, files, edits and folded messages have their rows`(
    rows: Int, columns: Int
  ) throws {
    let terminal = try fixture().open(rows: rows, columns: columns)
    let screen = terminal.screen
    #expect(screen.contains(" more characters") && screen.contains("edited by now (edited)"))
    try terminal.type("/top\r")
    try terminal.wait(for: "── Tuesday, 2024-04-30 ──")
    let lines = terminal.screen.lines
    let rule = try #require(lines.first { $0.hasPrefix("── Tuesday") })
    #expect(rule.count >= columns - 1 && rule.prefix(columns - 1).hasSuffix("──"))
    for text in [
      "↪ alice: shall we meet at the ", "── Wednesday, 2024-05-01 ──", "*  alice waves", "👍 2",
      "eve has joined", "see https://example.org/map now", "[file] chart.png · image/png · 2",
    ] {
      #expect(lines.contains { $0.contains(text) }, "\(text)\n\(terminal.screen.picture)")
    }
    // What is wrapped hangs below where the text begins, also behind wide letters.
    let first = try #require(lines.firstIndex { $0.contains("bob  ↪") })
    let column = try #require(terminal.screen.cells[first].firstIndex { $0.text == "↪" })
    let text = terminal.screen.cells[first + 1]
    #expect(text[..<column].allSatisfy { $0.text == " " } && text[column].text == "Y")
    #expect(terminal.screen.unknownSequences.isEmpty)
  }

  @Test func `links can be opened where the terminal is known to`() throws {
    let with = try fixture().open(environment: ["TERM_PROGRAM": "WezTerm"])
    let without = try fixture().open()
    let link = Array(";https://example.org/map\u{1B}\\".utf8)
    for terminal in [with, without] {
      try terminal.type("/goto 5\r")
      try terminal.wait(for: "5 of 8")
    }
    #expect(with.output.firstRange(of: link) != nil && without.output.firstRange(of: link) == nil)
  }

  @Test func `a sender has the same colour in each run, and hits stand out`() throws {
    let fixture = try fixture()
    var colors: [String] = []
    for _ in 1...2 {
      let terminal = try fixture.open(rows: 24, columns: 80)
      try terminal.type("/search lighthouse\r")
      try terminal.wait(for: "1 of 1")
      let screen = terminal.screen
      let row = try #require(screen.lines.firstIndex { $0.contains("alice  shall") })
      colors += Set(
        screen.cells[row].filter { $0.rendition.isBold && !$0.rendition.standsOut }.map(\.rendition.color))
      #expect(screen.cells[row].filter(\.rendition.standsOut).map(\.text).joined() == "▸lighthouse")
    }
    #expect(colors.count == 2 && colors[0] == colors[1] && colors[0].hasPrefix("38;5;"))
  }

  @Test func `times are those of the zone asked for`() throws {
    let terminal = try fixture().open(["--time-zone", "Asia/Tokyo"], rows: 24)
    try terminal.type("/top\r")
    try terminal.wait(for: "07:30")
    #expect(terminal.screen.messageLines[0].hasPrefix("── Wednesday, 2024-05-01"))
    #expect(!terminal.screen.contains("Tuesday"))
  }

  @Test func `what has not been read is marked, and Alt-u goes there`() throws {
    let fixture = try ShellFixture(count: 60)
    let first = try fixture.open()
    try first.type("\u{4}")
    #expect(first.waitForExit() == 0)
    for number in 1...30 { try fixture.run(["append", "--from", "dave", "unread \(number)"]) }
    let second = try fixture.open()
    #expect(second.screen.contains("unread 30") && !second.screen.contains("── new"))
    try second.type("\u{1B}u")
    try second.wait(for: "the mark") { $0.contains("── new ──") && $0.contains("unread 1") }
    // What was unread when it was opened stays so to find the way back.
    try second.type("/bottom\r")
    try second.wait(for: "90 of 90")
    try second.type("/goto unread\r")
    try second.wait(for: "the mark again") { $0.contains("── new ──") }
  }

  @Test(arguments: [(8, 40), (12, 60), (24, 132)])
  func `what is unread stays so until it was on the screen`(rows: Int, columns: Int) throws {
    let fixture = try ShellFixture(count: 60)
    let first = try fixture.open(rows: rows, columns: columns)
    try first.type("\u{4}")
    #expect(first.waitForExit() == 0)
    let writer = try fixture.writer(as: "dave")
    for number in 1...60 { try writer.say("unread \(number)") }
    try writer.finish()
    for _ in 1...2 {
      // Opened at the newest edge and left: the messages above have not been seen.
      let terminal = try fixture.open(rows: rows, columns: columns)
      try terminal.wait(for: "the hint") { $0.text(ofRow: rows - 2).contains("↑ unread") }
      try terminal.type("\u{4}")
      #expect(terminal.waitForExit() == 0)
    }
    let terminal = try fixture.open(rows: rows, columns: columns)
    try terminal.type("\u{1B}u")
    try terminal.wait(for: "the mark") { $0.contains("── new ──") && $0.contains("unread 1") }
    for _ in 0..<(60 / (rows - 2) + 1) { try terminal.type("\u{1B}[6~") }
    try terminal.wait(for: "the newest") { $0.contains("120 of 120") && !$0.contains("↑ unread") }
    try terminal.type("\u{4}")
    #expect(terminal.waitForExit() == 0)
    let last = try fixture.open(rows: rows, columns: columns)
    #expect(!last.screen.contains("↑ unread"))
  }

  @Test func `writing catches up, and what is imported counts as read`() throws {
    let fixture = try ShellFixture(count: 60)
    let first = try fixture.open()
    let writer = try fixture.writer(as: "dave")
    try first.type("/goto 5\r")
    try first.wait(for: " 5 of 60")
    for number in 1...30 { try writer.say("unread \(number)") }
    try writer.finish()
    try first.wait(for: "↓ 30 new")
    try first.type("I have seen it\r")
    try first.wait(for: "my message") { $0.contains("91 of 91") && !$0.contains("↑ unread") }
    try first.type("\u{4}")
    #expect(first.waitForExit() == 0)
    let times = (10...59).map { "2026-01-01T10:\($0):00Z" }
    try fixture.add(
      times.map { "{\"conversation\":\"general\",\"time\":\"\($0)\",\"text\":\"old\"}\n" }.joined())
    let second = try fixture.open()
    #expect(second.screen.contains("141 of 141") && !second.screen.contains("↑ unread"))
  }

  @Test(arguments: [(8, 30), (24, 80), (50, 132)])
  func `a folded message tells how to see it whole`(rows: Int, columns: Int) throws {
    let fixture = try ShellFixture(count: 5, texts: [String(repeating: "long ", count: 1_000) + "end"])
    let terminal = try fixture.open(rows: rows, columns: columns)
    let fold = try #require(terminal.screen.lines.last { $0.contains("… ") })
    let command = try #require(fold.split(separator: " ").last)
    #expect(fold.hasSuffix("/view \(command)"), "\(terminal.screen.picture)")
    try terminal.type("/view \(command)\r")
    try terminal.wait(for: "all of it") { $0.contains("· text ·") }
    for _ in 0..<200 where !terminal.screen.contains("end") { try terminal.type("\u{1B}[6~") }
    try terminal.wait(for: "long end")
  }

  @Test func `--color never and always are obeyed`() throws {
    func colors(_ choice: String) throws -> Set<String> {
      let terminal = try fixture().open(["--color", choice], environment: ["NO_COLOR": "1"])
      return Set(terminal.screen.cells.joined().map(\.rendition.color))
    }
    #expect(try colors("never") == [""])
    #expect(try colors("always").count > 1)
  }
}

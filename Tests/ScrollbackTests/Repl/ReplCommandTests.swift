import Foundation
import ShellTesting
import TestSupport
import Testing

/// The commands of the REPL, in the real program in a terminal.
@Suite(.serialized) struct ReplCommandTests {
  private let texts = (1...40).map { "about \($0 % 4 == 0 ? "tea" : "coffee") number \($0)" }

  @Test(arguments: [(5, 20), (12, 60), (40, 160)])
  func `a search goes to hits, tells how many there are, and back returns`(rows: Int, columns: Int) throws {
    let fixture = try ShellFixture(texts: texts)
    let terminal = try fixture.open(rows: rows, columns: columns)
    try terminal.type("/search tea\r")
    try terminal.wait(for: "the newest hit") {
      $0.contains("1 of 10") && $0.lines.joined(separator: " ").contains(" 40")
    }
    try terminal.type("\u{1B}p\u{1B}p")
    try terminal.wait(for: "a hit before") { screen in
      screen.contains("3 of 10") && screen.cells.dropLast(2).joined().contains { $0.rendition.standsOut }
        && screen.lines.joined(separator: " ").contains("32")
    }
    try terminal.type("/back\r")
    try terminal.wait(for: "where it began") { $0.lines.joined(separator: " ").contains(" 40") }
    #expect(terminal.screen.unknownSequences.isEmpty)
  }

  @Test func `a search counts what other programs append`() throws {
    let fixture = try ShellFixture(texts: texts)
    let terminal = try fixture.open()
    try terminal.type("/search tea\r")
    try terminal.wait(for: "'tea*' 1 of 10")
    try fixture.run(["append", "--from", "dave", "more tea"])
    try terminal.wait(for: "'tea*' 2 of 11")
    try terminal.type("/search regex:n.mber 1\\d\\b\r")
    try terminal.wait(for: "1 of 10")
    try terminal.type("/search nowhere\r")
    try terminal.wait(for: "nothing found for 'nowhere*'")
    #expect(terminal.screen.lines.last == ">")
  }

  @Test(arguments: [(5, 30), (12, 60), (24, 80)])
  func `a filter shows some messages, with its total`(rows: Int, columns: Int) throws {
    let fixture = try ShellFixture()
    let terminal = try fixture.open(rows: rows, columns: columns)
    try terminal.type("/goto 101\r")
    try terminal.wait(for: "101 of 200")
    try terminal.type("/filter from:al\t\r")
    try terminal.wait(for: "the filter") {
      $0.lines[rows - 2].contains("[from:al") && $0.messageLines[0].hasSuffix("message 101")
    }
    try terminal.type("/filter\r")
    try terminal.wait(for: "101 of 200")
  }

  @Test func `an edit comes into the line, and deleting can be undone`() throws {
    let fixture = try ShellFixture()
    let terminal = try fixture.open()
    try terminal.type("/edit j\r")
    try terminal.wait(for: "the old text") { $0.lines.last?.hasSuffix("message 200") == true }
    try terminal.type("!\r")
    try terminal.wait(for: "bob  message 200! (edited)")
    try terminal.type("/delete i\r")
    try terminal.wait(for: "deleted; /undo brings it back")
    #expect(!terminal.screen.contains("message 199"))
    try terminal.type("/undo\r")
    try terminal.wait(for: "message 199")
    try terminal.type("/react j 🎉\r")
    try terminal.wait(for: "🎉 1")
    try terminal.type("/copy j\r")
    try terminal.wait(for: "copied 12 characters")
    let copied = Array("\u{1B}]52;c;\(Data("message 200!".utf8).base64EncodedString())\u{7}".utf8)
    #expect(terminal.output.indices.contains { terminal.output[$0...].starts(with: copied) })
  }

  @Test func `marks and lists lead to places`() throws {
    let fixture = try ShellFixture()
    let terminal = try fixture.open()
    try terminal.type("/goto 70\r/mark here\r")
    try terminal.wait(for: "mark 'here set; /goto 'here returns here")
    try terminal.type("/bottom\r/goto 'h\t\r")
    try terminal.wait(for: "message 70")
    try terminal.type("/months\r")
    try terminal.wait(for: "2024-05  200")
    try terminal.type("/memory\r")
    try terminal.wait(for: "messages held")
    try terminal.type("/freeze on\r")
    try terminal.wait(for: "frozen: +0 −0 ~0")
  }

  @Test func `an import runs while the reader goes on`() throws {
    let fixture = try ShellFixture()
    let file = fixture.folder.appendingPathComponent("more.jsonl")
    let lines = (0..<30_000).map { index in
      """
      {"conversation":"general","time":"2024-06-\(10 + index % 20)T10:00:00Z","sender":"eve","text":"more \(index)"}

      """
    }
    try lines.joined().write(to: file, atomically: true, encoding: .utf8)
    let terminal = try fixture.open(columns: 100)
    try terminal.type("/import \(fixture.folder.path)/mor\t\r/goto 100\r")
    try terminal.wait(for: "message 100")
    try terminal.wait(for: "imported 30,000 (30,000 text) · of 30,000 records in 1 file")
    try terminal.type("/bottom\r")
    try terminal.wait(for: "30,200 of 30,200")
    try terminal.type("/filter from:eve\r")
    try terminal.wait(for: "30,000 of 30,000")
    try terminal.type("/export \(fixture.folder.path)/eve.csv\r")
    try terminal.wait(for: "exported 30,000 messages")
  }

  @Test func `settings are kept for the next run`() throws {
    let fixture = try ShellFixture()
    let first = try fixture.open()
    try first.type("/set me dave\r/set time-zone Asia/Tokyo\r")
    try first.wait(for: "time-zone = Asia/Tokyo")
    try first.type("\u{4}")
    #expect(first.waitForExit() == 0)
    let second = try fixture.open()
    #expect(second.screen.contains("12:19        alice  message 200") == false)
    try second.wait(for: "12:19")
    try second.type("hi\r")
    try second.wait(for: "dave  hi")
  }

  @Test(arguments: [[], ["--inline"], ["--plain"]])
  func `without a history nothing that is typed is kept`(options: [String]) throws {
    let fixture = try ShellFixture()
    let history = fixture.folder.appendingPathComponent(".local/state/scrollback/history")
    func session(_ options: [String], _ lines: String) throws {
      let terminal = try fixture.start(options)
      try terminal.wait(for: "message 200")
      try terminal.type("\(lines)/quit\r")
      #expect(terminal.waitForExit() == 0)
    }
    try session(options + ["--no-history"], "secret one\r")
    #expect(try Data(contentsOf: history).isEmpty)
    try session(options, "kept\r")
    #expect(try String(contentsOf: history, encoding: .utf8).contains("kept"))
    try session(options, "secret two\r/set history off\r")
    try session(options, "secret three\r")
    #expect(try !String(contentsOf: history, encoding: .utf8).contains("secret"))
    try session(options, "/set history on\rkept again\r")
    #expect(try String(contentsOf: history, encoding: .utf8).contains("kept again"))
  }

  @Test func `plain lines do without a screen, from now on`() throws {
    let fixture = try ShellFixture()
    let terminal = try fixture.open()
    try terminal.type("/set plain on\r")
    try terminal.wait(for: "the screen to be gone") { !$0.isAlternate }
    try terminal.type("/goto 7\r")
    try terminal.wait(for: "the prompt behind it") { $0.lines.last == ">" && $0.contains("alice  message 7") }
    try terminal.type("\u{4}")
    #expect(terminal.waitForExit() == 0)
    let next = try fixture.start()
    try next.wait(for: "j  2024-05-01 03:19:00  bob  message 200")
    try next.type("/goto 8\r")
    try next.wait(for: "bob  message 8")
    #expect(!next.output.contains(0x1B))
    try next.type("/set plain off\r")
    try next.wait(for: "the window") { $0.isAlternate && $0.contains("200 of 200") }
  }

  @Test func `the time that keys take is written down`() throws {
    let fixture = try ShellFixture()
    let file = fixture.folder.appendingPathComponent("trace")
    let terminal = try fixture.open(["--trace-latency", file.path])
    try terminal.type("\u{1B}[5~")
    try terminal.wait(for: "message 181")
    try terminal.type("/goto 50%\r")
    try terminal.wait(for: "101 of 200")
    try terminal.type("\u{4}")
    #expect(terminal.waitForExit() == 0)
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("pageOlder ") } && lines.contains { $0.hasPrefix("/goto ") })
    #expect(lines.allSatisfy { $0.split(separator: " ").last.flatMap { Int($0) } != nil })
  }
}

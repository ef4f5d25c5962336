import Foundation
import ShellTesting
import TestSupport
import Testing

/// The REPL without a window, in the real program in a terminal.
@Suite(.serialized) struct ReplInlineTests {
  private static let sizes = [(5, 20), (12, 60), (24, 80), (50, 132)]

  @Test(arguments: sizes)
  func `messages stay in the scrollback of the terminal`(rows: Int, columns: Int) throws {
    let fixture = try ShellFixture()
    let terminal = try fixture.start(["--inline"], rows: rows, columns: columns)
    try terminal.wait(for: "the prompt") { $0.lines.contains(">") }
    #expect(terminal.screen.lines.joined(separator: " ").contains("200"))
    try terminal.type("hello\r")
    try terminal.wait(for: "my message") { screen in
      screen.lines.contains { $0.contains("carol") && $0.hasSuffix("hello") } && screen.lines.contains(">")
    }
    try terminal.type("half a li")
    try terminal.wait(for: "> half a li")
    try fixture.run(["append", "--from", "dave", "ahoy"])
    try terminal.wait(for: "what came in, and the line below it") { screen in
      guard let row = screen.lines.lastIndex(where: { $0.contains("dave") && $0.hasSuffix("ahoy") }) else {
        return false
      }
      return screen.lines[(row + 1)...].first == "> half a li"
    }
    #expect(terminal.screen.lines.count { $0.hasPrefix("> half") } == 1, "\(terminal.screen.picture)")
    try terminal.type("\u{15}\u{4}")
    #expect(terminal.waitForExit() == 0)
    #expect(!terminal.screen.isAlternate && terminal.screen.modes.isEmpty)
    #expect(terminal.screen.contains("ahoy") && terminal.screen.unknownSequences.isEmpty)
    // It never was anywhere else.
    #expect(terminal.output.firstRange(of: Array("\u{1B}[?1049h".utf8)) == nil)
  }

  @Test func `what comes in while the reader is elsewhere is counted before the line`() throws {
    let fixture = try ShellFixture()
    let terminal = try fixture.start(["--inline"])
    try terminal.wait(for: "message 200")
    try terminal.type("/goto 50\r")
    try terminal.wait(for: "message 50")
    try terminal.type("wait")
    try terminal.wait(for: "> wait")
    try fixture.run(["append", "--from", "dave", "ahoy"])
    try terminal.wait(for: "↓ 1 new > wait")
    #expect(!terminal.screen.contains("ahoy"))
    try terminal.type("\u{15}/bottom\r")
    try terminal.wait(for: "dave  ahoy")
    try terminal.wait(for: "the prompt") { $0.lines.contains(">") }
  }

  @Test(arguments: ["--inline", "--plain"])
  func `back and forward print where jumps began, and what takes a window says so`(option: String) throws {
    let fixture = try ShellFixture()
    let terminal = try fixture.start([option], rows: 40, columns: 80)
    try terminal.wait(for: "message 200")
    try terminal.type("/goto 50\r/goto 70\r/back\r")
    try terminal.wait(for: "the place before, again") { $0.lines.count { $0.hasSuffix("message 50") } == 2 }
    try terminal.type("/forward\r")
    try terminal.wait(for: "the place after, again") { $0.lines.count { $0.hasSuffix("message 70") } == 2 }
    try terminal.type("/forward\r")
    try terminal.wait(for: "there is nothing to go forward to")
    try terminal.type("\u{15}/freeze on\r")
    try terminal.wait(for: "what was printed stays as it is")
    try terminal.wait(for: "a fresh line") { $0.lines.last { !$0.isEmpty } == ">" }
  }

  @Test(arguments: [("--inline", 60), ("--inline", 132), ("--plain", 80)])
  func `an import goes on while messages are read and written`(option: String, columns: Int) throws {
    let fixture = try ShellFixture()
    let file = fixture.folder.appendingPathComponent("more.jsonl")
    let lines = (0..<30_000).map { index in
      """
      {"conversation":"general","time":"2024-06-\(10 + index % 20)T10:00:00Z","sender":"eve","text":"more \(index)"}

      """
    }
    try lines.joined().write(to: file, atomically: true, encoding: .utf8)
    let terminal = try fixture.start([option], rows: 40, columns: columns)
    try terminal.wait(for: "the prompt") { $0.lines.contains(">") }
    try terminal.type("/import \(file.path)\r/view #0\r")
    try terminal.wait(for: "the end") { $0.lines.joined().contains("of 30,000 records in 1 file") }
    let answer = try #require(terminal.output.firstRange(of: Array("there is no message #0".utf8)))
    let end = try #require(terminal.output.firstRange(of: Array("imported 30,000".utf8)))
    #expect(answer.lowerBound < end.lowerBound)
    try terminal.type("\u{15}")
    try terminal.type("/import nowhere.jsonl\r")
    try terminal.wait(for: "a fresh line") {
      $0.contains("No such file") && $0.lines.last { !$0.isEmpty } == ">"
    }
    try terminal.type("\u{4}")
    #expect(terminal.waitForExit() == 0)
  }

  @Test func `letters call the messages printed last`() throws {
    let fixture = try ShellFixture()
    let terminal = try fixture.start(["--inline"])
    try terminal.wait(for: "i  03:19          bob  message 200")
    try terminal.type("/edit i\r")
    try terminal.wait(for: "the old text") {
      $0.lines.contains { $0.hasSuffix("message 200") && $0.hasPrefix("> /edit #") }
    }
    try terminal.type("!\r/bottom\r")
    try terminal.wait(for: "message 200! (edited)")
    try terminal.type("/nosuch\r")
    try terminal.wait(for: "there is no command '/nosuch'")
    try terminal.wait(for: "a fresh line") {
      $0.contains("try: /help") && $0.lines.last { !$0.isEmpty } == ">"
    }
    try terminal.type("/react i :tada:\r/view i\r")
    try terminal.wait(for: "🎉 carol")
  }

  @Test(arguments: [("--inline", "xterm-256color"), ("--plain", "xterm-256color"), ("--inline", "dumb")])
  func `what was done is said where no window shows it`(option: String, term: String) throws {
    let terminal = try ShellFixture().start([option], rows: 40, columns: 80, environment: ["TERM": term])
    try terminal.wait(for: "the prompt") { $0.contains("message 200") && $0.lines.contains(">") }
    for (line, answer) in [
      ("/react b 👍", "reacted with 👍"), ("/react b 👍", "removed 👍"),
      ("/delete b", "deleted; /undo brings it back"),
      ("/undo", "undone: the deletion of #"), ("/edit b other", "edited; /undo restores the old text"),
      ("/mark m", "mark 'm set; /goto 'm returns here"), ("/follow off", "new messages are only counted"),
      ("/follow on", "new messages are shown as they come"),
      ("/filter nix", "no filter has the name 'nix': showing messages with this word"),
    ] {
      try terminal.type(line + "\r")
      try terminal.wait(for: answer) { $0.lines.contains { $0.hasPrefix(answer) } && $0.lines.contains(">") }
    }
  }

  @Test func `it can be stopped, resized and ended, and the terminal is as before`() throws {
    let terminal = try ShellFixture().start(["--inline"])
    try terminal.wait(for: "message 200")
    try terminal.type("words")
    try terminal.wait(for: "> words")
    try terminal.type("\u{1A}")
    terminal.waitForStop()
    #expect(terminal.screen.modes.isEmpty)
    terminal.signal(SIGCONT)
    try terminal.wait(for: "the line") { $0.modes.contains(2004) && $0.lines.contains("> words") }
    terminal.resize(rows: 20, columns: 100)
    try terminal.type(" more")
    try terminal.wait(for: "> words more")
    terminal.signal(SIGTERM)
    #expect(terminal.waitForExit() == 128 + SIGTERM)
    #expect(terminal.screen.modes.isEmpty && terminal.screen.unknownSequences.isEmpty)
  }

  @Test func `the display mode can be changed and is kept`() throws {
    let fixture = try ShellFixture()
    let terminal = try fixture.open()
    try terminal.type("/set inline on\r")
    try terminal.wait(for: "rows without a window") { !$0.isAlternate && $0.contains("message 200") }
    try terminal.type("/set inline off\r")
    try terminal.wait(for: "the window") { $0.isAlternate && $0.contains("200 of 200") }
    try terminal.type("/set inline on\r")
    try terminal.wait(for: "rows without a window") {
      !$0.isAlternate && $0.lines.last == ">" && $0.lines[10].contains("message 200")
    }
    try terminal.type("\u{4}")
    #expect(terminal.waitForExit() == 0)
    let next = try fixture.start()
    try next.wait(for: "message 200")
    #expect(!next.screen.isAlternate)
    let view = try fixture.open(["--view"], prompt: ":")
    #expect(view.screen.isAlternate)
  }

  @Test func `plain lines have readline and no sequences`() throws {
    let fixture = try ShellFixture()
    let terminal = try fixture.start(["--plain"], columns: 80)
    try terminal.wait(for: "j  2024-05-01 03:19:00  bob  message 200")
    try terminal.type("/he\t")
    try terminal.wait(for: "> /help")
    try terminal.type("\u{15}typed\u{1}un\r")
    try terminal.wait(for: "carol  untyped")
    try fixture.run(["append", "--from", "dave", "ahoy"])
    try terminal.wait(for: "dave  ahoy")
    try terminal.type("/reply j yes\r")
    // Between two lines the terminal is not readline's, and takes the key for the end of a line.
    try terminal.wait(for: "the prompt behind the answer") {
      $0.lines.last == ">" && $0.contains("carol  yes")
    }
    try terminal.type("\u{4}")
    #expect(terminal.waitForExit() == 0)
    #expect(!terminal.output.contains(0x1B) && terminal.screen.lines.last { !$0.isEmpty } == ">")
  }

  @Test func `a terminal that knows no sequences gets plain lines`() throws {
    let fixture = try ShellFixture()
    let terminal = try fixture.start(environment: ["TERM": "dumb"])
    try terminal.type("/goto 7\r")
    try terminal.wait(for: "message 7")
    // All of it is there before the first line is carried out.
    try terminal.type("typed\r/bottom\r\u{4}")
    #expect(terminal.waitForExit() == 0)
    #expect(terminal.screen.contains("message 200") && terminal.screen.contains("carol  typed"))
    #expect(!terminal.output.contains(0x1B))
  }
}

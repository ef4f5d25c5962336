import Foundation
import ShellTesting
import TestSupport
import Testing

/// The real program in a terminal: keys typed, screen read.
@Suite(.serialized) struct ReplScreenTests {
  private let pageUp = "\u{1B}[5~"
  private let pageDown = "\u{1B}[6~"

  @Test func `it opens at the newest message and gives the terminal back`() throws {
    let terminal = try ShellFixture().open()
    #expect(
      Array(terminal.screen.lines[8...]) == [
        "i  03:18        alice  message 199", "j  03:19          bob  message 200",
        " general  200 of 200 · 2024-05-01 · 100 %", ">",
      ])
    try terminal.type("\u{4}")
    #expect(terminal.waitForExit() == 0)
    #expect(!terminal.screen.isAlternate && terminal.screen.modes.isEmpty && terminal.screen.isCursorVisible)
    #expect(terminal.screen.unknownSequences.isEmpty)
  }

  @Test(arguments: [(5, 30), (12, 60), (24, 80), (50, 200)])
  func `pages are as high as the window at any size`(rows: Int, columns: Int) throws {
    let terminal = try ShellFixture().open(rows: rows, columns: columns)
    let height = TerminalModel.messageRows(rows: rows, columns: columns).count
    try terminal.type(pageUp)
    try terminal.wait(for: "a page") { $0.contains("message \(200 - 2 * height + 1)") }
    #expect(terminal.screen.messageLines.last?.hasSuffix("message \(200 - height)") == true)
    try terminal.type(pageDown)
    try terminal.wait(for: "message 200")
  }

  @Test func `the smallest terminal shows a message, where it stands and the line`() throws {
    let terminal = try ShellFixture().open(rows: 5, columns: 20)
    #expect(
      terminal.screen.lines == [
        "        message 199", "a 03:19 bob: message", "        200", " general  200 of 200", ">",
      ])
  }

  @Test func `jumps go to numbers, dates, parts and ends`() throws {
    let terminal = try ShellFixture().open()
    for (command, status) in [
      ("/goto 50", " 50 of 200"), ("/goto 2024-05-01 02:00", "121 of 200"), ("/goto 50%", "101 of 200"),
      ("/top", " 1 of 200"), ("/bottom", "200 of 200"),
    ] {
      try terminal.type(command + "\r")
      try terminal.wait(for: status)
    }
    try terminal.type("\u{1B}[1;5H")
    try terminal.wait(for: " 1 of 200")
    try terminal.type("\u{1B}[1;3F")
    try terminal.wait(for: "200 of 200")
  }

  @Test func `what is typed is appended`() throws {
    let fixture = try ShellFixture()
    let terminal = try fixture.open()
    try terminal.type("hällo 世界 👍\r")
    try terminal.wait(for: "carol  hällo 世界 👍")
    #expect(terminal.screen.lines.last == ">")
    try terminal.type("\u{4}")
    #expect(terminal.waitForExit() == 0)
    #expect(try fixture.run(["tail", "-n", "1"]).output.hasSuffix("carol  hällo 世界 👍\n"))
  }

  @Test func `a paste of many lines is one message`() throws {
    let terminal = try ShellFixture().open()
    try terminal.wait(for: "bracketed paste") { $0.modes.contains(2004) }
    try terminal.type("\u{1B}[200~one\ntwo\u{1B}[201~")
    try terminal.wait(for: "one^Jtwo")
    try terminal.type("\r")
    try terminal.wait(for: "the message") { screen in
      screen.lines.contains { $0.hasSuffix("carol  one") } && screen.text(ofRow: 9).hasSuffix("   two")
    }
    try terminal.wait(for: "201 of 201")
  }

  @Test func `messages of other programs slide in above the line being typed`() throws {
    let fixture = try ShellFixture()
    let terminal = try fixture.open()
    try terminal.type("half a li")
    try terminal.wait(for: "> half a li")
    try fixture.run(["append", "--from", "dave", "from elsewhere"])
    try terminal.wait(for: "dave  from elsewhere")
    #expect(terminal.screen.lines.last == "> half a li")
    #expect(terminal.screen.cursor == TerminalModel.Position(row: 11, column: 11))
    try terminal.type(pageUp)
    try terminal.wait(for: "message 191")
    let before = terminal.screen.lines[..<10]
    try fixture.run(["append", "--from", "dave", "again"])
    try terminal.wait(for: "↓ 1 new")
    #expect(terminal.screen.lines[..<10] == before && terminal.screen.lines.last == "> half a li")
    try terminal.type("ne")
    try terminal.wait(for: "> half a line")
    try terminal.type(pageDown + pageDown)
    try terminal.wait(for: "dave  again")
  }

  @Test func `a resize draws everything again and keeps the line`() throws {
    let terminal = try ShellFixture().open()
    try terminal.type("/goto 50\rsome words")
    try terminal.wait(for: "> some words")
    for (rows, columns) in [(20, 100), (6, 30), (12, 60)] {
      terminal.resize(rows: rows, columns: columns)
      try terminal.wait(for: "\(rows) rows") { screen in
        screen.text(ofRow: rows - 1) == "> some words" && screen.text(ofRow: rows - 2).contains("50 of 200")
          && screen.messageLines[0].hasSuffix("message 50") && !screen.lines.dropLast().contains("")
      }
    }
  }

  @Test func `a line longer than the screen stays in its row`() throws {
    let terminal = try ShellFixture().open()
    try terminal.type(String(repeating: "long ", count: 40) + "end")
    try terminal.wait(for: "the end of the line") { $0.text(ofRow: 11).contains("end") }
    #expect(terminal.screen.text(ofRow: 10).contains("200 of 200"))
    #expect(terminal.screen.text(ofRow: 9).hasSuffix("message 200"))
  }

  @Test func `Ctrl-C clears the line and nothing else`() throws {
    let terminal = try ShellFixture().open()
    try terminal.type("not this")
    try terminal.wait(for: "> not this")
    try terminal.type("\u{3}")
    try terminal.wait(for: "an empty line") { $0.text(ofRow: 11) == ">" }
    try terminal.type("but this\r")
    try terminal.wait(for: "carol  but this")
  }

  @Test func `Tab completes commands and names`() throws {
    let terminal = try ShellFixture().open()
    try terminal.type("/he\t")
    try terminal.wait(for: "> /help")
    try terminal.type("\u{15}/open gen\t")
    try terminal.wait(for: "> /open general")
    try terminal.type("\u{15}/o\t\t")
    try terminal.wait(for: "/older  /open")
    #expect(terminal.screen.text(ofRow: 10).contains("200 of 200"))
    try terminal.type("l")
    try terminal.wait(for: "the messages") {
      $0.lines.last == "> /ol" && $0.text(ofRow: 9).hasSuffix("message 200")
    }
    try terminal.type("\u{15}/\t\t")
    try terminal.wait(for: "the first commands") { $0.contains("1–15 of") && $0.contains("/attach") }
    while !terminal.screen.contains("/view") {
      let before = terminal.screen.lines
      try terminal.type("\t")
      try terminal.wait(for: "more of them") { $0.lines != before && $0.lines.last == "> /" }
    }
    try terminal.type("\u{1B}[D")
    try terminal.wait(for: "the messages, the line as it was") {
      $0.contains("200 of 200") && $0.text(ofRow: 9).hasSuffix("message 200") && $0.lines.last == "> /"
    }
  }

  @Test func `errors are said in the status line, and the line is in the history`() throws {
    let terminal = try ShellFixture().open()
    try terminal.type("/gooto 5\r")
    try terminal.wait(for: "there is no command '/gooto' — try: /goto")
    #expect(terminal.screen.lines.last == ">")
    try terminal.type("\u{10}")
    try terminal.wait(for: "the line again") { $0.lines.last == "> /gooto 5" }
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func `a signal to end gives the terminal back`(signal: Int32) throws {
    let terminal = try ShellFixture().open()
    terminal.signal(signal)
    #expect(terminal.waitForExit() == 128 + signal)
    #expect(!terminal.screen.isAlternate && terminal.screen.modes.isEmpty)
  }

  @Test func `a crash gives the terminal back`() throws {
    let terminal = try ShellFixture().open(environment: ["SWIFT_BACKTRACE": "enable=no"])
    terminal.signal(SIGSEGV)
    #expect(terminal.waitForExit() == 128 + SIGSEGV)
    #expect(!terminal.screen.isAlternate && terminal.screen.modes.isEmpty)
  }

  @Test func `Ctrl-Z gives the terminal to the shell until the program goes on`() throws {
    let terminal = try ShellFixture().open()
    try terminal.type("words")
    try terminal.wait(for: "> words")
    try terminal.type("\u{1A}")
    terminal.waitForStop()
    #expect(!terminal.screen.isAlternate)
    terminal.signal(SIGCONT)
    try terminal.wait(for: "the window") {
      $0.isAlternate && $0.contains("> words") && $0.contains("message 200")
    }
  }

  @Test func `the inputrc binds other keys`() throws {
    let fixture = try ShellFixture()
    let inputrc = fixture.folder.appendingPathComponent("inputrc")
    try "$if scrollback\n\"\\C-p\": scrollback-page-older\n$endif\n".write(
      to: inputrc, atomically: true, encoding: .utf8)
    let terminal = try fixture.open(environment: ["INPUTRC": inputrc.path])
    try terminal.type("\u{10}")
    try terminal.wait(for: "message 181")
  }

  @Test func `Ctrl-N and Ctrl-P choose in a list, and are lines typed before elsewhere`() throws {
    let terminal = try ShellFixture().open(columns: 80)
    try terminal.type("/goto 50%\r")
    try terminal.wait(for: "101 of 200")
    try terminal.type("\u{1B}c")
    try terminal.wait(for: "Enter opens")
    try terminal.type("\u{10}")
    try terminal.wait(for: " 1 of 2")
    try terminal.type("\u{E}")
    try terminal.wait(for: " 2 of 2")
    try terminal.type("\u{1B}")
    try terminal.wait(for: "101 of 200")
    try terminal.type("\u{10}")
    try terminal.wait(for: "> /goto 50%")
  }

  @Test func `Shift-Up and Alt-v select messages, arrows extend, and /copy takes them`() throws {
    let terminal = try ShellFixture().open(columns: 80)
    try terminal.type("\u{1B}[1;2A")
    try terminal.wait(for: "1 message selected")
    try terminal.type("\u{1B}[1;2A")
    try terminal.wait(for: "2 messages selected")
    try terminal.type("\u{1B}[A")
    try terminal.wait(for: "3 messages selected")
    try terminal.type("/copy\r")
    try terminal.wait(for: "copied")
    // Arrows are the line's again.
    try terminal.type("\u{1B}[A")
    try terminal.wait(for: "> /copy")
    try terminal.type("\u{15}\u{1B}v")
    try terminal.wait(for: "1 message selected")
    try terminal.type("\u{1B}")
    try terminal.wait(for: "200 of 200")
  }

  @Test func `Alt-comma goes back to where a jump began`() throws {
    let terminal = try ShellFixture().open(columns: 80)
    try terminal.type("/goto 50%\r")
    try terminal.wait(for: "101 of 200")
    try terminal.type("\u{1B},")
    try terminal.wait(for: "200 of 200")
  }

  @Test func `vi mode moves the same way`() throws {
    let fixture = try ShellFixture()
    let inputrc = fixture.folder.appendingPathComponent("inputrc")
    try "set editing-mode vi\n".write(to: inputrc, atomically: true, encoding: .utf8)
    let terminal = try fixture.open(environment: ["INPUTRC": inputrc.path])
    try terminal.type("hello" + pageUp)
    try terminal.wait(for: "a page") { $0.contains("message 181") && $0.contains("> hello") }
  }

  @Test func `normal mode of vi moves the view while nothing is typed, and i goes back to the line`() throws {
    let fixture = try ShellFixture()
    let inputrc = fixture.folder.appendingPathComponent("inputrc")
    try "set editing-mode vi\n".write(to: inputrc, atomically: true, encoding: .utf8)
    let terminal = try fixture.open(rows: 24, columns: 80, environment: ["INPUTRC": inputrc.path])
    try terminal.type("\u{1B}")
    try terminal.type("g")
    try terminal.wait(for: " 1 of 200")
    try terminal.type("\u{4}")
    try terminal.wait(for: "half a page") { !$0.contains(" 1 of 200") && $0.contains(" of 200") }
    try terminal.type("\u{15}")
    try terminal.wait(for: " 1 of 200")
    try terminal.type("\u{6}")
    try terminal.wait(for: "a page") { !$0.contains(" 1 of 200") }
    try terminal.type("\u{2}")
    try terminal.wait(for: " 1 of 200")
    try terminal.type("3j")
    try terminal.wait(for: "three rows") { !$0.contains(" 1 of 200") }
    try terminal.type("3k")
    try terminal.wait(for: " 1 of 200")
    try terminal.type("50G")
    try terminal.wait(for: " 50 of 200")
    try terminal.type("\u{F}")
    try terminal.wait(for: " 1 of 200")
    try terminal.type("3\u{5}")
    try terminal.wait(for: "three rows") { !$0.contains(" 1 of 200") }
    try terminal.type("3\u{19}")
    try terminal.wait(for: " 1 of 200")
    try terminal.type("ma\r\u{1B}")
    try terminal.type("G")
    try terminal.wait(for: "200 of 200")
    try terminal.type("'a\r\u{1B}")
    try terminal.wait(for: " 1 of 200")
    try terminal.type(":150\r\u{1B}")
    try terminal.wait(for: "150 of 200")
    try terminal.type("G")
    try terminal.wait(for: "200 of 200")
    try terminal.type("v")
    try terminal.wait(for: "1 message selected")
    try terminal.type("vk")
    try terminal.wait(for: "2 messages selected")
    try terminal.type("y\r")
    try terminal.wait(for: "copied")
    try terminal.type("\u{1B}")
    try terminal.type("/")
    try terminal.wait(for: "a search") { $0.lines.last?.hasPrefix("> /search") == true }
    try terminal.type("message\r")
    try terminal.wait(for: "' 1 of 200")
    try terminal.type("\u{1B}")
    try terminal.type("n")
    try terminal.wait(for: "the next older hit") { $0.contains("' 2 of 200") }
    try terminal.type("N")
    try terminal.wait(for: "the newer hit") { !$0.contains("' 2 of 200") }
    // What is typed is edited, and k is the line before.
    try terminal.type("iabc")
    try terminal.wait(for: "what is typed") { $0.lines.last == "> abc" }
    try terminal.type("\u{1B}")
    try terminal.type("k")
    try terminal.wait(for: "the line before") { $0.lines.last == "> /search message" }
  }

  @Test func `letters are whole in the C locale`() throws {
    let terminal = try ShellFixture().open(environment: ["LANG": "C", "LC_ALL": "C"])
    try terminal.type("für")
    try terminal.wait(for: "> für")
    try terminal.type("\u{7F}\u{7F}o")
    try terminal.wait(for: "> fo")
  }

  @Test func `Alt-Enter begins a new line and Ctrl-X Ctrl-E opens an editor`() throws {
    let fixture = try ShellFixture()
    let editor = fixture.folder.appendingPathComponent("editor")
    try "#!/bin/sh\necho 'from the editor' >> \"$1\"\n".write(to: editor, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: editor.path)
    let terminal = try fixture.open(environment: ["EDITOR": editor.path])
    try terminal.type("one\u{1B}\rtwo")
    try terminal.wait(for: "> one^Jtwo")
    try terminal.type("\u{18}\u{5}")
    try terminal.wait(for: "> one^Jtwo^Jfrom the editor")
    try terminal.type("\r")
    try terminal.wait(for: "the message") { $0.text(ofRow: 9).hasSuffix("from the editor") }
  }

  @Test func `a first run says how to go on`() throws {
    let fixture = try ShellFixture()
    try FileManager.default.removeItem(at: fixture.folder.appendingPathComponent(".local"))
    let terminal = try fixture.open()
    #expect(terminal.screen.lines[0].hasPrefix(" PageUp and PageDown scroll"))
    #expect(terminal.screen.contains("message 200") && terminal.screen.lines[3].hasSuffix("message 194"))
    try terminal.type("h")
    try terminal.wait(for: "message 191")
    #expect(terminal.screen.lines.last == "> h" && !terminal.screen.contains("PageUp"))
  }

  @Test func `the mouse wheel scrolls three rows`() throws {
    let terminal = try ShellFixture().open()
    try terminal.type("\u{1B}[<64;10;5M")
    try terminal.wait(for: "message 188")
    try terminal.type("\u{1B}[<65;10;5M")
    try terminal.wait(for: "message 200")
  }

  @Test func `typed lines are remembered between runs, for their owner only`() throws {
    let fixture = try ShellFixture()
    let first = try fixture.open()
    try first.type("remember me\r")
    try first.wait(for: "carol  remember me")
    try first.type("\u{4}")
    #expect(first.waitForExit() == 0)
    let second = try fixture.open()
    try second.type("\u{1B}[A")
    try second.wait(for: "> remember me")
    let path = fixture.folder.appendingPathComponent(".local/state/scrollback/history").path
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func `hostile messages change nothing but their own rows`() throws {
    let attacks = [
      "\u{1B}]0;owned\u{7}", "\u{1B}[2J\u{1B}[H", "\u{9B}31m", "\u{1B}[?1049l", "\u{1B}[5;1H over",
      "\u{7}\u{7}",
      "\u{202E}drawkcab", "a" + String(repeating: "\u{301}", count: 1_000), "\r\r> typed",
      "\u{1B}P+q\u{1B}\\",
    ]
    let terminal = try ShellFixture(texts: attacks).open(rows: 16, columns: 80)
    try terminal.wait(for: "␛]0;owned␇")
    let screen = terminal.screen
    #expect(screen.title == nil && screen.bells == 0 && screen.isAlternate)
    #expect(screen.unknownSequences.isEmpty)
    #expect(screen.text(ofRow: 14).hasPrefix(" general  210 of 210") && screen.text(ofRow: 15) == ">")
    #expect(screen.contains("␛[2J␛[H") && screen.contains("⟨U+202E⟩drawkcab") && screen.contains("⟨+984⟩"))
  }

  @Test(arguments: ["1", ""])
  func `NO_COLOR takes the colours away`(value: String) throws {
    let terminal = try ShellFixture().open(environment: ["NO_COLOR": value])
    let colors = Set(terminal.screen.cells.joined().map(\.rendition.color))
    #expect((colors == [""]) == (value == "1"))
  }
}

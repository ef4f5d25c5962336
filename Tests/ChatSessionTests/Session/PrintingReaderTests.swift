import ChatSession
import Foundation
import MessageModel
import MessageStorage
import Testing

/// What somebody sees who types at a terminal without a window.
struct PrintingReaderTests {
  private func append(_ text: String, to name: String, of fixture: StoreFixture) throws {
    let conversation = try #require(try fixture.store.conversation(named: name)).id
    _ = try fixture.store.append(text, from: "dave", replyTo: nil, to: conversation)
  }

  @Test func `the newest messages are printed with their letters, and then what one asks for`() throws {
    var printer = try StoreFixture().printer(rows: 5)
    #expect(
      printer.printed() == """
        ── Sunday, 2024-05-05 ──────────────────────────────────────
        a  14:00        alice  message 99 of apples
        b  15:00          bob  message 100 of pears

        """)
    printer.type("/goto 3")
    #expect(printer.printed().hasSuffix("\nc  14:00        alice  message 3 of apples\n"))
    printer.handle(.key(.pageOlder))
    #expect(printer.printed().contains("message 2 of pears\n") && printer.session.prompt == "> ")
    printer.handle(.key(.rowNewer, count: 2))
    #expect(printer.printed().hasSuffix("message 4 of pears\n"))
  }

  @Test func `plain lines have whole times and their letters before them`() throws {
    let printer = try StoreFixture(count: 2).printer(isPlain: true)
    #expect(
      printer.printed() == """
        a  2024-05-01 12:00:00  alice  message 1 of apples
        b  2024-05-01 13:00:00  bob  message 2 of pears

        """)
  }

  @Test func `what comes in is printed at the newest edge, and counted elsewhere`() throws {
    let fixture = try StoreFixture()
    var printer = try fixture.printer()
    _ = printer.printed()
    try append("ahoy", to: "general", of: fixture)
    printer.handle(.storeChanged)
    #expect(printer.printed().hasSuffix("dave  ahoy\n"))
    printer.type("/goto 7")
    _ = printer.printed()
    try append("again", to: "general", of: fixture)
    printer.handle(.storeChanged)
    #expect(printer.printed() == "" && printer.session.prompt == "↓ 1 new > ")
    printer.type("mine")
    #expect(printer.printed().contains("dave  again\n") && printer.session.prompt == "> ")
    printer.type("/follow off")
    try append("unseen", to: "general", of: fixture)
    printer.handle(.storeChanged)
    #expect(
      printer.printed() == "new messages are only counted\n" && printer.session.prompt == "↓ 1 new > ")
  }

  @Test func `a command that cannot be carried out is explained, and the next line is a fresh one`() throws {
    var printer = try StoreFixture().printer()
    _ = printer.printed()
    for line in ["/golo", "/view q", "/open gezral", "/edit #7 lost?", "/import /nowhere"] {
      let effects = printer.type(line)
      printer.finish(effects)
      #expect(effects.line == nil && printer.printed().hasPrefix("! "), "\(line)")
    }
  }

  @Test func `what is not there is told like on the screen, and the line is done with`() throws {
    let fixture = try StoreFixture()
    var printer = try fixture.printer()
    var screen = try fixture.screen(columns: 100)
    for (line, answer) in [
      ("/back", "there is nothing to go back to"), ("/forward", "there is nothing to go forward to"),
      ("/goto #1", "message #1 is not in this conversation; showing the nearest"), ("/top", ""),
      ("/goto -1w", "there is nothing older"), ("/search \"message 7\"", ""),
      ("/next", "no other hit in this direction"),
    ] {
      _ = printer.printed()
      #expect(printer.type(line).line == nil && screen.type(line).line == nil, "\(line)")
      #expect(printer.printed().hasSuffix(answer + (answer.isEmpty ? "" : "\n")), "\(line)")
      #expect(answer.isEmpty || screen.status == " " + answer, "\(screen.status)")
    }
  }

  @Test func `a mark in another conversation makes none of its messages new`() throws {
    let fixture = try StoreFixture()
    for number in 1...3 { try append("late \(number)", to: "random", of: fixture) }
    var printer = try fixture.printer()
    printer.type("/open random")
    printer.type("/goto 1")
    printer.type("/mark here")
    printer.type("/open general")
    _ = printer.printed()
    printer.type("/goto 'here")
    #expect(printer.printed().hasSuffix("dave  late 1\n") && printer.session.prompt == "> ")
    try append("later", to: "random", of: fixture)
    printer.handle(.storeChanged)
    #expect(printer.printed() == "" && printer.session.prompt == "↓ 1 new > ")
    printer.type("/bottom")
    #expect(printer.printed().hasSuffix("dave  later\n") && printer.session.prompt == "> ")
  }

  @Test(arguments: ["/open random", "/goto 'there"])
  func `another conversation ends the search, whoever reads`(line: String) throws {
    let fixture = try StoreFixture()
    try append("apples there", to: "random", of: fixture)
    _ = try fixture.transcript("/open random\n/bottom\n/mark there")
    var printer = try fixture.printer()
    var screen = try fixture.screen(columns: 100)
    for line in ["/search apples", line, "/prev"] {
      _ = printer.printed()
      printer.type(line)
      screen.type(line)
    }
    #expect(printer.printed().hasPrefix("! no search yet"))
    #expect(screen.status.hasPrefix(" no search yet"))
    #expect(
      try fixture.transcript("/search apples\n\(line)\n/prev").contains("! line 3: no search yet"))
  }

  @Test func `a mark is set in a view, whoever reads, and nothing else is written`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.view(rows: 8, columns: 100)
    var printer = try fixture.printer(isReadOnly: true)
    screen.type("/mark a")
    printer.type("/mark b")
    #expect(printer.printed().hasSuffix("mark 'b set; /goto 'b returns here\n"))
    #expect(try fixture.store.marks().map(\.name) == ["a", "b"])
    #expect(printer.type("hello").line == "hello" && printer.type("/undo").line == nil)
    #expect(printer.printed().contains("! nothing is written in a view"))
  }

  @Test func `a regular expression is looked for elsewhere, and Ctrl-C stops it`() throws {
    var printer = try StoreFixture().printer()
    _ = printer.printed()
    let stopped = printer.type("/search regex:sage 2\\d\\b")
    #expect(stopped.jobs.map(\.lane) == [.search] && printer.printed().hasSuffix("Ctrl-C stops\n"))
    #expect(printer.handle(.interrupted).stops.contains(.search))
    printer.finish(stopped, isCancelled: true)
    #expect(printer.printed() == "stopped\n")
    printer.finish(printer.type("/search regex:sage 2\\d\\b"))
    #expect(printer.printed().hasSuffix("alice  message 29 of apples\n"))
    let lost = printer.type("/search regex:no such thing")
    _ = printer.printed()
    printer.finish(lost)
    #expect(printer.printed() == "! nothing found for 'regex:no such thing'\n")
  }

  @Test func `a script awaits what takes long`() throws {
    let fixture = try StoreFixture()
    let answer = try fixture.transcript("/search regex:sage 2\\d\\b\n/prev\n/next\n/search regex:nix\n/top")
    #expect(
      answer == """
        2024-05-02 16:00:00  alice  message 29 of apples
        2024-05-02 15:00:00  bob  message 28 of pears
        2024-05-02 16:00:00  alice  message 29 of apples
        ! line 4: nothing found for 'regex:nix'

        """)
  }

  @Test func `an import tells how far it is before the line, and how it ended above it`() throws {
    let fixture = try StoreFixture()
    let file = fixture.folder.appendingPathComponent("more.jsonl")
    try Data(#"{"conversation":"more","time":"2024-06-01T10:00:00Z","text":"one"}"#.utf8).write(to: file)
    var printer = try fixture.printer()
    _ = printer.printed()
    let effects = printer.type("/import \(file.path)")
    #expect(
      printer.printed() == "importing … Ctrl-C stops it\n" && printer.session.prompt == "importing … > ")
    #expect(printer.session.isTransferring)
    printer.type("/export x.csv")
    printer.finish(effects)
    #expect(printer.printed().hasSuffix("\nimported 1 (1 text) · of 1 record in 1 file\n"))
    #expect(printer.session.prompt == "> " && !printer.session.isTransferring)
  }
}

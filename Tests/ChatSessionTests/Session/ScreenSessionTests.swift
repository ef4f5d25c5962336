import ChatSession
import Foundation
import MessageModel
import MessageStorage
import TerminalText
import TestSupport
import Testing

struct ScreenSessionTests {
  /// A session and the terminal it is painted on, without the row of the line being typed.
  private struct ShellFixture {
    let files: StoreFixture
    var session: Session<ScreenReader>
    var painter = ScreenPainter(StyleEncoder(.basic))
    var terminal: TerminalModel

    init(count: Int = 100, rows: Int = 7, columns: Int = 60) throws {
      files = try StoreFixture(minutely: count)
      session = try Session(try files.context(), rows: rows, columns: columns)
      terminal = TerminalModel(rows: rows, columns: columns)
      paint()
    }

    @discardableResult
    mutating func handle(_ event: ReplEvent) -> Effects {
      let outcome = session.handle(event)
      if case .resized(let rows, let columns) = event {
        terminal.resize(rows: rows, columns: columns)
        // The row of the line being typed is erased by whoever owns that line.
        terminal.feed("\u{1B}[\(rows);1H\u{1B}[2K".utf8)
      }
      paint()
      return outcome
    }

    /// Tells of a change, and does on this thread what that asks for on another.
    mutating func noticeChange() { finish(handle(.storeChanged)) }

    private mutating func finish(_ effects: Effects) {
      for report in effects.jobs.flatMap({ $0.reports() }) { finish(handle(.reported(report))) }
    }

    mutating func paint() { terminal.feed(painter.paint(session.screen()).utf8) }

    var picture: String { terminal.lines.dropLast().joined(separator: "\n") }
    var status: String { terminal.lines[terminal.rows - 2] }
  }

  @Test func `it opens at the newest message`() throws {
    let fixture = try ShellFixture()
    #expect(
      fixture.picture == """
        a  13:35          bob  message 96
        b  13:36        alice  message 97
        c  13:37          bob  message 98
        d  13:38        alice  message 99
        e  13:39          bob  message 100
         general  100 of 100 · 2024-05-01 · 100 %
        """)
  }

  @Test func `spaces before a command mean nothing`() throws {
    var fixture = try ShellFixture()
    fixture.handle(.line("  /top"))
    #expect(fixture.status.contains(" 1 of 100"))
    fixture.handle(.line(" //shrug "))
    #expect(fixture.picture.contains("carol  /shrug") && fixture.status.contains("101 of 101"))
  }

  @Test func `a page is the height of the window`() throws {
    var fixture = try ShellFixture()
    fixture.handle(.key(.pageOlder))
    #expect(
      fixture.picture == """
        a  13:30        alice  message 91
        b  13:31          bob  message 92
        c  13:32        alice  message 93
        d  13:33          bob  message 94
        e  13:34        alice  message 95
         general  91 of 100 · 2024-05-01 · 90 %
        """)
    fixture.handle(.key(.rowNewer))
    #expect(fixture.terminal.lines[4] == "f  13:35          bob  message 96")
    fixture.handle(.key(.pageNewer))
    #expect(fixture.status.contains("100 of 100"))
  }

  @Test(arguments: [
    ("/goto 50", "50 of 100", "message 50"), ("/goto 50%", "51 of 100", "message 51"),
    ("/goto 2024-05-01 12:30", "31 of 100", "message 31"), ("/goto 12:10", "11 of 100", "message 11"),
    ("/goto -30m", "70 of 100", "message 70"), ("/goto #7022857420800000", "1 of 100", "2024-05-01"),
    ("/top", "1 of 100", "2024-05-01"), ("/older 10", "86 of 100", "message 86"),
    ("/goto yesterday", " no messages on ", "message 96"),
  ])
  func `a jump shows what was asked for at the top`(command: String, position: String, first: String) throws {
    var fixture = try ShellFixture()
    fixture.handle(.line(command))
    #expect(fixture.status.contains(position), "\(fixture.picture)")
    #expect(fixture.terminal.lines[0].hasSuffix(first) || fixture.terminal.lines[0].contains(first))
  }

  @Test func `back returns to where a jump began`() throws {
    var fixture = try ShellFixture()
    fixture.handle(.line("/goto 50"))
    fixture.handle(.line("/top"))
    fixture.handle(.line("/back"))
    #expect(fixture.status.contains("50 of 100"))
    fixture.handle(.line("/forward"))
    #expect(fixture.status.contains(" 1 of 100"))
    fixture.handle(.line("/forward"))
    #expect(fixture.status.contains("nothing to go forward to"))
  }

  @Test func `what is typed is appended and seen at once`() throws {
    var fixture = try ShellFixture()
    fixture.handle(.line("/top"))
    fixture.handle(.line("hello there"))
    #expect(fixture.terminal.lines[4].hasSuffix("carol  hello there"))
    #expect(fixture.status.contains("101 of 101"))
  }

  @Test func `a reply quotes what it answers`() throws {
    var fixture = try ShellFixture()
    fixture.handle(.line("/reply d indeed"))
    #expect(fixture.terminal.lines[3].hasSuffix("carol  ↪ alice: message 99"))
    #expect(fixture.terminal.lines[4].hasSuffix("indeed"))
  }

  @Test func `an append that fails gives the line back`() throws {
    var fixture = try ShellFixture()
    try FileManager.default.removeItem(atPath: fixture.files.store.path)
    let outcome = fixture.handle(.line("precious words"))
    #expect(outcome.line == "precious words")
    #expect(fixture.status.hasPrefix(" cannot go on with "))
  }

  @Test func `messages that come in are seen at the newest edge and counted elsewhere`() throws {
    var fixture = try ShellFixture()
    try fixture.files.receive("late")
    fixture.noticeChange()
    #expect(fixture.terminal.lines[4].hasSuffix("late"))
    fixture.handle(.key(.pageOlder))
    let before = fixture.terminal.lines[..<5]
    try fixture.files.receive("later")
    fixture.noticeChange()
    #expect(fixture.terminal.lines[..<5] == before)
    #expect(fixture.status.hasSuffix("↓ 1 new"))
    fixture.handle(.key(.newest))
    #expect(fixture.terminal.lines[4].hasSuffix("later") && !fixture.status.contains("new"))
  }

  @Test func `errors suggest what may have been meant`() throws {
    var fixture = try ShellFixture()
    fixture.handle(.line("/open generla"))
    #expect(fixture.status == " no conversation 'generla'; did you mean 'general'?")
    fixture.handle(.key(.rowOlder))
    #expect(fixture.status.contains("of 100"))
  }

  @Test func `help is shown over the messages, scrolled, and put away`() throws {
    var fixture = try ShellFixture()
    fixture.handle(.line("/help"))
    #expect(fixture.terminal.lines[0].hasPrefix("Keys"))
    fixture.handle(.key(.pageNewer))
    #expect(!fixture.terminal.lines[0].hasPrefix("Keys"))
    fixture.handle(.line(""))
    #expect(fixture.terminal.lines[4].hasSuffix("message 100"))
  }

  @Test func `a note that fits the screen gives way to any key`() throws {
    var fixture = try ShellFixture()
    fixture.handle(.line("/help goto"))
    fixture.handle(.line("/help follow"))
    #expect(fixture.terminal.lines[0] == "/follow on | off")
    fixture.handle(.key(.rowOlder))
    #expect(fixture.terminal.lines[0].hasSuffix("message 95"))
  }

  @Test func `unread messages are marked until something is written`() throws {
    var fixture = try ShellFixture()
    var positions = ReadPositions()
    let context = try fixture.files.context()
    let request = PageRequest(Selection(context.conversation.id), anchor: .ordinal(97), fetchLimit: 1)
    positions.note(try fixture.files.store.page(request).messages[0].id, in: context.conversation.id)
    try fixture.files.store.markRead(positions)
    fixture.session = try Session(try fixture.files.context(), rows: 7, columns: 60)
    fixture.paint()
    #expect(fixture.terminal.lines[2].hasPrefix("── new ──"))
    fixture.handle(.line("seen"))
    #expect(!fixture.picture.contains("── new ──"))
  }

  @Test(arguments: [(5, 20), (4, 10), (3, 10), (24, 80), (60, 200), (5, 39)])
  func `every size is filled and none overflows`(rows: Int, columns: Int) throws {
    var fixture = try ShellFixture()
    fixture.handle(.resized(rows: rows, columns: columns))
    #expect(fixture.terminal.lines.dropLast().joined().contains("general"), "\(fixture.terminal.picture)")
    fixture.handle(.line("/goto 50"))
    fixture.handle(.line("/nonsense that is longer than the screen is wide"))
    fixture.handle(.line("/help goto"))
    #expect(fixture.terminal.unknownSequences.isEmpty && fixture.terminal.lines.last == "")
  }

  @Test func `handles call the messages beside which they stand`() throws {
    var fixture = try ShellFixture()
    fixture.handle(.line("/view b"))
    #expect(fixture.picture.contains("2024-05-01 13:36:00 · text · alice"))
    fixture.handle(.line("/view z"))
    #expect(fixture.status.contains("no message on the screen has the letter 'z'"))
  }

  @Test func `another conversation opens at its newest`() throws {
    var fixture = try ShellFixture()
    fixture.handle(.line("/open random"))
    #expect(fixture.status.contains("random  no messages yet"))
    #expect(fixture.handle(.line("/quit")).leaves)
  }

  @Test func `a tab in what is shown whole is spaces on the screen`() throws {
    let fixture = try StoreFixture(count: 1, text: { _ in "a\tb\n\tc" })
    var session = try Session(try fixture.context(), rows: 12, columns: 60)
    var painter = ScreenPainter(StyleEncoder(.indexed))
    for line in ["/view a", "q"] {
      _ = withExtendedLifetime(fixture) { session.handle(.line(line)) }
      let painted = painter.paint(session.screen())
      #expect(OwnSequences.screen.firstStray(in: painted.utf8) == nil)
      if line != "q" { #expect(painted.contains("a       b") && painted.contains("        c")) }
    }
  }

  @Test func `a word that is typed at a message shown whole is found in its text, and is not sent`() throws {
    let text = (1...300).map { "word\($0)" }.joined(separator: "\n")
    let fixture = try StoreFixture(count: 1, text: { _ in text })
    var screen = try fixture.screen(columns: 100)
    screen.type("/view a")
    #expect(!screen.lines.contains { $0.contains("word150") })
    screen.type("Word150")
    #expect(screen.lines.first { !$0.isEmpty }?.contains("word150") == true, "\(screen.terminal.picture)")
    screen.type("word20")
    #expect(screen.lines.first { !$0.isEmpty }?.contains("word200") == true, "the next one, then around")
    let shown = screen.lines
    screen.type("word301")
    #expect(screen.status == " 'word301' is not in this text (not sent) — try: q, then the message")
    #expect(screen.lines == shown)
    #expect(try fixture.store.conversation(named: "general")?.messageCount == 1)
    screen.type("q")
    #expect(screen.session.reader.cover.listing == nil)
  }

  private func longText() throws -> StoreFixture.Screen {
    let text = (1...300).map { "word\($0)" }.joined(separator: "\n")
    var screen = try StoreFixture(count: 1, text: { _ in text }).screen(rows: 8, columns: 100)
    screen.type("/view a")
    return screen
  }

  @Test(arguments: [
    (["G"], "word300"), (["G", "g"], "#"), (["12g"], "word11"), (["50%"], "word147"),
    (["/word150"], "word150"), (["12g", " "], "word17"),
    (["/word150", "n"], "word150"), (["/word15", "n"], "word150"), (["/word15", "n", "N"], "word15"),
    (["?word15"], "word159"), (["?word15", "n"], "word158"), (["?word15", "n", "N"], "word159"),
    (["word2", "n", "n"], "word21"),
  ])
  func `a long text has the keys of less`(typed: [String], shown: String) throws {
    var screen = try longText()
    for line in typed {
      screen.handle(.typed(line))
      // Words end with Enter, keys count at once.
      if line.contains("word") { screen.type(line) }
    }
    let rows = screen.lines.filter { !$0.isEmpty }
    #expect((typed == ["G"] ? rows.last : rows.first)?.hasPrefix(shown) == true, "\(screen.terminal.picture)")
    #expect(screen.session.reader.cover.listing != nil)
  }

  @Test func `the ends of a text are those of the text, and what was typed as a key is gone from the line`()
    throws
  {
    var screen = try longText()
    screen.handle(.key(.newest))
    #expect(screen.lines.last?.hasPrefix("word300") == true && screen.session.reader.cover.listing != nil)
    #expect(screen.status.contains("line 296 of 301"), "\(screen.status)")
    screen.handle(.key(.oldest))
    #expect(screen.lines[0].hasPrefix("#"))
    #expect(screen.handle(.typed("G")).emptiesLine && !screen.handle(.typed("Ga")).emptiesLine)
    // Without a search n begins a word.
    #expect(!screen.handle(.typed("n")).emptiesLine)
  }

  @Test func `lines of a text are numbered on request`() throws {
    var screen = try longText()
    screen.type("word301")
    screen.handle(.typed("12g"))
    #expect(screen.status.contains("line 12 of 301"), "\(screen.status)")
    screen.handle(.typed("-N"))
    #expect(screen.lines[0].hasPrefix(" 12 word11"), "\(screen.terminal.picture)")
    screen.handle(.typed("-N"))
    #expect(screen.lines[0].hasPrefix("word11"))
  }

  @Test func `a text is saved to a new file, as in less`() throws {
    var screen = try longText()
    let file = screen.fixture.folder.appendingPathComponent("saved.txt").path
    screen.type("s \(file)")
    #expect(screen.status.contains("saved"), "\(screen.status)")
    let saved = try String(contentsOfFile: file, encoding: .utf8)
    #expect(saved.hasPrefix("word1\n") && saved.hasSuffix("word300\n"))
    screen.type("s \(file)")
    #expect(screen.status.contains("already exists") && screen.session.reader.cover.isShown)
  }

  @Test func `the hit of a search is shown at its words`() throws {
    let text = (1...300).map { "word\($0)" }.joined(separator: "\n")
    var screen = try StoreFixture(count: 1, text: { _ in text }).screen(rows: 8, columns: 100)
    screen.finish(screen.type("/search word250"))
    #expect(screen.lines.contains { $0.hasSuffix("… word250") }, "\(screen.terminal.picture)")
    #expect(screen.lines.contains { $0.hasSuffix("/view a") && !$0.contains("the hit") })
    screen.type("/view a")
    #expect(screen.lines[0].hasPrefix("word250"), "\(screen.terminal.picture)")
    screen.type("q")
    // Without the search it is folded as before.
    screen.type("/search")
    #expect(screen.lines.contains { $0.hasSuffix("alice  word1") }, "\(screen.terminal.picture)")
  }

  @Test func `a hit beyond what is loaded of a text is shown at its words`() throws {
    let text = (1...20_000).map { "word\($0)" }.joined(separator: "\n")
    var screen = try StoreFixture(count: 1, text: { _ in text }).screen(rows: 8, columns: 100)
    screen.finish(screen.type("/search word15123 "))
    #expect(screen.lines.contains { $0.hasSuffix("… word15123") }, "\(screen.terminal.picture)")
    screen.type("/view a")
    #expect(screen.lines[0].hasPrefix("word15123"), "\(screen.terminal.picture)")
  }

  @Test func `of a hit in what is shown of a folded text nothing is said`() throws {
    let text = (1...300).map { "word\($0)" }.joined(separator: "\n")
    var screen = try StoreFixture(count: 1, text: { _ in text }).screen(rows: 8, columns: 100)
    screen.finish(screen.type("/search word1 "))
    #expect(
      screen.lines.contains { $0.hasSuffix("/view a") && !$0.contains("the hit") },
      "\(screen.terminal.picture)")
  }

  @Test func `a space is left of what the status line says at the right, at each width`() throws {
    let text = (1...300).map { "word\($0)" }.joined(separator: "\n")
    for columns in 60...90 {
      var screen = try StoreFixture(count: 1, text: { _ in text }).screen(rows: 8, columns: columns)
      screen.type("/view a")
      #expect(!screen.status.contains("generalline"), "\(screen.status)")
    }
  }

  @Test func `a view has the keys of less in a text, too`() throws {
    let text = (1...300).map { "word\($0)" }.joined(separator: "\n")
    var view = try StoreFixture(count: 1, text: { _ in text }).view(rows: 8, columns: 100)
    view.type("/view a")
    // Words that are being typed are not looked for in the messages below.
    view.finish(view.handle(.typed("/word15")))
    #expect(view.session.reader.cover.listing != nil)
    for (event, shown) in [
      (ReplEvent.search("word15", .newer), "word15"), (.key(.repeatHit), "word150"),
      (.key(.reverseHit), "word15"),
      (.line("/goto 12"), "word11"), (.key(.oldest), "#"),
    ] {
      view.handle(event)
      #expect(view.lines[0].hasPrefix(shown), "\(event): \(view.terminal.picture)")
    }
  }
}

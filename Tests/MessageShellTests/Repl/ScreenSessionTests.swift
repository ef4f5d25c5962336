import MessageModel
import MessageShell
import MessageStorage
import TerminalText
import TestSupport
import Testing

struct ScreenSessionTests {
  /// A session and the terminal it is painted on, without the row of the line being typed.
  private struct Desk {
    let store: MemoryStore
    var session: Session<ScreenReader>
    var painter = ScreenPainter(StyleEncoder(.basic))
    var terminal: TerminalModel

    init(count: Int = 100, rows: Int = 7, columns: Int = 60) throws {
      store = MemoryStore(count: count)
      session = try Session(try store.context(), rows: rows, columns: columns)
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
    mutating func noticeChange() {
      for report in handle(.storeChanged).jobs.flatMap({ $0.reports() }) { handle(.reported(report)) }
    }

    mutating func paint() { terminal.feed(painter.paint(session.screen()).utf8) }

    var picture: String { terminal.lines.dropLast().joined(separator: "\n") }
    var status: String { terminal.lines[terminal.rows - 2] }
  }

  @Test func `it opens at the newest message`() throws {
    let desk = try Desk()
    #expect(
      desk.picture == """
        a  13:35          bob  message 96
        b  13:36        alice  message 97
        c  13:37          bob  message 98
        d  13:38        alice  message 99
        e  13:39          bob  message 100
         general  100 of 100 · 2024-05-01 · 100 %
        """)
  }

  @Test func `spaces before a command mean nothing`() throws {
    var desk = try Desk()
    desk.handle(.line("  /top"))
    #expect(desk.status.contains(" 1 of 100"))
    desk.handle(.line(" //shrug "))
    #expect(desk.picture.contains("carol  /shrug") && desk.status.contains("101 of 101"))
  }

  @Test func `a page is the height of the window`() throws {
    var desk = try Desk()
    desk.handle(.key(.pageOlder))
    #expect(
      desk.picture == """
        a  13:30        alice  message 91
        b  13:31          bob  message 92
        c  13:32        alice  message 93
        d  13:33          bob  message 94
        e  13:34        alice  message 95
         general  91 of 100 · 2024-05-01 · 90 %
        """)
    desk.handle(.key(.rowNewer))
    #expect(desk.terminal.lines[4] == "a  13:35          bob  message 96")
    desk.handle(.key(.pageNewer))
    #expect(desk.status.contains("100 of 100"))
  }

  @Test(arguments: [
    ("/goto 50", "50 of 100", "message 50"), ("/goto 50%", "51 of 100", "message 51"),
    ("/goto 2024-05-01 12:30", "31 of 100", "message 31"), ("/goto 12:10", "11 of 100", "message 11"),
    ("/goto -30m", "70 of 100", "message 70"), ("/goto #7022857420800000", "1 of 100", "2024-05-01"),
    ("/top", "1 of 100", "2024-05-01"), ("/older 10", "86 of 100", "message 86"),
    ("/goto yesterday", "100 of 100", "message 96"),
  ])
  func `a jump shows what was asked for at the top`(command: String, position: String, first: String) throws {
    var desk = try Desk()
    desk.handle(.line(command))
    #expect(desk.status.contains(position), "\(desk.picture)")
    #expect(desk.terminal.lines[0].hasSuffix(first) || desk.terminal.lines[0].contains(first))
  }

  @Test func `back returns to where a jump began`() throws {
    var desk = try Desk()
    desk.handle(.line("/goto 50"))
    desk.handle(.line("/top"))
    desk.handle(.line("/back"))
    #expect(desk.status.contains("50 of 100"))
    desk.handle(.line("/forward"))
    #expect(desk.status.contains(" 1 of 100"))
    desk.handle(.line("/forward"))
    #expect(desk.status.contains("nothing to go forward to"))
  }

  @Test func `what is typed is appended and seen at once`() throws {
    var desk = try Desk()
    desk.handle(.line("/top"))
    desk.handle(.line("hello there"))
    #expect(desk.terminal.lines[4].hasSuffix("carol  hello there"))
    #expect(desk.status.contains("101 of 101"))
  }

  @Test func `a reply quotes what it answers`() throws {
    var desk = try Desk()
    desk.handle(.line("/reply d indeed"))
    #expect(desk.terminal.lines[3].hasSuffix("carol  ↪ alice: message 99"))
    #expect(desk.terminal.lines[4].hasSuffix("indeed"))
  }

  @Test func `an append that fails gives the line back`() throws {
    var desk = try Desk()
    desk.store.failure.withLock { $0 = StoreError(.readOnly, "cannot append", remedy: "another store") }
    let outcome = desk.handle(.line("precious words"))
    #expect(outcome.line == "precious words")
    #expect(desk.status == " cannot append — try: another store")
  }

  @Test func `messages that come in are seen at the newest edge and counted elsewhere`() throws {
    var desk = try Desk()
    desk.store.source.append("late", to: Conversation.ID(rawValue: 1))
    desk.noticeChange()
    #expect(desk.terminal.lines[4].hasSuffix("late"))
    desk.handle(.key(.pageOlder))
    let before = desk.terminal.lines[..<5]
    desk.store.source.append("later", to: Conversation.ID(rawValue: 1))
    desk.noticeChange()
    #expect(desk.terminal.lines[..<5] == before)
    #expect(desk.status.hasSuffix("↓ 1 new"))
    desk.handle(.key(.newest))
    #expect(desk.terminal.lines[4].hasSuffix("later") && !desk.status.contains("new"))
  }

  @Test func `errors suggest what may have been meant`() throws {
    var desk = try Desk()
    desk.handle(.line("/open genral"))
    #expect(desk.status == " no conversation 'genral'; did you mean 'general'?")
    desk.handle(.key(.rowOlder))
    #expect(desk.status.contains("of 100"))
  }

  @Test func `help is shown over the messages, scrolled, and put away`() throws {
    var desk = try Desk()
    desk.handle(.line("/help"))
    #expect(desk.terminal.lines[0].hasPrefix("/older"))
    desk.handle(.key(.pageNewer))
    #expect(!desk.terminal.lines[0].hasPrefix("/older"))
    desk.handle(.line(""))
    #expect(desk.terminal.lines[4].hasSuffix("message 100"))
  }

  @Test func `a note that fits the screen gives way to any key`() throws {
    var desk = try Desk()
    desk.handle(.line("/help goto"))
    desk.handle(.line("/stats"))
    #expect(desk.terminal.lines[0] == "messages  100")
    desk.handle(.key(.rowOlder))
    #expect(desk.terminal.lines[0].hasSuffix("message 95"))
  }

  @Test func `unread messages are marked until something is written`() throws {
    var desk = try Desk()
    var positions = ReadPositions()
    positions.note(desk.store.source.messages[97].id, in: Conversation.ID(rawValue: 1))
    try desk.store.markRead(positions)
    desk.session = try Session(try desk.store.context(), rows: 7, columns: 60)
    desk.paint()
    #expect(desk.terminal.lines[2].hasPrefix("── new ──"))
    desk.handle(.line("seen"))
    #expect(!desk.picture.contains("── new ──"))
  }

  @Test(arguments: [(5, 20), (4, 10), (3, 10), (24, 80), (60, 200), (5, 39)])
  func `every size is filled and none overflows`(rows: Int, columns: Int) throws {
    var desk = try Desk()
    desk.handle(.resized(rows: rows, columns: columns))
    #expect(desk.terminal.lines.dropLast().joined().contains("general"), "\(desk.terminal.picture)")
    desk.handle(.line("/goto 50"))
    desk.handle(.line("/nonsense that is longer than the screen is wide"))
    desk.handle(.line("/help goto"))
    #expect(desk.terminal.unknownSequences.isEmpty && desk.terminal.lines.last == "")
  }

  @Test func `handles call the messages beside which they stand`() throws {
    var desk = try Desk()
    desk.handle(.line("/view b"))
    #expect(desk.picture.contains("2024-05-01 13:36 · text · alice"))
    desk.handle(.line("/view z"))
    #expect(desk.status.contains("no message on the screen is called 'z'"))
  }

  @Test func `another conversation opens at its newest`() throws {
    var desk = try Desk()
    desk.handle(.line("/open random"))
    #expect(desk.status.contains("random  no messages yet"))
    #expect(desk.handle(.line("/quit")).leaves)
  }
}

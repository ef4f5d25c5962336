import ChatSession
import MessageModel
import TerminalText
import TestSupport
import Testing

struct HitListTests {
  private func screen(rows: Int = 16, count: Int = 100) throws -> StoreFixture.Screen {
    try StoreFixture(count: count).screen(rows: rows, columns: 80)
  }

  private func press(_ key: ReplKey, _ count: Int = 1, on screen: inout StoreFixture.Screen) {
    screen.finish(screen.handle(.key(key, count: count)))
  }

  @Test func `hits are listed newest first, with the messages around the chosen one`() throws {
    var screen = try screen()
    screen.finish(screen.type("/hits apples"))
    #expect(screen.lines[0] == " 2024-05-05 14:00  alice         message 99 of apples")
    #expect(screen.lines[1] == " 2024-05-05 12:00  alice         message 97 of apples")
    #expect(screen.status.hasPrefix(" 1 of 50 hits · 'apples'"), "\(screen.status)")
    let line = try #require(screen.lines.firstIndex { $0.hasPrefix("──────") })
    #expect(screen.lines[line...].contains { $0.hasPrefix("▸") && $0.hasSuffix("message 99 of apples") })
    #expect(screen.lines[line...].contains { $0.hasSuffix("message 100 of pears") })
  }

  @Test func `arrows choose, Enter goes there and back returns`() throws {
    var screen = try screen()
    screen.finish(screen.type("/goto 50"))
    let before = screen.terminal.lines
    screen.finish(screen.type("/hits apples"))
    press(.rowNewer, 3, on: &screen)
    press(.rowOlder, on: &screen)
    #expect(screen.status.hasPrefix(" 3 of 50 hits"))
    let outcome = screen.type("")
    screen.finish(outcome)
    #expect(outcome.emptiesLine)
    #expect(screen.lines.contains { $0.hasSuffix("message 95 of apples") }, "\(screen.terminal.picture)")
    #expect(!screen.lines.contains { $0.hasPrefix("──────") })
    press(.previousHit, on: &screen)
    #expect(screen.lines.contains { $0.hasSuffix("message 93 of apples") }, "the search goes on from there")
    screen.finish(screen.type("/back"))
    #expect(screen.terminal.lines.prefix(14) == before.prefix(14))
    screen.finish(screen.type("/hits"))
    #expect(screen.status.hasPrefix(" 4 of 50 hits"), "the list begins at the hit in view: \(screen.status)")
  }

  @Test func `the same question again lists its hits from where they were left`() throws {
    var screen = try screen()
    screen.finish(screen.type("/hits apples"))
    press(.rowNewer, 3, on: &screen)
    let left = screen.status
    #expect(left.contains(" of 50 hits") && !left.hasPrefix(" 1 of"), "\(left)")
    screen.finish(screen.type(""))
    screen.finish(screen.type("/hits apples"))
    #expect(screen.status == left)
    screen.finish(screen.handle(.key(.escape)))
    screen.finish(screen.type("/hits pears"))
    #expect(screen.status.hasPrefix(" 1 of"), "another question begins at its newest hit: \(screen.status)")
  }

  @Test(arguments: [ReplEvent.interrupted, .key(.close), .key(.hits)])
  func `putting the list away leaves all as it was`(way: ReplEvent) throws {
    var screen = try screen()
    screen.finish(screen.type("/search pears"))
    screen.finish(screen.type("/goto 50"))
    let before = screen.terminal.lines
    screen.finish(screen.type("/hits apples"))
    screen.finish(screen.handle(.typed("97")))
    press(.pageNewer, on: &screen)
    screen.finish(screen.handle(way))
    #expect(screen.terminal.lines == before)
    let count = try screen.fixture.store.conversation(named: "general")?.messageCount
    #expect(count == 100, "what was typed to choose is no message")
  }

  @Test func `hits take the place of a list, and Escape leads back to the messages`() throws {
    var screen = try screen()
    let before = screen.terminal.lines
    screen.finish(screen.type("/help"))
    screen.finish(screen.handle(.key(.hits)))
    #expect(screen.lines[0] == " type what to look for")
    screen.finish(screen.handle(.key(.escape)))
    #expect(screen.terminal.lines == before)
  }

  @Test func `what is typed narrows the list, and without a search is one`() throws {
    var screen = try screen()
    screen.finish(screen.handle(.key(.hits)))
    #expect(screen.lines[0] == " type what to look for")
    screen.finish(screen.handle(.typed("app")))
    #expect(screen.status.hasPrefix(" 1 of 50 hits · 'app*'"), "\(screen.status)")
    screen.finish(screen.handle(.typed("")))
    #expect(screen.lines[0] == " type what to look for")
    screen.finish(screen.handle(.key(.hits)))
    screen.finish(screen.type("/hits apples OR pears"))
    screen.finish(screen.handle(.typed("message 100 ")))
    #expect(screen.status.hasPrefix(" 1 of 1 hit "), "\(screen.status)")
    screen.finish(screen.handle(.typed("nowhere ")))
    #expect(screen.lines[0] == " nothing found")
    screen.finish(screen.type("nowhere"))
    #expect(screen.lines[0] == " nothing found", "there is nothing to go to, and nothing is appended")
  }

  @Test func `a list of any number of hits holds some hundred`() throws {
    var screen = try screen(count: 1_400)
    screen.finish(screen.type("/hits apples"))
    for rank in stride(from: 21, through: 681, by: 20) {
      press(.rowNewer, 20, on: &screen)
      #expect(screen.status.hasPrefix(" \(rank) of 700 hits"))
      #expect(screen.session.reader.cover.hits.map { $0.heldCount <= 512 } == true)
    }
    press(.rowNewer, 20, on: &screen)
    #expect(screen.status.hasPrefix(" 700 of 700 hits"), "\(screen.status)")
    #expect(screen.lines.contains { $0.hasPrefix("▸") && $0.hasSuffix("message 1 of apples") })
    press(.newest, on: &screen)
    #expect(screen.status.hasPrefix(" 1 of 700 hits"))
    press(.oldest, on: &screen)
    #expect(screen.status.hasPrefix(" 700 of 700 hits"), "\(screen.status)")
    for _ in 1...60 { press(.pageOlder, 3, on: &screen) }
    #expect(screen.status.hasPrefix(" 1 of 700 hits"), "\(screen.status)")
    #expect(screen.lines[0].hasSuffix("message 1399 of apples"))
  }

  @Test func `hits of an expression come as texts are read, and what comes in meanwhile is listed, too`()
    throws
  {
    var screen = try screen()
    screen.finish(screen.type("/hits regex:of a.*s"))
    #expect(screen.status.hasPrefix(" 1 of 50 hits"))
    let general = try #require(try screen.fixture.store.conversation(named: "general"))
    _ = try screen.fixture.store.append("more of all apples", from: "bob", replyTo: nil, to: general.id)
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.status.hasPrefix(" 2 of 51 hits"), "\(screen.status)")
    press(.rowOlder, on: &screen)
    #expect(screen.lines[0].hasSuffix("more of all apples"))
  }

  @Test func `messages that a list covers do not count as read`() throws {
    var screen = try screen()
    screen.finish(screen.type("/hits apples"))
    let general = try #require(try screen.fixture.store.conversation(named: "general"))
    let id = try screen.fixture.store.append("unseen", from: "bob", replyTo: nil, to: general.id)
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.session.context.conversation.readUpTo.map { $0 < id } ?? true)
  }

  @Test(arguments: [(2, 12), (3, 2), (6, 30), (9, 45), (40, 200)])
  func `it is drawn at any size`(rows: Int, columns: Int) throws {
    var screen = try StoreFixture().screen(rows: 16, columns: 80)
    screen.finish(screen.type("/hits \"message 5\u{1B}[2J\" OR apples"))
    screen.finish(screen.handle(.resized(rows: rows, columns: columns)))
    let drawn = screen.session.screen()
    #expect(drawn.rows.count == max(1, rows - 1) && drawn.rows.allSatisfy { $0.columns <= max(2, columns) })
  }

  @Test func `in a view the keys of less choose`() throws {
    var screen = try StoreFixture().view(rows: 16, columns: 80)
    var keys = ViewKeys()
    func press(_ text: String) {
      for event in keys.append(text.utf8) { screen.finish(screen.handle(event)) }
      if !keys.prompt.isEmpty { screen.finish(screen.handle(.typed(keys.prompt))) }
    }
    press(":hits apples\r")
    press("jjk")
    #expect(screen.status.hasPrefix(" 2 of 50 hits"))
    press("/33")
    press(" ")
    #expect(screen.status.hasPrefix(" 1 of 1 hit "), "\(screen.status)")
    press("\r")
    #expect(screen.lines.contains { $0.hasSuffix("message 33 of apples") })
    press("L")
    press("q")
    #expect(screen.lines.contains { $0.hasSuffix("message 33 of apples") })
  }

  @Test func `a script is printed the newest twenty, with ids that lead there`() throws {
    let fixture = try StoreFixture()
    let printed = try fixture.transcript("/hits apples")
    let lines = printed.split(separator: "\n").map(String.init)
    #expect(lines.count == 21 && lines[20] == "… 30 older", "\(printed)")
    #expect(
      lines[0].hasPrefix(" 1  2024-05-05 14:00  alice  #") && lines[0].hasSuffix("message 99 of apples"))
    let id = try #require(lines[19].split(separator: " ").first { $0.hasPrefix("#") })
    #expect(try fixture.transcript("/goto \(id)").hasSuffix("message 61 of apples\n"))
    #expect(try fixture.transcript("/hits nowhere") == "! line 1: nothing found for 'nowhere'\n")
    #expect(try fixture.transcript("/hits") == "! line 1: no search yet\n  try: /hits QUERY\n")
    #expect(try fixture.transcript("/search pears\n/hits").contains("message 98 of pears"))
  }
}

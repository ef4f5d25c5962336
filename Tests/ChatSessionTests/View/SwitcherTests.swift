import Foundation
import MessageModel
import MessageStorage
import Testing

@testable import ChatSession

/// The switcher between conversations.
struct SwitcherTests {
  @Test func `a key shows the conversations, what is typed narrows them, and Enter opens the chosen one`()
    throws
  {
    var screen = try StoreFixture().screen(columns: 100)
    screen.handle(.key(.switcher))
    #expect(screen.lines[0].hasPrefix("Everything  all messages"))
    #expect(screen.lines[1].hasPrefix("general") && screen.lines[2].hasPrefix("random"))
    #expect(screen.status.contains("3 of 3") && screen.session.reader.cover.arrows == .list)
    screen.handle(.typed("AND"))
    #expect(screen.lines[0].hasPrefix("random") && screen.lines[1].isEmpty, "\(screen.terminal.picture)")
    #expect(screen.status.contains("1 of 1"))
    screen.type("AND")
    #expect(screen.session.context.conversation.name == "random" && !screen.session.reader.cover.isShown)
  }

  @Test func `Enter alone opens the other conversation, to and fro`() throws {
    let fixture = try StoreFixture()
    let random = try #require(try fixture.store.conversation(named: "random"))
    _ = try fixture.store.append([NewMessage("there", from: "ann")], to: random.id)
    var screen = try fixture.screen(columns: 100)
    for expected in ["random", "general", "random"] {
      screen.type("/switch")
      screen.type("")
      // The one that was written in last is the first, the open one is passed over.
      #expect(screen.session.context.conversation.name == expected, "\(screen.terminal.picture)")
    }
  }

  @Test func `a whole name is meant before those that have it in theirs`() throws {
    let fixture = try StoreFixture()
    let longer = try fixture.store.makeConversation(named: "general talk")
    _ = try fixture.store.append([NewMessage("there", from: "ann")], to: longer.id)
    var screen = try fixture.screen(columns: 100)
    screen.handle(.key(.switcher))
    screen.handle(.typed("gener"))
    #expect(screen.lines[0].hasPrefix("general  ") && screen.lines[1].hasPrefix("general talk"))
    screen.handle(.typed("glk"))
    #expect(screen.lines[0].hasPrefix("general talk") && screen.lines[1].isEmpty)
    screen.handle(.typed("general"))
    #expect(screen.lines[0].hasPrefix("general  ") && screen.lines[1].hasPrefix("general talk"))
    #expect(screen.lines[2].isEmpty && screen.status.contains("1 of 2"))
    // The chosen one is opened, whatever stands in the line.
    screen.handle(.key(.rowNewer))
    screen.type("general")
    #expect(screen.session.context.conversation.name == "general talk")
    screen.handle(.key(.switcher))
    screen.handle(.typed("general"))
    screen.type("general")
    #expect(screen.session.context.conversation.name == "general")
  }

  @Test
  func
    `people and filters are ranked among conversations by what is typed`()
    throws
  {
    let fixture = try StoreFixture()
    for name in ["planning", "channel", "annals"] {
      let conversation = try fixture.store.makeConversation(named: name)
      _ = try fixture.store.append([NewMessage("there", from: "alice")], to: conversation.id)
    }
    for (account, name) in [("alice", "Anna"), ("bob", "Ann"), ("carol", "Joanna")] {
      _ = try fixture.store.linkAccounts([.name(account)], to: name)
    }
    var screen = try fixture.screen(rows: 12, columns: 100)
    func names() -> [Substring] { screen.lines.compactMap { $0.split(separator: " ").first } }
    screen.handle(.key(.switcher))
    screen.handle(.typed("ann"))
    let expected = ["Ann", "Anna", "annals", "Joanna", "channel", "planning"]
    #expect(names().prefix(6).map(String.init) == expected, "\(screen.terminal.picture)")
    #expect(screen.status.contains("1 of 6"))
    for name in expected {
      let row = try #require(screen.terminal.cells.firstIndex { $0.contains { $0.rendition.standsOut } })
      #expect(screen.lines[row].hasPrefix(name))
      screen.handle(.key(.rowNewer))
    }
    screen.handle(.key(.oldest))
    screen.finish(screen.type("ann"))
    #expect(screen.status.hasPrefix(" @Ann"), "\(screen.terminal.picture)")
    // A conversation of that name is meant before a person.
    try fixture.store.makeConversation(named: "ann")
    screen.handle(.key(.switcher))
    screen.handle(.typed("ann"))
    #expect(names().first == "ann" && screen.lines[0].hasPrefix("ann  "), "\(screen.terminal.picture)")
  }

  @Test func `a key puts conversations with something unread first, and again as they were`() throws {
    let fixture = try StoreFixture(count: 4)
    for name in ["quiet", "loud"] {
      let id = try fixture.store.makeConversation(named: name).id
      _ = try fixture.store.append("tea", from: "ann", replyTo: nil, to: id)
      if name == "quiet" {
        try fixture.store.markRead(id, upTo: try #require(try fixture.store.conversation(id)?.newest))
      }
    }
    _ = try fixture.store.append(
      "newest", from: "ann", replyTo: nil, to: try #require(try fixture.store.conversation(named: "quiet")).id
    )
    try fixture.store.markRead(
      try #require(try fixture.store.conversation(named: "quiet")).id,
      upTo: try #require(try fixture.store.conversation(named: "quiet")?.newest))
    var screen = try fixture.screen(rows: 12, columns: 120)
    screen.handle(.key(.switcher))
    #expect(
      screen.lines[1].hasPrefix("quiet") && screen.lines[2].hasPrefix("loud"), "\(screen.terminal.picture)")
    screen.handle(.key(.nextUnread))
    #expect(
      screen.lines[1].hasPrefix("loud") && screen.status.contains("unread first"),
      "\(screen.terminal.picture)")
    screen.handle(.key(.nextUnread))
    #expect(screen.lines[1].hasPrefix("quiet") && !screen.status.contains("2 of 5 · unread first"))
  }

  @Test func `letters of a name in order find it, the best match first`() throws {
    let fixture = try StoreFixture()
    for name in ["paper 16", "perl5-6", "perl6", "raku"] { try fixture.store.makeConversation(named: name) }
    var screen = try fixture.screen(rows: 12, columns: 100)
    screen.handle(.key(.switcher))
    screen.handle(.typed("per6"))
    let names = screen.lines.prefix(3).map { String($0.prefix(8)).trimmingCharacters(in: .whitespaces) }
    #expect(names == ["perl6", "perl5-6", "paper 16"], "\(screen.terminal.picture)")
    #expect(screen.status.contains("1 of 3"))
    screen.type("per6")
    #expect(screen.session.context.conversation.name == "perl6")
    // The same letters do behind a command, if they are those of one name.
    screen.type("/open grl")
    #expect(screen.session.context.conversation.name == "general", "\(screen.status)")
    screen.type("/open per6")
    #expect(screen.status == " 'per6' fits several names — try: more of a name: perl6, perl5-6, paper 16")
    #expect(screen.session.context.conversation.name == "general")
  }

  @Test func `what was being typed is put aside, and comes back when the switcher is put away`() throws {
    var screen = try StoreFixture().screen(columns: 100)
    for (line, isClosed) in [("half a messa", true), ("half a messa", false), ("/search tea", true)] {
      screen.handle(.typed(line))
      #expect(screen.handle(.key(.switcher)).droppedLine == line)
      screen.handle(.typed(""))
      #expect(screen.status.contains("3 of 3"), "\(screen.terminal.picture)")
      screen.handle(.typed("rand"))
      #expect(screen.lines[0].hasPrefix("random"))
      let effects = isClosed ? screen.handle(.key(.escape)) : screen.type("rand")
      #expect(effects.line == line)
      // Whoever has put it back does not tell that it was typed.
      #expect(screen.handle(.key(.switcher)).droppedLine == line)
      #expect(screen.handle(.key(.escape)).line == line)
      screen.handle(.typed(line))
      #expect(!screen.session.reader.cover.isShown)
      #expect(screen.session.context.conversation.name == (isClosed ? "general" : "random"))
      screen.type("/open general")
    }
    // What was typed into a list is of that list.
    screen.type("/conversations")
    screen.handle(.typed("ra"))
    #expect(screen.handle(.key(.switcher)).droppedLine == "ra")
    #expect(screen.handle(.key(.escape)).line == nil)
  }

  @Test func `a name that is not there is said with the nearest, and nothing is written`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(columns: 100)
    let before = try fixture.store.statistics().messageCount
    screen.handle(.key(.switcher))
    screen.handle(.typed("generla"))
    #expect(screen.lines[0] == " no name has the letters 'generla'")
    screen.type("generla")
    #expect(screen.status.contains("no conversation 'generla'; did you mean 'general'?"))
    #expect(screen.session.reader.cover.isShown)
    #expect(try fixture.store.statistics().messageCount == before)
    #expect(screen.handle(.key(.escape)).emptiesLine)
    #expect(!screen.session.reader.cover.isShown)
  }

  @Test func `a saved filter is chosen, too`() throws {
    var screen = try StoreFixture().screen(columns: 100)
    screen.finish(screen.type("/filter from:alice"))
    screen.finish(screen.type("/filter save by alice"))
    screen.finish(screen.type("/filter"))
    screen.handle(.key(.switcher))
    screen.handle(.typed("alice"))
    #expect(screen.lines[0].hasPrefix("by alice"))
    screen.type("alice")
    #expect(screen.session.context.filter?.words == "by alice", "\(screen.terminal.picture)")
  }

  @Test func `of many conversations it holds what a screen shows, wherever the keys lead`() throws {
    let fixture = try StoreFixture()
    for index in 0..<150 { try fixture.store.makeConversation(named: "room \(1_000 + index)") }
    var screen = try fixture.screen(rows: 12, columns: 60)
    screen.handle(.key(.switcher))
    var expected = ["Everything", "general", "random"] + (0..<150).map { "room \(1_000 + $0)" }
    #expect(screen.status.contains("3 of 153"))
    var place = 2
    for (key, step) in [
      (ReplKey.pageNewer, 10), (.rowNewer, 1), (.newest, 1_000), (.rowOlder, -1), (.pageOlder, -10),
      (.halfOlder, -5),
      (.rowsOlder, -3), (.oldest, -1_000), (.pageNewer, 10),
    ] {
      let height = screen.session.reader.view.height
      let move = step.magnitude == 10 ? step / 10 * height : step.magnitude == 5 ? -height / 2 : step
      place = min(max(0, place + move), expected.count - 1)
      screen.handle(.key(key))
      let row = try #require(screen.terminal.cells.firstIndex { $0.contains { $0.rendition.standsOut } })
      #expect(screen.lines[row].hasPrefix(expected[place]), "\(key): \(screen.terminal.picture)")
      #expect(screen.status.contains("\(place + 1) of 153"))
    }
    // What others add is seen, and what is gone leaves no hole.
    try fixture.store.makeConversation(named: "room 0")
    expected.insert("room 0", at: 3)
    screen.handle(.key(.newest))
    screen.handle(.storeChanged)
    screen.handle(.key(.newest))
    #expect(screen.status.contains("154 of 154"))
  }

  @Test
  func `of more conversations than are listed with all that is known of them, a screen of them is read`()
    throws
  {
    let fixture = try StoreFixture()
    let count = Session<ScreenReader>.mostListed
    for index in 0..<count { try fixture.store.makeConversation(named: "room \(10_000 + index)") }
    var screen = try fixture.screen(rows: 12, columns: 60)
    screen.type("/conversations")
    #expect(screen.session.reader.cover.switcher != nil && screen.session.reader.cover.listing == nil)
    screen.handle(.typed("10500"))
    screen.type("10500")
    #expect(screen.session.context.conversation.name == "room 10500", "\(screen.terminal.picture)")
  }

  @Test func `everything is the first line, and people come behind the conversations`() throws {
    let fixture = try StoreFixture()
    _ = try fixture.store.linkAccounts([.name("alice")], to: "Ann")
    var screen = try fixture.screen(rows: 12, columns: 100)
    screen.handle(.key(.switcher))
    #expect(
      screen.lines.prefix(4).map { $0.split(separator: " ").first ?? "" }
        == ["Everything", "general", "random", "Ann"], "\(screen.terminal.picture)")
    screen.handle(.key(.oldest))
    screen.finish(screen.handle(.key(.choose)))
    #expect(screen.session.context.timeline == .everything && screen.status.hasPrefix(" Everything"))
    screen.handle(.key(.switcher))
    screen.handle(.typed("ann"))
    #expect(screen.lines[0] == "Ann  a person")
    screen.finish(screen.type("ann"))
    #expect(screen.status.hasPrefix(" @Ann"), "\(screen.terminal.picture)")
  }

  @Test func `what is unread in everything and with a person stands beside them, and follows what comes in`()
    throws
  {
    let fixture = try StoreFixture(count: 4)
    let direct = try fixture.store.makeConversation(named: "dan", isDirect: true).id
    _ = try fixture.store.append("hello", from: "dan", replyTo: nil, to: direct)
    _ = try fixture.store.linkAccounts([.name("dan")], to: "Dan")
    var screen = try fixture.screen(rows: 12, columns: 100)
    screen.session.lookUps.news.interval = .zero
    // What is on the screen of `general` is read.
    screen.session.writeReadPositions()
    func line(_ name: String) -> String { screen.lines.first { $0.hasPrefix(name) } ?? "" }
    screen.finish(screen.handle(.key(.switcher)))
    #expect(line("Everything").hasSuffix("1 unread"), "\(screen.terminal.picture)")
    #expect(line("Dan").hasPrefix("Dan  a person") && line("Dan").hasSuffix("1 unread"))
    _ = try fixture.store.append("are you there?", from: "dan", replyTo: nil, to: direct)
    _ = try fixture.store.append("tea", from: "alice", replyTo: nil, to: try fixture.random())
    screen.finish(screen.handle(.storeChanged))
    #expect(line("Everything").hasSuffix("3 unread"), "\(screen.terminal.picture)")
    #expect(line("Dan").hasSuffix("2 unread"))
    try fixture.store.markRead(direct, upTo: try #require(try fixture.store.conversation(direct)?.newest))
    screen.handle(.key(.escape))
    screen.finish(screen.handle(.key(.switcher)))
    #expect(line("Everything").hasSuffix("1 unread") && !line("Dan").contains("unread"))
  }
}

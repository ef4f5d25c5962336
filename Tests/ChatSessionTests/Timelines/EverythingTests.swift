import Foundation
import MessageModel
import MessageStorage
import TerminalText
import TestSupport
import Testing

@testable import ChatSession

/// All conversations as one history: `/open *`.
struct EverythingTests {
  /// A store whose `general` holds ten messages an hour apart, and whose `random` one of dave half an hour behind each of the
  /// first five.
  private func fixture() throws -> StoreFixture {
    let fixture = try StoreFixture(count: 10)
    let start = Timestamp(utc: CivilTime(year: 2024, month: 5, day: 1, hour: 12, minute: 30))
    let messages = (0..<5).map {
      NewMessage("aside \($0 + 1)", from: "dave", at: start.advanced(byMilliseconds: Int64($0) * 3_600_000))
    }
    _ = try fixture.store.append(messages, to: try fixture.random())
    return fixture
  }

  private func opened(_ fixture: StoreFixture, rows: Int = 20, columns: Int = 100) throws
    -> StoreFixture.Screen
  {
    var screen = try fixture.screen(rows: rows, columns: columns)
    screen.session.marking.interval = .zero
    screen.finish(screen.type("/open *"))
    return screen
  }

  /// The rows of messages, without their letters.
  private func seen(_ screen: StoreFixture.Screen) -> [String] {
    screen.lines.map { String($0.dropFirst(3)) } + [screen.status]
  }

  @Test func `all messages are shown in the order of time, each beside its conversation, with exact numbers`()
    throws
  {
    let screen = try opened(try fixture())
    #expect(screen.status.contains("Everything  15 of 15 · 2024-05-01 · 100 %"), "\(screen.terminal.picture)")
    let rows = screen.lines.filter { $0.contains(":") }.map { $0.split(separator: " ").dropFirst(2) }
    #expect(
      rows.prefix(4).map { $0.joined(separator: " ") } == [
        "general alice message 1 of apples", "random dave aside 1", "general bob message 2 of pears",
        "random dave aside 2",
      ], "\(screen.terminal.picture)")
  }

  @Test func `conversations have colours of their own, which are the same each time`() throws {
    var renderer = MessageRenderer(LayoutSettings(columns: 100, zone: .gmt).withConversations)
    let message = Message.of("hello", from: "ann")
    let rows = ["tea", "work", "tea"].map { name in
      renderer.rows(of: message, under: ShownNames(conversation: name))[0]
    }
    let styles = rows.map { row in row.spans.first { ["tea", "work"].contains($0.text) }?.style }
    #expect(styles[0] == styles[2] && styles[0] != styles[1] && styles[0] == .conversation(name: "tea"))
    #expect(rows[0].plainText.hasSuffix("tea                   ann  hello"), "\(rows[0].plainText)")
  }

  @Test(arguments: [20, 39, 59, 60, 79, 80, 119, 120])
  func `a hostile or endless name of a conversation is safe, cut, and moves no text away`(columns: Int) throws
  {
    var renderer = MessageRenderer(LayoutSettings(columns: columns, zone: .gmt).withConversations)
    let names = ["\u{1B}[31mred", String(repeating: "長い", count: 500), "a\nb", ""]
    for name in names {
      let row = renderer.rows(of: .of("hello", from: "ann"), under: ShownNames(conversation: name))[0]
      #expect(row.columns <= columns && !row.plainText.contains("\u{1B}"), "\(row.plainText)")
      if columns >= 60 {
        #expect(row.plainText.hasSuffix("hello"))
        #expect(row.columns == renderer.settings.textColumn + 5)
      }
    }
  }

  @Test(arguments: ["hello", "/me waves", "/attach /etc/hosts"])
  func `what is typed is not sent, and the error names the way`(line: String) throws {
    let fixture = try fixture()
    var screen = try opened(fixture)
    let outcome = screen.type(line)
    screen.finish(outcome)
    #expect(screen.status.contains("not sent: this view has many conversations"))
    #expect(screen.status.contains("/open NAME"), "\(screen.status)")
    #expect(outcome.line == (line == "hello" ? "hello" : nil))
    #expect(try fixture.store.statistics().messageCount == 15)
  }

  @Test func `an answer goes into the conversation of what it answers`() throws {
    let fixture = try fixture()
    var screen = try opened(fixture)
    let aside = try #require(screen.lines.first { $0.hasSuffix("aside 5") }).first.map(String.init) ?? ""
    screen.finish(screen.type("/reply \(aside) indeed"))
    let random = try #require(try fixture.store.conversation(named: "random"))
    #expect(random.messageCount == 6 && screen.lines.last?.hasSuffix("indeed") == true)
    screen.finish(screen.type("/undo"))
    #expect(try fixture.store.conversation(random.id)?.messageCount == 5, "\(screen.status)")
  }

  @Test(arguments: ["", "/open "])
  func `a letter opens the conversation at that message, and back returns`(command: String) throws {
    var screen = try opened(try StoreFixture(count: 300).withAsides(), rows: 12)
    screen.finish(screen.type("/goto 100"))
    let before = seen(screen)
    let row = try #require(screen.lines.dropFirst(2).first { $0.contains("general") })
    screen.finish(screen.type(command + String(row.prefix(1))))
    let text = try #require(row.range(of: "message")).lowerBound
    #expect(screen.status.hasPrefix(" general") && screen.session.context.conversation.name == "general")
    #expect(screen.lines.contains { $0.hasSuffix(row[text...]) }, "\(screen.terminal.picture)")
    screen.finish(screen.type("/back"))
    #expect(seen(screen) == before, "\(screen.terminal.picture)")
    screen.finish(screen.type("/forward"))
    #expect(screen.status.hasPrefix(" general"))
  }

  @Test func `a conversation that is called like a letter, a star or a person is meant first`() throws {
    let fixture = try fixture()
    _ = try fixture.store.linkAccounts([.name("dave")], to: "dave")
    for name in ["a", "*", "@dave"] { _ = try fixture.store.makeConversation(named: name) }
    var screen = try opened(fixture)
    for name in ["a", "*", "@dave"] {
      screen.finish(screen.type("/open \(name)"))
      #expect(screen.session.context.conversation.name == name)
    }
    screen.finish(screen.type("/open --all"))
    #expect(screen.session.context.timeline == .everything)
    screen.finish(screen.type("/open --person dave"))
    #expect(screen.status.hasPrefix(" @dave") && screen.session.context.openConversation == nil)
  }

  @Test func `unread messages begin at the first over all, and only what was on the screen is read`() throws {
    let fixture = try StoreFixture(count: 300).withAsides()
    let (general, random) = (try fixture.context().conversation.id, try fixture.random())
    let all = try fixture.store.page(PageRequest(.everything, fetchLimit: 1_000)).messages
    // In `random` reading ended before it did in `general`.
    let first = try #require(all.filter { $0.conversation == random }.dropFirst(40).first)
    try fixture.store.markRead(random, upTo: first.id.predecessor)
    try fixture.store.markRead(
      general, upTo: try #require(all.first { $0.text.hasPrefix("message 200 ") }).id)
    var screen = try opened(fixture, rows: 12)
    // The newest were seen, but what lies before them in their conversations was not.
    #expect(screen.session.context.unwritten.isEmpty && screen.status.contains("↑ unread"))
    screen.finish(screen.handle(.key(.unread)))
    #expect(screen.lines.contains { $0.hasPrefix("── new ──") }, "\(screen.terminal.picture)")
    #expect(screen.session.reader.view.visible.first == first.id)
    let visible = screen.session.reader.view.visible
    let seen = all.filter { visible.contains($0.id) }
    screen.finish(screen.handle(.timePassed))
    let read = try #require(try fixture.store.conversation(random)?.readUpTo)
    #expect(read == seen.last { $0.conversation == random }?.id)
    // What was read of `general` before stays read, and nothing more is.
    #expect(
      try fixture.store.conversation(general)?.readUpTo.map { try fixture.store.text(of: $0) }
        == "message 200 of pears")
    while !screen.session.reader.view.isAtBottom { screen.finish(screen.handle(.key(.pageNewer))) }
    for _ in 0..<3 { screen.finish(screen.handle(.timePassed)) }
    for id in [general, random] {
      let conversation = try #require(try fixture.store.conversation(id))
      #expect(conversation.readUpTo == conversation.newest)
    }
    #expect(!screen.status.contains("unread"))
    screen.finish(screen.handle(.key(.unread)))
    #expect(screen.status.contains("nothing is unread"))
  }

  @Test func `messages that come in from elsewhere are shown, or counted`() throws {
    let fixture = try StoreFixture(count: 300).withAsides()
    var screen = try opened(fixture, rows: 12)
    try fixture.receive("here")
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.lines.last?.hasSuffix("here") == true && screen.lines.last?.contains("general") == true)
    screen.finish(screen.handle(.key(.pageOlder)))
    _ = try fixture.store.append([NewMessage("there", from: "eve")], to: try fixture.random())
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.status.contains("↓ 1 new"), "\(screen.terminal.picture)")
  }

  @Test func `a conversation that is renamed elsewhere has its new name`() throws {
    let fixture = try fixture()
    var screen = try opened(fixture)
    try fixture.store.renameConversation(try fixture.random(), to: "asides")
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.lines.contains { $0.contains("asides") && $0.hasSuffix("aside 5") })
    #expect(!screen.lines.contains { $0.contains("random") }, "\(screen.terminal.picture)")
  }

  @Test func `searches, hits, filters, days, marks and places work over all`() throws {
    let fixture = try fixture()
    var screen = try opened(fixture, rows: 12)
    screen.finish(screen.type("/search 5"))
    #expect(screen.status.contains("'5*' ") == false && screen.status.contains("1 of 2"), "\(screen.status)")
    screen.finish(screen.type("/search"))
    screen.finish(screen.type("/filter in:random"))
    #expect(screen.status.contains("[in:random]  5 of 5"), "\(screen.status)")
    screen.finish(screen.type("/filter from:alice"))
    #expect(screen.status.contains("5 of 5"))
    screen.finish(screen.type("/filter"))
    #expect(screen.status.contains("of 15"))
    screen.finish(screen.type("/goto 4"))
    screen.finish(screen.type("/mark here"))
    screen.finish(screen.type("/bottom"))
    screen.finish(screen.type("/goto 'here"))
    #expect(screen.session.context.timeline == .everything)
    screen.finish(screen.type("/open general"))
    screen.finish(screen.type("/goto 'here"))
    #expect(screen.status.hasPrefix(" Everything  4 of 15"), "a mark leads back to where it was set")
    screen.finish(screen.type("/back"))
    screen.finish(screen.type("/back"))
    #expect(screen.status.hasPrefix(" Everything"))
    screen.handle(.key(.map))
    #expect(screen.lines.contains { $0.contains("2024") && $0.hasSuffix("15") }, "\(screen.terminal.picture)")
  }

  @Test func `a script prints each line behind its conversation, and is refused text`() throws {
    let printed = try fixture().transcript(
      """
      /open *
      /top
      /newer 3
      /days
      /filter in:random
      /copy #1
      """)
    #expect(
      printed == """
        general  2024-05-01 12:00:00  alice  message 1 of apples
        random  2024-05-01 12:30:00  dave  aside 1
        general  2024-05-01 13:00:00  bob  message 2 of pears
        random  2024-05-01 13:30:00  dave  aside 2
        2024-05-01  15
        5 messages
        ! line 6: there is no message #1

        """, "\(printed)")
    let refused = try fixture().transcript("/open *\n/me waves")
    #expect(refused.contains("! line 2: not sent: this view has many conversations"))
  }

  @Test func `messages are looked at whole, copied, and in their threads, wherever they are`() throws {
    let fixture = try fixture()
    let random = try fixture.random()
    let page = try fixture.store.page(PageRequest(Selection(random), fetchLimit: 10))
    let (aside, general) = (try #require(page.messages.last), try fixture.context().conversation)
    let newest = try #require(general.newest)
    let answer = try fixture.store.append("indeed", from: "bob", replyTo: aside.id, to: random)
    let printed = try fixture.transcript(
      """
      /open *
      /view #\(aside.id)
      /copy #\(aside.id)
      /copy #\(newest)-#\(answer)
      /thread #\(answer)
      /goto #\(answer)
      /answered #\(answer)
      """)
    let lines = printed.split(separator: "\n").map(String.init)
    #expect(
      lines[0].hasSuffix(" · text · dave · in random") && lines[1] == "aside 5" && lines[2] == "aside 5")
    #expect(lines[3].hasPrefix("general  ") && lines[3].hasSuffix("message 10 of pears"))
    #expect(lines[4].hasPrefix("random  ") && lines[4].hasSuffix("indeed"), "\(printed)")
    #expect(lines[5...6].allSatisfy { $0.hasPrefix("random  ") })
    #expect(lines.last?.hasSuffix("dave  aside 5") == true, "\(printed)")
  }

  @Test func `a view reads it with the keys of less, and writes nothing`() throws {
    let fixture = try fixture()
    var screen = try fixture.view(rows: 20, columns: 100)
    screen.finish(screen.type("/open *"))
    #expect(screen.status.contains("Everything  15 of 15"), "\(screen.terminal.picture)")
    let letter = screen.lines.first { $0.hasSuffix("aside 1") }?.prefix(1) ?? ""
    screen.finish(screen.type("/open \(letter)"))
    #expect(screen.status.hasPrefix(" random"), "\(screen.terminal.picture)")
    screen.finish(screen.type("/back"))
    screen.finish(screen.type("/reply \(letter) no"))
    #expect(screen.status.contains("nothing is written in a view"))
    #expect(try fixture.store.statistics().messageCount == 15)
  }

  @Test func `hits are listed with their conversations`() throws {
    let printed = try fixture().transcript("/open *\n/hits \"aside 5\" OR \"message 1\"")
    let rows = printed.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(rows.map { $0[3...4].joined(separator: " ") } == ["random dave", "general alice"], "\(printed)")
    var screen = try opened(try fixture())
    screen.finish(screen.type("/hits aside"))
    #expect(screen.lines[0].contains("random        dave"), "\(screen.terminal.picture)")
    #expect(screen.lines.contains { $0.contains("general") && $0.hasSuffix("message 5 of apples") })
  }

  @Test func `unread messages are looked for while hits cover the messages, too`() throws {
    var screen = try opened(try fixture())
    screen.finish(screen.type("/hits aside"))
    for _ in 0..<2 {
      let effects = screen.handle(.storeChanged)
      #expect(effects.jobs.contains { $0.lane == .unread })
      screen.finish(effects)
    }
  }

  @Test func `the first unread message is looked for once, whatever covers it`() throws {
    let fixture = try StoreFixture(count: 300).withAsides()
    var screen = try opened(fixture, rows: 12)
    screen.finish(screen.handle(.key(.newest)))
    #expect(screen.status.contains("↑ unread"))
    screen.type("/help")
    for _ in 0..<3 { #expect(!screen.handle(.key(.rowNewer)).jobs.contains { $0.lane == .unread }) }
    // What goes there and is seen is read, and the next one is looked for.
    screen.handle(.key(.escape))
    #expect(screen.handle(.key(.unread)).jobs.contains { $0.lane == .unread })
  }

  @Test(arguments: [true, false])
  func `without a window the conversation stands beside the sender, too`(isPlain: Bool) throws {
    var printer = try fixture().printer(rows: 12, columns: 100, isPlain: isPlain)
    printer.finish(printer.type("/open *"))
    let lines = printer.printed().split(separator: "\n").suffix(4)
    #expect(lines.allSatisfy { $0.contains("general") }, "\(lines)")
    printer.finish(printer.type("hello"))
    #expect(printer.printed().contains("! not sent"))
  }

  @Test func `the place in it is kept, beside those of conversations, and it is what was last open`() throws {
    let fixture = try StoreFixture(count: 300).withAsides()
    var screen = try opened(fixture, rows: 12)
    screen.finish(screen.type("/goto 100"))
    let before = seen(screen)
    screen.session.keepPlace()
    var context = try fixture.context()
    context.places = KeptPlaces(screen.session.context.places.positions)
    context.enter(.everything)
    var next = StoreFixture.Screen(
      fixture: fixture, session: try Session(context, rows: 12, columns: 100),
      terminal: .init(rows: 12, columns: 100))
    next.finish(next.handle(.timePassed))
    #expect(seen(next) == before)
    for timeline in [Timeline.everything, screen.session.context.timeline] {
      #expect(Timeline.opening(keptAs: timeline.keptName) == .everything)
    }
  }
}

extension StoreFixture {
  /// The conversation that is empty at first.
  func random() throws -> Conversation.ID {
    guard let random = try store.conversation(named: "random") else {
      throw StoreError(.notFound, "no random")
    }
    return random.id
  }

  /// Adds a message of dave to `random`, ten minutes behind each in `general`.
  func withAsides() throws -> StoreFixture {
    let random = try random()
    let page = try store.page(PageRequest(.everything, fetchLimit: 1_000))
    _ = try store.append(
      page.messages.enumerated().map {
        NewMessage("aside \($0 + 1)", from: "dave", at: $1.time.advanced(byMilliseconds: 600_000))
      }, to: random)
    return self
  }
}

extension LayoutSettings {
  /// The settings where messages of several conversations are shown.
  fileprivate var withConversations: LayoutSettings {
    var settings = self
    settings.showsConversations = true
    return settings
  }
}

extension Message {
  fileprivate static func of(_ text: String, from name: String) -> Message {
    Message(
      id: ID(time: Timestamp(millisecondsSince1970: 0)), conversation: Conversation.ID(rawValue: 1),
      sender: Sender(id: Sender.ID(rawValue: 1), name: name), text: text)
  }
}

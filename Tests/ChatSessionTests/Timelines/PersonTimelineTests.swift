import HistoryModel
import MessageModel
import MessageStorage
import TestSupport
import Testing

@testable import ChatSession

/// Everything between the user and a person: `/open @ann`.
struct PersonTimelineTests {
  /// A store in which dave, with whom there is a direct conversation, and eve are Ann, and wrote in `general`, too.
  private func fixture() throws -> StoreFixture {
    let fixture = try StoreFixture(
      count: 10, sender: { ["alice", "dave", "eve", "bob"][$0 % 4] }, text: { "message \($0)" })
    let direct = try fixture.store.makeConversation(named: "dave", isDirect: true).id
    let other = try fixture.store.makeConversation(named: "bob", isDirect: true).id
    let start = Timestamp(utc: CivilTime(year: 2024, month: 5, day: 1, hour: 12, minute: 30))
    func messages(_ text: String, from other: String) -> [NewMessage] {
      (0..<6).map {
        NewMessage(
          "\(text) \($0 + 1)", from: $0.isMultiple(of: 2) ? other : "carol",
          at: start.advanced(byMilliseconds: Int64($0) * 3_600_000))
      }
    }
    _ = try fixture.store.append(messages("between us", from: "dave"), to: direct)
    _ = try fixture.store.append(messages("another matter", from: "bob"), to: other)
    _ = try fixture.store.linkAccounts([.name("dave"), .name("eve")], to: "Ann")
    return fixture
  }

  private func screen(_ fixture: StoreFixture) throws -> StoreFixture.Screen {
    var screen = try fixture.screen(rows: 24, columns: 100)
    screen.session.lookUps.person.interval = .zero
    return screen
  }

  private func texts(_ screen: StoreFixture.Screen) -> [String] {
    screen.lines.filter { $0.contains(":") }.map { line in
      let words = line.split(separator: " ").suffix(4)
      return words.last.map { "\(words.dropLast().last ?? "") \($0)" } ?? ""
    }
  }

  @Test func `the direct conversations are shown, both sides, with what was written elsewhere`() throws {
    var screen = try screen(try fixture())
    screen.finish(screen.type("/open @ann"))
    // Six between us; dave's and eve's of ten in `general`: 1, 2, 5, 6, 9 and 10.
    #expect(screen.status.hasPrefix(" @Ann  12 of 12"), "\(screen.terminal.picture)")
    #expect(screen.lines.contains { $0.contains("carol") && $0.hasSuffix("between us 6") })
    #expect(!screen.lines.contains { $0.contains("another matter") || $0.contains("message 3") })
    screen.finish(screen.type("/set person direct"))
    screen.finish(screen.handle(.key(.redraw)))
    #expect(screen.status.hasPrefix(" @Ann  6 of 6"), "\(screen.terminal.picture)")
    screen.finish(screen.type("/filter from:carol"))
    #expect(screen.status.contains("3 of 3"))
    screen.finish(screen.type("/set person all"))
    screen.finish(screen.type("/filter -from:carol"))
    #expect(screen.status.contains("9 of 9"), "\(screen.status)")
  }

  @Test func `people have their names where messages are shown, and exports those that were written`() throws
  {
    let fixture = try fixture()
    var screen = try screen(fixture)
    #expect(screen.lines.contains { $0.contains("Ann  message 9") }, "\(screen.terminal.picture)")
    #expect(!screen.lines.contains { $0.contains("dave") || $0.contains("eve") })
    _ = try fixture.store.undoPeople()
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.lines.contains { $0.contains("dave  message 9") }, "\(screen.terminal.picture)")
    _ = try fixture.store.linkAccounts([.name("dave")], to: "Anna")
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.lines.contains { $0.contains("Anna  message 9") }, "\(screen.terminal.picture)")
    #expect(try fixture.transcript("/goto 9") == "2024-05-01 20:00:00  Anna  message 9\n")
    #expect(try fixture.transcript("/goto 9\n/export | cat").contains("dave  message 9"))
  }

  @Test func `accounts that are linked to me are mine, under the names that they have`() throws {
    let fixture = try StoreFixture(count: 10)
    var screen = try fixture.screen(rows: 12, columns: 100)
    func isBold(_ name: String) -> [String] {
      screen.session.reader.view.shown.flatMap { $0.row.spans }.filter {
        $0.text == name && $0.style == .own
      }.map(\.text)
    }
    #expect(isBold("alice").isEmpty)
    _ = try fixture.store.linkAccounts([.name("alice")], to: Person.me)
    screen.finish(screen.handle(.storeChanged))
    #expect(!isBold("alice").isEmpty && isBold("bob").isEmpty, "\(screen.terminal.picture)")
    #expect(screen.lines.contains { $0.contains("alice") })
  }

  @Test func `a person who is not there is said with the nearest`() throws {
    var screen = try screen(try fixture())
    screen.finish(screen.type("/open @anne"))
    #expect(screen.status.contains("no person '@anne'; did you mean 'Ann'?"), "\(screen.status)")
    #expect(screen.session.context.conversation.name == "general")
  }

  @Test func `links that are made, undone and renamed elsewhere change what is shown`() throws {
    let fixture = try fixture()
    var screen = try screen(fixture)
    screen.finish(screen.type("/open @ann"))
    _ = try fixture.store.linkAccounts([.name("bob")], to: "Ann")
    screen.finish(screen.handle(.storeChanged))
    // Bob's two in `general`, and six of another direct conversation.
    #expect(screen.status.hasPrefix(" @Ann  20 of 20"), "\(screen.terminal.picture)")
    _ = try fixture.store.renamePerson(try fixture.store.person(named: "Ann").id, to: "Anna")
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.status.hasPrefix(" @Anna  20 of 20"))
    _ = try fixture.store.undoPeople()
    _ = try fixture.store.undoPeople()
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.status.hasPrefix(" @Ann  12 of 12"))
    _ = try fixture.store.undoPeople()
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.status.contains("there is no person @Ann any more"))
    screen.finish(screen.handle(.key(.redraw)))
    #expect(screen.session.reader.view.window.isEmpty && screen.status.contains("no messages yet"))
    _ = try fixture.store.linkAccounts([.name("eve")], to: "ann")
    screen.finish(screen.handle(.storeChanged))
    screen.finish(screen.handle(.key(.redraw)))
    #expect(screen.status.hasPrefix(" @ann  3 of 3"), "who is called so by now: \(screen.terminal.picture)")
  }

  @Test func `what came in is shown at once, and a direct conversation that begins is one of them`() throws {
    let fixture = try fixture()
    var screen = try screen(fixture)
    screen.finish(screen.type("/open @ann"))
    let new = try fixture.store.makeConversation(named: "eve", isDirect: true).id
    _ = try fixture.store.append("mine", from: "carol", replyTo: nil, to: new)
    _ = try fixture.store.append("yours", from: "eve", replyTo: nil, to: new)
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.lines.suffix(2).map { $0.hasSuffix("mine") || $0.hasSuffix("yours") } == [true, true])
    #expect(screen.status.hasPrefix(" @Ann  14 of 14"), "\(screen.terminal.picture)")
  }

  @Test func `of what is read, the direct conversations alone are marked`() throws {
    let fixture = try fixture()
    for name in ["general", "dave"] {
      let conversation = try #require(try fixture.store.conversation(named: name))
      try fixture.store.markRead(conversation.id, upTo: try #require(conversation.oldest))
    }
    var context = try fixture.context()
    context.enter(try fixture.store.timeline(.person("ann")))
    var screen = StoreFixture.Screen(
      fixture: fixture, session: try Session(context, rows: 24, columns: 100),
      terminal: .init(rows: 24, columns: 100))
    screen.finish(screen.handle(.timePassed))
    #expect(screen.lines.contains { $0.hasPrefix("── new") }, "\(screen.terminal.picture)")
    screen.session.writeReadPositions()
    let direct = try #require(try fixture.store.conversation(named: "dave"))
    let general = try #require(try fixture.store.conversation(named: "general"))
    #expect(direct.readUpTo == direct.newest && general.readUpTo == general.oldest)
  }

  @Test func `a reply goes into the conversation of its message, and text without one nowhere`() throws {
    let fixture = try fixture()
    var screen = try screen(fixture)
    screen.finish(screen.type("/open @ann"))
    screen.finish(screen.type("hello"))
    #expect(screen.status.contains("not sent: this view has many conversations"))
    let row = try #require(screen.lines.first { $0.hasSuffix("between us 6") })
    screen.finish(screen.type("/reply \(row.prefix(1)) yes"))
    #expect(try fixture.store.conversation(named: "dave")?.messageCount == 7)
  }

  @Test func `direct conversations are those where one of the senders wrote`() throws {
    let fixture = try fixture()
    let store = fixture.store
    let senders = try store.senders().reduce(into: [:]) { $0[$1.sender.name] = $1.sender.id }
    func names(_ wanted: String...) throws -> [String] {
      let ids = try store.directConversations(with: Set(wanted.compactMap { senders[$0] }))
      return try ids.sorted().compactMap { try store.conversationName($0) }
    }
    #expect(try names("dave") == ["dave"] && names("dave", "bob") == ["dave", "bob"])
    #expect(try names("carol") == ["dave", "bob"] && names("alice").isEmpty && names().isEmpty)
    let direct = try #require(try store.conversation(named: "dave"))
    let page = try store.page(PageRequest(Selection(direct.id), fetchLimit: 10))
    try store.delete(page.messages.filter { $0.sender?.name == "dave" }.map(\.id))
    #expect(try names("dave").isEmpty, "who wrote nothing there any more")
  }
}

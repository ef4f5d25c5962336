import ChatSession
import Foundation
import MessageModel
import MessageStorage
import MessageWindows
import Testing

/// Where a reader was in a conversation: over `/open`, `/back` and runs.
struct KeptPlaceTests {
  /// The rows of the messages, without their letters, and of the status line.
  private func seen(_ screen: StoreFixture.Screen) -> [String] {
    screen.lines.map { String($0.dropFirst(2)) } + [screen.status]
  }

  @Test func `a conversation that is opened again is shown where it was left`() throws {
    var screen = try StoreFixture().screen()
    screen.finish(screen.type("/goto 30"))
    screen.finish(screen.handle(.key(.rowNewer)))
    let before = seen(screen)
    screen.finish(screen.type("/open random"))
    #expect(screen.status.contains("no messages yet"))
    screen.finish(screen.type("/open general"))
    #expect(seen(screen) == before)
    screen.finish(screen.type("/bottom"))
    let newest = seen(screen)
    screen.finish(screen.type("/open random"))
    screen.finish(screen.type("/open general"))
    #expect(seen(screen) == newest, "who was at the newest message is there again")
  }

  @Test func `back leads to the conversation before, and on to where jumps began in it`() throws {
    var screen = try StoreFixture().screen()
    let newest = seen(screen)
    screen.finish(screen.type("/goto 30"))
    let place = seen(screen)
    screen.finish(screen.type("/open random"))
    screen.finish(screen.type("/back"))
    #expect(seen(screen) == place)
    screen.finish(screen.type("/forward"))
    #expect(screen.status.hasPrefix(" random"))
    screen.finish(screen.type("/back"))
    screen.finish(screen.type("/back"))
    #expect(seen(screen) == newest)
    screen.finish(screen.type("/back"))
    #expect(screen.status == " there is nothing to go back to")
  }

  @Test func `back returns from a mark of another conversation at once`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen()
    screen.finish(screen.type("/goto 30"))
    screen.finish(screen.type("/mark here"))
    screen.finish(screen.type("/open random"))
    screen.finish(screen.type("/goto 'here"))
    #expect(screen.lines[0].hasSuffix("message 30 of pears"))
    screen.finish(screen.type("/back"))
    #expect(screen.status.hasPrefix(" random"))
  }

  @Test func `a script goes back to the message at which it left a conversation`() throws {
    let printed = try StoreFixture().transcript("/goto 30\n/open random\n/back\n/older 1")
    #expect(
      printed.split(separator: "\n").map { $0.suffix(11) }
        == ["30 of pears", "30 of pears", "9 of apples"])
  }

  @Test func `places are kept for the next run, by store and conversation`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("places-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let state = StateFolder(environment: ["XDG_STATE_HOME": folder.path, "HOME": folder.path])
    let fixture = try StoreFixture()
    var screen = try fixture.screen()
    screen.finish(screen.type("/goto 30"))
    let before = seen(screen)
    screen.session.keepPlace()
    state.remember(screen.session.context.places, in: "/a store")
    state.remember(KeptPlaces([("general", WindowPosition(id: .lowest))]), in: "/another")
    var context = try fixture.context()
    context.places = state.places(in: "/a store")
    var next = StoreFixture.Screen(
      fixture: fixture, session: try Session(context, rows: 8, columns: 60),
      terminal: .init(rows: 8, columns: 60))
    #expect(seen(next) == before)
    next.finish(next.type("/open random"))
    next.finish(next.type("/back"))
    #expect(seen(next) == before)
    #expect(state.places(in: "/another").positions.map(\.position.id) == [.lowest])
    #expect(state.places(in: "/a").positions.isEmpty)
  }

  @Test func `Tab offers those first that were opened of late`() throws {
    let fixture = try StoreFixture()
    for name in ["alpha", "beta"] { _ = try fixture.store.makeConversation(named: name) }
    var screen = try fixture.screen()
    let context = screen.session.context
    func offered() -> [String] {
      Completion.candidates(in: "/open ", start: 6, end: 6) { context.names($0) }
    }
    #expect(offered() == ["alpha", "beta", "general", "random"])
    screen.finish(screen.type("/open random"))
    screen.finish(screen.type("/open beta"))
    screen.finish(screen.type("/open alpha"))
    #expect(offered() == ["beta", "random", "general", "alpha"])
  }

  @Test func `a message that is gone leaves its neighbour, and no number of places grows without end`() throws
  {
    let fixture = try StoreFixture()
    var screen = try fixture.screen()
    screen.finish(screen.type("/goto 30"))
    let id = try #require(screen.session.reader.sight.visible?.lowerBound)
    screen.finish(screen.type("/open random"))
    _ = try fixture.store.delete([id])
    screen.finish(screen.type("/open general"))
    #expect(screen.lines[0].hasSuffix("message 29 of apples"), "\(screen.terminal.picture)")
    let many = KeptPlaces((0..<5_000).map { ("c\($0)", WindowPosition(id: .lowest)) })
    #expect(many.positions.count <= 200 && many["c4999"] != nil && many["c0"] == nil)
  }

  @Test func `conversations are listed with what is unread and their newest message`() throws {
    let fixture = try StoreFixture()
    let general = try #require(try fixture.store.conversation(named: "general"))
    let page = try fixture.store.page(
      PageRequest(Selection(general.id), anchor: .ordinal(89), fetchLimit: 1))
    let read = try #require(page.messages.first)
    try fixture.store.markRead(general.id, upTo: read.id)
    let printed = try fixture.transcript("/conversations")
    #expect(
      printed == "general  100  2024-05-05 15:00  10 unread  bob: message 100 of pears\nrandom     0\n",
      "\(printed)")
    var screen = try fixture.screen(rows: 8, columns: 60)
    screen.finish(screen.type("/conversations"))
    #expect(screen.lines[0].hasSuffix("bob: message 100…") && screen.lines[0].count <= 60, "\(screen.lines)")
  }

  @Test func `clearing a filter leaves the message in view in its row`() throws {
    var screen = try StoreFixture().screen(rows: 12)
    screen.finish(screen.type("/filter from:alice"))
    screen.finish(screen.type("/goto 30"))
    screen.finish(screen.type("/search \"message 63\""))
    let row = try #require(screen.lines.firstIndex { $0.hasSuffix("message 63 of apples") })
    #expect(row > 0)
    screen.finish(screen.type("/filter"))
    #expect(screen.lines[row].hasSuffix("message 63 of apples"), "\(screen.terminal.picture)")
    #expect(screen.lines[row - 1].hasSuffix("message 62 of pears"))
  }

  @Test func `from the newest of a filter it stays at that message, not at the newest of all`() throws {
    var screen = try StoreFixture().screen(rows: 12)
    screen.finish(screen.type("/filter \"message 40\" OR \"message 30\""))
    let row = try #require(screen.lines.lastIndex { $0.hasSuffix("message 40 of pears") })
    screen.finish(screen.type("/filter"))
    #expect(screen.lines[row].hasSuffix("message 40 of pears"), "\(screen.terminal.picture)")
  }
}

import MessageModel
import MessageStorage
import Testing

@testable import ChatSession

/// What is unread, by a key and in queries.
struct UnreadTests {
  /// `general` is read; `first`, `second` and `third` have three unread messages each, `third` the newest.
  private func fixture() throws -> StoreFixture {
    let fixture = try StoreFixture(count: 4)
    let general = try fixture.context().conversation
    try fixture.store.markRead(general.id, upTo: try #require(general.newest))
    for name in ["first", "second", "third"] {
      let id = try fixture.store.makeConversation(named: name).id
      for number in 1...3 {
        _ = try fixture.store.append("\(name) \(number)", from: "ann", replyTo: nil, to: id)
        // The first one is read.
        if number == 1 {
          try fixture.store.markRead(id, upTo: try #require(try fixture.store.conversation(id)?.newest))
        }
      }
    }
    return fixture
  }

  @Test
  func `a key opens one conversation with something unread after the other, at the first unread message`()
    throws
  {
    var screen = try fixture().screen(rows: 12, columns: 80)
    for name in ["third", "second", "first"] {
      screen.finish(screen.handle(.key(.nextUnread)))
      #expect(screen.session.context.conversation.name == name, "\(screen.terminal.picture)")
      #expect(screen.lines[0].hasSuffix("\(name) 2") || screen.lines.contains { $0.hasSuffix("\(name) 2") })
    }
    // All of it was on the screen.
    screen.finish(screen.handle(.key(.nextUnread)))
    #expect(screen.status.contains("nothing is unread elsewhere"), "\(screen.status)")
    screen.type("/back")
    #expect(screen.session.context.conversation.name == "second")
  }

  @Test func `what stays unread is gone to again when all others were opened`() throws {
    let fixture = try fixture()
    let long = try fixture.store.makeConversation(named: "long").id
    for number in 1...40 { _ = try fixture.store.append("\(number)", from: "ann", replyTo: nil, to: long) }
    var screen = try fixture.screen(rows: 8, columns: 80)
    func next() { screen.finish(screen.handle(.key(.nextUnread))) }
    for name in ["long", "third", "second", "first", "long"] {
      next()
      #expect(screen.session.context.conversation.name == name)
    }
  }

  @Test func `a query finds unread messages, which stay while they are read`() throws {
    let fixture = try fixture()
    var screen = try fixture.screen(rows: 12, columns: 80)
    screen.type("/open *")
    screen.finish(screen.type("/filter is:unread"))
    #expect(
      screen.lines.filter { $0.contains("ann") }.count > 0
        && !screen.lines.contains { $0.contains("message") })
    #expect(screen.status.contains("6 of"), "\(screen.status)")
    for name in ["first", "second", "third"] {
      let id = try #require(try fixture.store.conversation(named: name)).id
      try fixture.store.markRead(id, upTo: try #require(try fixture.store.conversation(id)?.newest))
    }
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.lines.contains { $0.hasSuffix("third 3") }, "\(screen.terminal.picture)")
    screen.finish(screen.type("/filter is:unread"))
    #expect(!screen.lines.contains { $0.hasSuffix("third 3") }, "\(screen.terminal.picture)")
  }
}

import ChatSession
import MessageModel
import MessageWindows
import Testing

struct FreezingTests {
  private func append(_ texts: [String], to fixture: StoreFixture) throws {
    let general = try fixture.context().conversation.id
    for text in texts { _ = try fixture.store.append(text, from: "dave", replyTo: nil, to: general) }
  }

  @Test func `a frozen view reads on from the state it was frozen in`() throws {
    let fixture = try StoreFixture(count: 3_000)
    var screen = try fixture.screen(rows: 8, columns: 80)
    screen.type("/freeze on")
    try append(["new one", "new two"], to: fixture)
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.status.hasSuffix("frozen: +2 −0 ~0"))
    // Far away from what is held.
    screen.type("/goto 100")
    #expect(screen.lines[0].hasSuffix("message 100 of pears") && screen.status.contains("100 of 3,000"))
    screen.handle(.key(.pageOlder))
    screen.type("/bottom")
    #expect(screen.lines.last?.hasSuffix("message 3000 of pears") == true)
    screen.type("/freeze off")
    #expect(screen.lines.last?.hasSuffix("dave  new two") == true && !screen.status.contains("frozen"))
  }

  @Test func `it goes on by itself when it is old, and says so`() throws {
    var screen = try StoreFixture().screen(rows: 8, columns: 80)
    screen.session.reader.view.window.freezeLimits.age = .zero
    #expect(screen.session.reader.wakesAt == nil)
    screen.type("/freeze on")
    #expect(screen.session.reader.wakesAt != nil && screen.status.hasSuffix("frozen: +0 −0 ~0"))
    screen.handle(.timePassed)
    #expect(screen.status.hasPrefix(" the view goes on: it was frozen for 0 minutes"))
    #expect(screen.session.reader.wakesAt == nil)
  }

  @Test func `it goes on by itself when the log of the store grows, and says so`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(rows: 8, columns: 80)
    screen.session.reader.view.window.freezeLimits.pinnedByteCount = 100_000
    screen.type("/freeze on")
    try append(["small"], to: fixture)
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.status.hasSuffix("frozen: +1 −0 ~0"))
    try append((0..<30).map { "\($0) " + String(repeating: "large ", count: 600) }, to: fixture)
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.status.hasPrefix(" the view goes on: the store's log has grown to"))
    screen.handle(.key(.newest))
    #expect(screen.status.contains("131 of 131"))
  }
}

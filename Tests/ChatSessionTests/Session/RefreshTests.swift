import ChatSession
import MessageModel
import MessageSourceTesting
import MessageStorage
import TestSupport
import Testing

/// What has changed is read again on another thread.
struct RefreshTests {
  private func fixture(rows: Int = 8, filters: Bool = true) throws -> (StoreFixture.Screen, Conversation.ID) {
    let fixture = try StoreFixture(count: 400)
    var screen = try fixture.screen(rows: rows, columns: 80)
    if filters { screen.finish(screen.type("/filter from:alice")) }
    return (screen, try fixture.context().conversation.id)
  }

  @Test(arguments: [true, false])
  func `a change is shown when it has been read`(filters: Bool) throws {
    var (screen, general) = try fixture(filters: filters)
    let before = screen.lines
    try screen.fixture.store.append([NewMessage("new", from: "alice")], to: general)
    let outcome = screen.handle(.storeChanged)
    #expect(outcome.jobs.map(\.lane) == [.refresh] && screen.lines == before)
    screen.finish(outcome)
    #expect(screen.lines.last?.hasSuffix("new") == true, "\(screen.terminal.picture)")
  }

  @Test(arguments: [8, 24, 36, 50])
  func `messages below the screen count as new until they are seen`(rows: Int) throws {
    var (screen, general) = try fixture(rows: rows, filters: false)
    screen.handle(.key(.pageOlder))
    try screen.fixture.store.append((1...3).map { NewMessage("new \($0)", from: "dave") }, to: general)
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.status.contains("↓ 3 new"))
    screen.handle(.key(.pageNewer))
    #expect(screen.status.contains("↓ 3 new"), "\(screen.terminal.picture)")
    try screen.fixture.store.append([NewMessage("new 4", from: "dave")], to: general)
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.status.contains("↓ 4 new"), "\(screen.terminal.picture)")
    screen.handle(.key(.pageNewer))
    #expect(!screen.status.contains("new") && screen.lines.last?.contains("new 4") == true)
  }

  @Test func `changes while one is being read are read after it, once`() throws {
    var (screen, general) = try fixture()
    try screen.fixture.store.append([NewMessage("first", from: "alice")], to: general)
    let first = screen.handle(.storeChanged)
    for text in ["second", "third"] {
      try screen.fixture.store.append([NewMessage(text, from: "alice")], to: general)
      #expect(screen.handle(.storeChanged).jobs.isEmpty)
    }
    screen.finish(first)
    #expect(screen.lines.last?.hasSuffix("third") == true, "\(screen.terminal.picture)")
    #expect(screen.handle(.storeChanged).jobs.isEmpty)
    try screen.fixture.store.append([NewMessage("fourth", from: "alice")], to: general)
    #expect(screen.handle(.storeChanged).jobs.map(\.lane) == [.refresh])
  }

  @Test func `who jumps meanwhile sees the change at once, and the late page changes nothing`() throws {
    var (screen, general) = try fixture()
    try screen.fixture.store.append([NewMessage("new", from: "alice")], to: general)
    let late = screen.handle(.storeChanged)
    screen.handle(.key(.oldest))
    #expect(screen.lines.contains { $0.hasSuffix("message 1 of apples") })
    screen.handle(.key(.newest))
    let before = screen.terminal.lines
    #expect(screen.lines.last?.hasSuffix("new") == true)
    screen.finish(late)
    #expect(screen.terminal.lines == before)
  }

  @Test func `another conversation takes no page of the one before`() throws {
    var (screen, general) = try fixture()
    try screen.fixture.store.append([NewMessage("new", from: "alice")], to: general)
    let late = screen.handle(.storeChanged)
    screen.type("/open random")
    let before = screen.terminal.lines
    screen.finish(late)
    #expect(screen.terminal.lines == before)
  }

  @Test func `what could not be read is read again where its reason can be told`() throws {
    var (screen, general) = try fixture()
    try screen.fixture.store.append([NewMessage("new", from: "alice")], to: general)
    let outcome = screen.handle(.storeChanged)
    screen.fixture.store.close()
    screen.finish(outcome)
    #expect(screen.status.contains("cannot read messages"), "\(screen.status)")
  }

  /// At any moment the screen is what reading all anew would show, but for what nobody has been told of yet.
  @Test(arguments: UInt64(0)..<(isLong ? 8 : 4))
  func `a walk with late pages ends where reading at once would have ended`(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    var (screen, general) = try fixture(
      rows: Int.random(in: 5...30, using: &dice), filters: seed.isMultiple(of: 2))
    var ids = try screen.fixture.store.append([NewMessage("x", from: "alice")], to: general)
    var late: [Effects] = []
    for step in 0..<60 {
      switch Int.random(in: 0..<10, using: &dice) {
      case 0..<3:
        let count = Int.random(in: 1...40, using: &dice)
        let texts = (0..<count).map {
          NewMessage("\(step).\($0)", from: $0.isMultiple(of: 2) ? "alice" : "bob")
        }
        ids += try screen.fixture.store.append(texts, to: general)
        late.append(screen.handle(.storeChanged))
      case 3 where !ids.isEmpty:
        _ = try screen.fixture.store.delete([ids.remove(at: Int.random(in: ids.indices, using: &dice))])
        late.append(screen.handle(.storeChanged))
      case 4 where !late.isEmpty:
        screen.finish(late.remove(at: Int.random(in: late.indices, using: &dice)))
      case 5: screen.finish(screen.handle(.key([.oldest, .newest].randomElement(using: &dice) ?? .newest)))
      default:
        let keys: [ReplKey] = [.pageOlder, .pageOlder, .pageNewer, .rowOlder, .rowsNewer, .halfOlder]
        screen.handle(.key(keys.randomElement(using: &dice) ?? .pageOlder))
      }
    }
    for outcome in late { screen.finish(outcome) }
    screen.finish(screen.handle(.storeChanged))
    let shown = screen.terminal.lines
    screen.handle(.key(.redraw))
    #expect(screen.terminal.lines == shown)
    let held = screen.session.reader.view.window.messages
    let first = try #require(held.first)
    let last = try #require(held.last)
    let wanted = try screen.fixture.store.page(
      PageRequest(screen.session.reader.view.window.selection, anchor: .around(first.id), fetchLimit: 10_000)
    )
    #expect(held == wanted.messages.filter { $0.id >= first.id && $0.id <= last.id })
  }
}

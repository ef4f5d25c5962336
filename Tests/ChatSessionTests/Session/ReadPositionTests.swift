import ChatSession
import Foundation
import MessageModel
import MessageStorage
import Testing

/// How far was read is written, but no key waits for that.
struct ReadPositionTests {
  /// A store that was read up to message 50 of 100, and who has just opened it and gone there.
  private func unread(interval: Duration = .seconds(86_400)) throws -> (StoreFixture, StoreFixture.Screen) {
    let fixture = try StoreFixture()
    let general = try fixture.context().conversation.id
    let page = try fixture.store.page(PageRequest(Selection(general), anchor: .ordinal(49), fetchLimit: 1))
    try fixture.store.markRead(general, upTo: try #require(page.messages.first).id)
    var screen = try fixture.screen(rows: 12)
    screen.session.marking.interval = interval
    screen.type("/goto unread")
    return (fixture, screen)
  }

  private func readUpTo(_ fixture: StoreFixture) throws -> String? {
    let general = try fixture.context().conversation
    return try general.readUpTo.flatMap { try fixture.store.text(of: $0) }
  }

  @Test func `going through unread messages writes nothing`() throws {
    var (fixture, screen) = try unread()
    let before = try commits(fixture)
    for _ in 1...3 { #expect(!screen.handle(.key(.pageNewer)).jobs.contains { $0.lane == .marks }) }
    #expect(try commits(fixture) == before && readUpTo(fixture) == "message 50 of pears")
    #expect(screen.session.wakesAt != nil)
  }

  @Test func `how far was read is written by a job, once for all that was read meanwhile`() throws {
    var (fixture, screen) = try unread(interval: .zero)
    let before = try commits(fixture)
    let keys = (1...4).map { _ in screen.handle(.key(.pageNewer)) }
    // As long as one is under way no other begins.
    #expect(keys.flatMap(\.jobs).filter { $0.lane == .marks }.count == 1)
    #expect(try commits(fixture) == before)
    for key in keys { screen.finish(key) }
    screen.finish(screen.handle(.timePassed))
    #expect(try commits(fixture) == before + 2)
    #expect(
      try readUpTo(fixture) == screen.session.reader.view.visible.last.map { try fixture.store.text(of: $0) })
    #expect(screen.session.wakesAt == nil)
  }

  @Test func `what I write and how far I have read are one commit`() throws {
    var (fixture, screen) = try unread(interval: .zero)
    screen.handle(.key(.pageNewer))
    let before = try commits(fixture)
    screen.finish(screen.type("hello"))
    for _ in 1...3 { screen.finish(screen.handle(.timePassed)) }
    #expect(try commits(fixture) == before + 1)
    #expect(try readUpTo(fixture) == "hello")
  }

  @Test func `a message that cannot be written marks nothing as read`() throws {
    let (fixture, _) = try unread()
    let general = try fixture.context().conversation.id
    #expect(throws: StoreError.self) {
      try fixture.store.append(
        [NewMessage("no", replyTo: .message(Message.ID(rawValue: 7)))], to: general, reading: ReadPositions())
    }
    #expect(try readUpTo(fixture) == "message 50 of pears")
  }

  @Test func `what is not written yet counts as read here`() throws {
    let (fixture, _) = try unread()
    var screen = try fixture.screen(rows: 12, columns: 80)
    // All of it is seen.
    screen.type("/goto unread")
    for _ in 1...9 { screen.handle(.key(.pageNewer)) }
    #expect(try readUpTo(fixture) == "message 50 of pears")
    screen.type("/open random")
    screen.type("/open general")
    #expect(
      !screen.terminal.lines.contains { $0.hasPrefix("── new ──") } && !screen.status.contains("unread"))
    screen.type("/goto 10")
    screen.type("/goto unread")
    #expect(screen.lines.last?.hasSuffix("message 100 of pears") == true, "\(screen.terminal.picture)")
    var printer = StoreFixture.Printer(
      fixture: fixture,
      session: try Session(
        screen.session.context,
        at: PrintingReader.Terminal(.init(.none), rows: 8, columns: 60, isPlain: true),
        write: { _ in }, complain: { _ in }), paper: StoreFixture.Printer.Paper())
    printer.type("/goto 10")
    printer.type("/goto unread")
    #expect(printer.session.reader.sight.isAtNewestEdge)
  }

  @Test func `what is marked as unread stays so until the conversation is opened again`() throws {
    let fixture = try StoreFixture()
    let general = try fixture.context().conversation.id
    var screen = try fixture.screen(rows: 12, columns: 80)
    screen.session.marking.interval = .zero
    let visible = screen.session.reader.view.visible
    let before = visible[visible.count - 3]
    screen.finish(screen.type("/unread #\(visible[visible.count - 2])"))
    let line = try #require(screen.lines.firstIndex { $0.hasPrefix("── new ──") })
    #expect(screen.lines[line + 1].contains("message 99 of "), "\(screen.terminal.picture)")
    for _ in 1...3 { screen.finish(screen.handle(.timePassed)) }
    #expect(try fixture.store.conversation(general)?.readUpTo == before)
    screen.finish(screen.type("/open random"))
    screen.finish(screen.type("/open general"))
    for _ in 1...3 { screen.finish(screen.handle(.timePassed)) }
    #expect(try readUpTo(fixture) == "message 100 of pears")
  }

  @Test func `what I wrote on another device is not unread`() throws {
    let fixture = try StoreFixture()
    let general = try fixture.context().conversation.id
    try fixture.store.setMe([SenderKey(name: "my phone")])
    try fixture.store.markRead(general, upTo: .highest)
    try fixture.store.append([NewMessage("on my way", from: "my phone")], to: general)
    let read = try fixture.screen(rows: 12, columns: 80)
    #expect(!read.lines.contains { $0.hasPrefix("── new ──") } && !read.status.contains("unread"))
    try fixture.store.append([NewMessage("good", from: "dave")], to: general)
    let screen = try fixture.screen(rows: 12, columns: 80)
    let line = try #require(screen.lines.firstIndex { $0.hasPrefix("── new ──") })
    #expect(screen.lines[line - 1].hasSuffix("on my way"), "\(screen.terminal.picture)")
    #expect(screen.lines[line + 1].hasSuffix("good"))
  }

  @Test func `a store that takes nothing is not asked again and again`() throws {
    let fixture = try StoreFixture()
    let path = fixture.store.path
    let store = try SynchronousMessageStore(path: path, options: .readOnly)
    defer { store.close() }
    let general = try #require(try store.conversation(named: "general"))
    var session = try Session(
      ReplContext(store: store, conversation: general, me: "carol", zone: .gmt, now: systemTime),
      rows: 8, columns: 60)
    session.marking.interval = .zero
    _ = session.handle(.timePassed)
    let jobs = session.handle(.timePassed).jobs
    #expect(jobs.map(\.lane) == [.marks])
    for report in jobs.flatMap({ $0.reports() }) { #expect(session.handle(.reported(report)).jobs.isEmpty) }
    #expect(session.wakesAt == nil && session.handle(.timePassed).jobs.isEmpty)
  }

  /// How many transactions there are in the log of a store.
  ///
  /// A frame that ends one tells the size of the file: <https://sqlite.org/fileformat2.html#walformat>.
  private func commits(_ fixture: StoreFixture) throws -> Int {
    let log = Array(try Data(contentsOf: URL(fileURLWithPath: fixture.store.path + "-wal")))
    func number(_ offset: Int) -> Int { log[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) } }
    let salt = log[16..<24]
    return stride(from: 32, to: log.count - 23, by: 24 + number(8)).count {
      log[($0 + 8)..<($0 + 16)].elementsEqual(salt) && number($0 + 4) > 0
    }
  }
}

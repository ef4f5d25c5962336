import ChatSession
import Foundation
import MessageModel
import MessageStorage
import Synchronization
import TestSupport
import Testing

/// `/threads`, threads as filters, and answers beside the messages that began them.
struct ThreadCommandTests {
  /// A store in which messages 2 and 5 have answers, the first ones answers of their own.
  private func fixture(count: Int = 8) throws -> (StoreFixture, ids: [Message.ID], general: Conversation.ID) {
    let fixture = try StoreFixture(minutely: count)
    let general = try fixture.context().conversation.id
    let ids = try fixture.store.page(
      PageRequest(Selection(general), anchor: .oldest, fetchLimit: count)
    ).messages.map(\.id)
    let first = try fixture.store.append("yes to 2", from: "dave", replyTo: ids[1], to: general)
    try fixture.store.append("no to yes", from: "erin", replyTo: first, to: general)
    _ = try fixture.store.append(
      [NewMessage("of thread 5", from: "dave", thread: .message(ids[4]))], to: general)
    return (fixture, ids, general)
  }

  @Test
  func `the beginning of a thread says how many answers it has, of which those that came later are new`()
    throws
  {
    let (fixture, ids, general) = try fixture()
    try fixture.store.markRead(general, upTo: try #require(try fixture.store.messages(last: general)))
    var screen = try fixture.screen(rows: 24, columns: 80)
    #expect(screen.lines.count { $0.contains("↳ ") } == 2, "\(screen.terminal.picture)")
    let place = try #require(screen.lines.firstIndex { $0.hasSuffix("message 2") })
    #expect(screen.lines[place + 1].hasSuffix("↳ 2 replies"))
    try fixture.store.append("me too", from: "frank", replyTo: ids[1], to: general)
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.lines.contains { $0.hasSuffix("↳ 3 replies · 1 new") }, "\(screen.terminal.picture)")
    #expect(screen.lines.contains { $0.hasSuffix("↳ 1 reply") })
    // Who writes has read all.
    screen.type("well")
    screen.finish(screen.type("y"))
    #expect(!screen.lines.contains { $0.contains("new") && $0.contains("↳") }, "\(screen.terminal.picture)")
  }

  @Test func `an answer that comes in is counted where the reader is, far from the newest messages`() throws {
    let (fixture, ids, general) = try fixture(count: 300)
    var screen = try fixture.screen(rows: 12, columns: 80)
    screen.handle(.key(.oldest))
    #expect(screen.lines.contains { $0.hasSuffix("↳ 2 replies") }, "\(screen.terminal.picture)")
    try fixture.store.append("late", from: "frank", replyTo: ids[1], to: general)
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.lines.contains { $0.contains("↳ 3 replies") }, "\(screen.terminal.picture)")
    _ = try fixture.store.delete([ids[4]])
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.lines.count { $0.contains("↳") } == 1, "\(screen.terminal.picture)")
  }

  @Test func `counting takes a statement for many messages, and none again as long as nothing changes`()
    throws
  {
    let counts = Counts()
    let trace = StatementTrace { sql in if sql.contains("asked") { counts.add() } }
    let fixture = try StoreFixture(count: 400, minutesApart: 1, trace: trace)
    let general = try fixture.context().conversation.id
    let first = try #require(
      try fixture.store.page(PageRequest(Selection(general), anchor: .oldest, fetchLimit: 1)).messages.first)
    try fixture.store.append("yes", from: "dave", replyTo: first.id, to: general)
    var screen = try fixture.screen(rows: 42, columns: 80)
    let begun = counts.value
    #expect(begun <= 3)
    for _ in 0..<5 {
      screen.handle(.key(.rowOlder))
      screen.handle(.key(.rowNewer))
    }
    #expect(counts.value <= begun + 1)
    for _ in 0..<8 { screen.handle(.key(.pageOlder)) }
    #expect(counts.value <= begun + 17)
  }

  @Test func `where nothing is answered nothing is asked again`() throws {
    let counts = Counts()
    let trace = StatementTrace { sql in
      if sql.contains("asked") || sql.contains("thread IS NOT NULL") { counts.add() }
    }
    var screen = try StoreFixture(count: 400, minutesApart: 1, trace: trace).screen(rows: 42, columns: 80)
    let begun = counts.value
    for _ in 0..<8 { screen.handle(.key(.pageOlder)) }
    #expect(counts.value == begun && begun <= 4)
  }

  @Test func `a thread is a filter by a letter, its number or its id, and can be saved`() throws {
    let (fixture, ids, general) = try fixture()
    var screen = try fixture.screen(rows: 24, columns: 80)
    let line = try #require(screen.lines.first { $0.hasSuffix("yes to 2") || $0.hasSuffix("no to yes") })
    let letters = try #require(
      screen.lines.first { $0.hasSuffix("message 2") }?.split(separator: " ").first.map(String.init))
    #expect(!line.isEmpty)
    screen.finish(screen.type("/filter thread:\(letters)"))
    let texts = { (screen: StoreFixture.Screen) in
      screen.lines.filter { line in !line.isEmpty && !["↪", "↳", "──"].contains { line.contains($0) } }
        .compactMap { $0.split(separator: " ").last }
    }
    #expect(texts(screen) == ["2", "2", "yes"], "\(screen.terminal.picture)")
    screen.finish(screen.type("/filter save tea"))
    #expect(try fixture.store.savedFilter(named: "tea")?.words == "thread:\(ids[1])")
    try fixture.store.append("later", from: "frank", replyTo: ids[1], to: general)
    screen.finish(screen.type("/filter"))
    screen.finish(screen.type("/filter tea"))
    #expect(texts(screen) == ["2", "2", "yes", "later"], "\(screen.terminal.picture)")
    let script = try fixture.transcript(
      "/filter thread:#\(ids[1])\n/filter from:dave thread:\(ids[1])\n/filter thread:a")
    #expect(script.hasPrefix("4 messages\n1 message\n! "), "\(script)")
    #expect(script.contains("letters work only in the window"))
  }

  @Test func `threads are listed by their newest answers, narrowed, and gone to`() throws {
    let (fixture, ids, _) = try fixture(count: 60)
    var screen = try fixture.screen(rows: 10, columns: 80)
    screen.type("/threads")
    #expect(
      screen.lines[0].contains("1 reply ") && screen.lines[0].contains("message 5"),
      "\(screen.terminal.picture)")
    #expect(screen.lines[1].contains("2 replies") && screen.lines[1].contains("message 2"))
    screen.handle(.typed("message 2"))
    #expect(screen.lines[0].contains("message 2") && screen.lines[1].isEmpty)
    screen.finish(screen.type("message 2"))
    #expect(screen.lines.contains { $0.hasSuffix("message 2") }, "\(screen.terminal.picture)")
    let printed = try fixture.transcript("/threads\n/threads #\(ids[0])")
    #expect(printed.contains("#\(ids[4])") && printed.hasSuffix("there are no older threads\n"))
  }

  @Test(arguments: [false, true])
  func `without a window answers are counted below what is printed`(isPlain: Bool) throws {
    let (fixture, _, _) = try fixture()
    let printer = try fixture.printer(rows: 20, isPlain: isPlain)
    let lines = printer.printed().split(separator: "\n")
    let place = try #require(lines.firstIndex { $0.hasSuffix("message 2") })
    #expect(lines[place + 1].contains("↳ 2 replies"), "\(lines)")
    #expect(!(try fixture.transcript("/older 20").contains("↳")))
  }
}

/// A number that is counted up on any thread.
private final class Counts: Sendable {
  private let number = Mutex(0)

  var value: Int { number.withLock { $0 } }

  func add() { number.withLock { $0 += 1 } }
}

extension SynchronousMessageStore {
  /// The newest message of a conversation.
  fileprivate func messages(last conversation: Conversation.ID) throws -> Message.ID? {
    try page(PageRequest(Selection(conversation), fetchLimit: 1)).messages.last?.id
  }
}

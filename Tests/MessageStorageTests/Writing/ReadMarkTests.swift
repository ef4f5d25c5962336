import HistoryModel
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

/// Read marks of conversations and threads: what they may be, and how they move.
@Suite struct ReadMarkTests {
  private let temporary: TemporaryStore
  private var store: SynchronousMessageStore { temporary.store }
  private let room: Conversation.ID

  init() throws {
    temporary = try TemporaryStore()
    room = try temporary.store.makeConversation(named: "a").id
  }

  private func say(_ count: Int, by name: String = "ann") throws -> [Message.ID] {
    try store.append((0..<count).map { NewMessage("m \($0)", from: name) }, to: room)
  }

  private func unread() throws -> Int {
    let conversation = try #require(try store.conversation(room))
    return try #require(try store.unreadCounts(of: [conversation]).first)
  }

  private func mark() throws -> Message.ID? { try store.conversation(room)?.readUpTo }

  @Test func `a mark is a message that is there, whatever was asked for`() throws {
    let ids = try say(5)
    try store.markRead(room, upTo: .highest)
    #expect(try mark() == ids[4] && unread() == 0)
    let later = try say(2)
    #expect(try unread() == 2, "what comes later is unread")
    try store.markRead(room, upTo: Message.ID(rawValue: -5))
    try store.markRead(room, upTo: ids[0])
    #expect(try mark() == ids[4])
    _ = try store.delete([later[0]])
    try store.markRead(room, upTo: later[0])
    #expect(try mark() == ids[4] && unread() == 1)
    try store.markRead(room, upTo: later[1])
    #expect(try unread() == 0)
  }

  @Test func `a redacted message is not unread`() throws {
    let ids = try say(4)
    try store.markRead(room, upTo: ids[0])
    #expect(try store.timelineNews().everything.unread == 3)
    try store.redact([ids[1], ids[2]])
    #expect(try unread() == 1 && store.timelineNews().everything.unread == 1)
    #expect(try store.readMark(of: room) == ids[2])
    #expect(try store.firstUnread(in: room, after: ids[0]) == ids[3] && store.firstUnread() == ids[3])
    let page = try store.page(PageRequest(Selection(room), anchor: .firstUnread))
    #expect(page.resolution.message == ids[3])
    try store.redact([ids[3]])
    #expect(try unread() == 0 && store.firstUnread() == nil && store.readMark(of: room) == ids[3])
    try store.markRead(room, upTo: .highest)
    try store.markUnread(room)
    #expect(try unread() == 1, "the newest message that has its contents")
  }

  @Test func `redacted messages do not fill the limit of a count`() throws {
    let ids = try say(7)
    let reply = try store.append(
      (0..<2).map { NewMessage("re \($0)", from: "bo", replyTo: .message(ids[0])) }, to: room)
    try store.redact(Array(ids[0...3]) + [reply[0]])
    let links = MessagePredicate.not(.has(.link))
    #expect(
      try store.unreadCount(in: room, matching: links, limit: 4) == UnreadCount(count: 4, isExact: true))
    #expect(
      try store.unreadCount(in: room, matching: links, limit: 3) == UnreadCount(count: 3, isExact: false))
    #expect(try store.unreadCount(in: room, thread: ids[0]).count == 1)
    #expect(try store.threads(in: .all, limit: 1).threads.map(\.unreadCount) == [1])
  }

  @Test func `an id before the first message reads nothing, and nothing is read of an empty conversation`()
    throws
  {
    try store.markRead(room, upTo: .highest)
    #expect(try mark() == nil)
    let ids = try store.append((0..<2).map { NewMessage("\($0)", from: "ann", at: minute($0)) }, to: room)
    try store.markRead(room, upTo: Message.ID(rawValue: -5))
    #expect(try mark() == nil && unread() == 2)
    try store.markRead(room, upTo: ids[0].successor)
    #expect(try mark() == ids[0])
  }

  @Test func `marks of no conversation, and by messages of another one, are refused`() throws {
    let ids = try say(2)
    let other = try store.makeConversation(named: "b").id
    try store.append([NewMessage("x")], to: other)
    let unknown = Conversation.ID(rawValue: 99)
    #expect(throws: StoreError.self) { try store.markRead(unknown, upTo: ids[0]) }
    #expect(throws: StoreError.self) { try store.markUnread(unknown) }
    let error = #expect(throws: StoreError.self) { try store.markRead(other, upTo: ids[0]) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.cause == "message #\(ids[0]) is in another conversation")
    #expect(throws: StoreError.self) { try store.markUnread(other, from: ids[0]) }
    // A list of positions is a place in each: some may have gone meanwhile.
    var positions = ReadPositions()
    positions.note(ids[1], in: unknown)
    positions.note(.highest, in: room)
    try store.markRead(positions)
    #expect(try mark() == ids[1])
  }

  @Test func `a message by its former id is the one it is now`() throws {
    let ids = try store.append((0..<3).map { NewMessage("\($0)", from: "ann", at: minute($0)) }, to: room)
    let moved = try store.move(ids[0], to: minute(9))
    try store.markRead(room, upTo: ids[0])
    #expect(try mark() == moved && unread() == 0)
  }

  @Test func `a mark moves back where that is said`() throws {
    let ids = try say(5)
    try store.markUnread(room, from: ids[2])
    #expect(try mark() == nil && unread() == 5, "all was unread")
    try store.markRead(room, upTo: .highest)
    var state = ConversationListState()
    func change() throws -> [Int]? {
      try store.reading("") { try state.update(in: $0, store.senderNames.own) }?.updated.map(\.unreadCount)
    }
    #expect(try change() == [0])
    try store.markUnread(room)
    #expect(try change() == [1] && mark() == ids[3])
    try store.markUnread(room)
    #expect(try change() == nil, "one message is unread already")
    try store.markUnread(room, from: ids[2])
    #expect(try change() == [3])
    try store.markUnread(room, from: ids[4])
    #expect(try unread() == 3, "it does not move forward")
    try store.markUnread(room, from: .lowest)
    #expect(try unread() == 5 && mark() == ids[0].predecessor)
    let page = try store.page(PageRequest(Selection(room), anchor: .firstUnread))
    #expect(page.resolution.message == ids[0])
    try store.markRead(room, upTo: ids[1])
    #expect(try unread() == 3)
  }

  @Test func `imported history that counts as read can be marked as unread`() throws {
    var batch = ImportBatch()
    for index in 0..<4 { batch.add("\(index)", at: minute(index), .millisecond, in: "a") }
    try store.load([batch])
    #expect(try unread() == 0 && mark() == nil)
    try store.markUnread(room)
    #expect(try unread() == 1)
  }

  @Test func `my own message is not what becomes unread`() throws {
    try store.setMe([SenderKey(name: "ada")])
    let ids = try say(2)
    _ = try say(2, by: "ada")
    try store.markRead(room, upTo: .highest)
    try store.markUnread(room)
    #expect(try unread() == 1 && mark() == ids[0])
    let other = try store.makeConversation(named: "notes").id
    try store.append([NewMessage("mine", from: "ada")], to: other)
    try store.markRead(other, upTo: .highest)
    try store.markUnread(other)
    #expect(try store.unreadCount(in: other) == UnreadCount(count: 0, isExact: true))
  }

  @Test func `a thread has a mark of its own once it was marked`() throws {
    let start = try say(1)[0]
    let replies = try store.append(
      (0..<4).map { NewMessage("reply \($0)", from: "bob", replyTo: .message(start)) }, to: room)
    func counts() throws -> [Int] {
      let listed = try #require(try store.threads(in: .some([room]), limit: 1).threads.first)
      let shown = try store.answerCounts(of: [start], in: .some([room]), unreadAfter: mark() ?? .lowest)
      return [listed.unreadCount, try store.unreadCount(in: room, thread: replies[1]).count]
        + (shown?[start].map { [$0.unread] } ?? [])
    }
    try store.markRead(room, upTo: replies[0])
    #expect(try counts() == [3, 3, 3])
    try store.markRead(thread: start, upTo: replies[2])
    #expect(try counts() == [1, 1, 1] && mark() == replies[0])
    try store.markRead(thread: replies[3], upTo: .highest)
    #expect(try counts() == [0, 0, 0] && unread() == 3)
    try store.markRead(thread: start, upTo: replies[1])
    #expect(try counts() == [0, 0, 0], "it moves back only where that is said")
    try store.markUnread(thread: start, from: replies[1])
    #expect(try counts() == [3, 3, 3])
    try store.markUnread(thread: start, from: replies[3])
    #expect(try counts() == [3, 3, 3])
    try store.markRead(room, upTo: .highest)
    #expect(try counts() == [3, 3, 3], "the thread goes by its own mark")
    #expect(try store.check().problems == [])
  }

  @Test func `marks of threads are checked, and follow messages that are moved`() throws {
    let ids = try store.append(
      (0..<3).map { NewMessage("\($0)", from: "ann", at: minute($0 * 10)) }, to: room)
    let reply = try store.append(
      [NewMessage("r", from: "bob", at: minute(30), replyTo: .message(ids[0]))], to: room)[0]
    #expect(throws: StoreError.self) { try store.markRead(thread: ids[0], upTo: ids[1]) }
    #expect(throws: StoreError.self) { try store.markUnread(thread: ids[0], from: ids[1]) }
    #expect(throws: StoreError.self) { try store.markRead(thread: Message.ID(rawValue: 7), upTo: reply) }
    try store.markRead(thread: ids[0], upTo: reply)
    func unread() throws -> Int? { try store.threads(in: .some([room]), limit: 1).threads.first?.unreadCount }
    #expect(try unread() == 0)
    let start = try store.move(ids[0], to: minute(5))
    #expect(try unread() == 0)
    _ = try store.move(reply, to: minute(40))
    #expect(try unread() == 0)
    try store.append([NewMessage("r 2", from: "bob", at: minute(50), replyTo: .message(start))], to: room)
    #expect(try unread() == 1)
  }

  @Test func `mentions are counted among the unread messages, up to a limit`() throws {
    try store.setMe([SenderKey(name: "ada")])
    try store.append([NewMessage("hello ada", from: "bob")], to: room)
    try store.markRead(room, upTo: .highest)
    let start = try say(1)[0]
    try store.append(
      (0..<20).map { NewMessage($0 % 2 == 0 ? "ada, \($0)?" : "tea \($0)", from: "bob") }, to: room)
    try store.append([NewMessage("I am ada", from: "ada")], to: room)
    try store.append([NewMessage("ada!", from: "bob", replyTo: .message(start))], to: room)
    let mentions = MessagePredicate.matching("ada")
    #expect(try store.unreadCount(in: room, matching: mentions) == UnreadCount(count: 11, isExact: true))
    #expect(
      try store.unreadCount(in: room, matching: mentions, limit: 10) == UnreadCount(count: 10, isExact: false)
    )
    #expect(
      try store.unreadCount(in: room, matching: mentions, limit: 11) == UnreadCount(count: 11, isExact: true))
    #expect(
      try store.unreadCount(in: room, thread: start, matching: mentions)
        == UnreadCount(count: 1, isExact: true))
    #expect(try store.unreadCount(in: room) == UnreadCount(count: 22, isExact: true))
    #expect(try store.unreadCount(in: room, limit: 20) == UnreadCount(count: 20, isExact: false))
    #expect(throws: StoreError.self) { try store.unreadCount(in: room, matching: .regex("(")) }
  }

  @Test func `what no index finds is looked for in a bounded number of messages`() throws {
    try store.append((0..<40_000).map { NewMessage("\($0)") }, to: room)
    // Among 19999, 29999 and 39999 the last is too far.
    let count = try store.unreadCount(in: room, matching: .regex("[0-9][9]{4}$"))
    #expect(count == UnreadCount(count: 2, isExact: false))
  }
}

import HistoryModel
import MessageModel
import MessageStorage
import Testing

/// What is unread where nobody has said how far was read: what was appended since the import.
@Suite struct UnreadTests {
  private let temporary: TemporaryStore
  private var store: SynchronousMessageStore { temporary.store }

  init() throws { temporary = try TemporaryStore() }

  /// Imports messages of `c`, a minute apart.
  private func load(_ range: Range<Int>) throws {
    var batch = ImportBatch()
    for index in range {
      batch.add(
        "imported \(index)", at: Timestamp(millisecondsSince1970: 1_700_000_000_000 + Int64(index) * 60_000),
        in: "c")
    }
    try store.load([batch])
  }

  private func append(_ count: Int) throws {
    let id = try store.conversation(named: "c")?.id ?? store.makeConversation(named: "c").id
    _ = try store.append((0..<count).map { NewMessage("appended \($0)", from: "bob") }, to: id)
  }

  private func unread() throws -> Int {
    let c = try #require(try store.conversation(named: "c"))
    return try #require(try store.unreadCounts(of: [c]).first)
  }

  private func firstUnread() throws -> String? {
    let id = try #require(try store.conversation(named: "c")).id
    let page = try store.page(PageRequest(Selection(id), anchor: .firstUnread, fetchLimit: 1))
    return page.messages.first?.text
  }

  @Test func `imported history counts as read, and what is appended behind it does not`() throws {
    try load(0..<10)
    #expect(try unread() == 0)
    try append(3)
    #expect(try unread() == 3 && firstUnread() == "appended 0")
    try load(10..<12)
    #expect(try unread() == 3 && firstUnread() == "appended 0")
    let id = try #require(try store.conversation(named: "c")).id
    let page = try store.page(PageRequest(Selection(id), anchor: .newest, fetchLimit: 2))
    try store.markRead(id, upTo: page.messages[0].id)
    #expect(try unread() == 1 && firstUnread() == "appended 2")
  }

  @Test func `where nothing was imported or read, all is unread`() throws {
    try append(3)
    #expect(try unread() == 3 && firstUnread() == "appended 0")
    let c = try #require(try store.conversation(named: "c"))
    #expect(try store.readMark(of: c.id) == nil)
  }

  @Test func `behind very many messages the moment of the import parts them`() throws {
    try load(0..<10)
    try append(5_000)
    #expect(try unread() == 5_000 && firstUnread() == "appended 0")
  }

  @Test func `all who count ask the same`() throws {
    try load(0..<10)
    try append(4)
    let again = try temporary.another(.readOnly)
    defer { again.close() }
    let c = try #require(try again.conversation(named: "c"))
    #expect(try again.unreadCounts(of: [c]) == [4], "a store that cannot be written to tells it, too")
    #expect(try again.newestMessages(of: [c], \.text)[c.id] == "appended 3")
  }
}

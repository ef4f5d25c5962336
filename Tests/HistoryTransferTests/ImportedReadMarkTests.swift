import MessageModel
import MessageStorage
import Testing

@testable import HistoryTransfer

/// Read marks before and after an import.
@Suite struct ImportedReadMarkTests {
  private let followed: Followed
  private var store: SynchronousMessageStore { followed.store }
  private let room: Conversation.ID

  init() throws {
    followed = try Followed()
    room = try followed.store.makeConversation(named: "tea").id
    try followed.store.setMe([SenderKey(name: "ada")])
  }

  /// Returns the mark after `newer` came from an import, where `texts` were there and the first was read.
  private func mark(after texts: [(String, String)], newer: String) throws -> String? {
    let ids = try store.append(texts.map { NewMessage($0.1, from: $0.0) }, to: room)
    try store.markRead(room, upTo: ids[0])
    let marks = try ImportedReadMarks(in: store, now: Timestamp(millisecondsSince1970: 4_000_000_000_000))
    try store.append([NewMessage(newer, from: "bob")], to: room)
    try marks.move(in: store)
    return try store.conversation(room)?.readUpTo.flatMap { try store.message($0)?.text }
  }

  @Test func `newer history is read where only my own messages came after the mark`() throws {
    #expect(try mark(after: [("ann", "one"), ("ada", "mine")], newer: "imported") == "imported")
  }

  @Test func `newer history is unread where others wrote after the mark`() throws {
    #expect(try mark(after: [("ann", "one"), ("ann", "two")], newer: "imported") == "one")
  }
}

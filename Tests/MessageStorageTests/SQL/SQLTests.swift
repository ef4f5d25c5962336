import Foundation
import GRDB
import MessageModel
import Testing

@testable import MessageStorage

/// Statements in SQL, and the views that they ask.
@Suite struct SQLTests {
  private func rows(_ text: String, of store: SynchronousMessageStore) throws -> [[StoredRow.Value]] {
    var rows: [[StoredRow.Value]] = []
    try store.answer(text) {
      rows.append($0.values)
      return true
    }
    return rows
  }

  @Test func `a message in the view is the message of the model`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let conversation = try store.makeConversationIfNeeded(named: "tea 🍵").id
    let long = String(repeating: "long tea 🍵 ", count: 2_000)
    let first = try store.append(
      [NewMessage(long, from: "ann", at: Timestamp(millisecondsSince1970: -1))], to: conversation)[0]
    let answer = try store.append(
      [NewMessage("https://example.org", kind: .action, replyTo: .message(first))], to: conversation)[0]
    let found = try rows(
      "SELECT id, time, conversation, sender, kind, text, reply_to, has_link FROM messages ORDER BY id",
      of: store)
    #expect(
      found.first?.dropFirst() == [
        .text("1969-12-31T23:59:59.999Z"), .text("tea 🍵"), .text("ann"), .text("text"), .text(long), .null,
        .integer(0),
      ])
    #expect(found.first?.first == .integer(first.rawValue))
    #expect(
      found.last?.dropFirst(2) == [
        .text("tea 🍵"), .null, .text("action"), .text("https://example.org"), .integer(first.rawValue),
        .integer(1),
      ])
    #expect(found.last?.first == .integer(answer.rawValue))
    #expect(
      try rows("SELECT name, messages, first_time FROM conversations", of: store) == [
        [.text("tea 🍵"), .integer(2), .text("1969-12-31T23:59:59.999Z")]
      ])
  }

  @Test func `a text with U+0000 in it is answered whole`() throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversationIfNeeded(named: "tea").id
    try temporary.store.append([NewMessage("before\0after", from: "a\0b")], to: room)
    #expect(
      try rows("SELECT text, sender FROM messages", of: temporary.store) == [
        [.text("before\0after"), .text("a\0b")]
      ])
  }

  @Test func `each kind has the name in the view that it has in the model`() throws {
    let temporary = try TemporaryStore()
    let conversation = try temporary.store.makeConversationIfNeeded(named: "a").id
    // The view is frozen; a kind that comes later has its number there.
    let kinds = Message.Kind.allCases.filter { $0.rawValue <= 15 }
    for kind in kinds { _ = try temporary.store.append([NewMessage("x", kind: kind)], to: conversation) }
    let names = try rows("SELECT kind FROM messages ORDER BY id", of: temporary.store)
    #expect(names == kinds.map { [.text($0.name)] })
  }

  @Test func `a day and a word are looked up, and nothing is walked through`() throws {
    let temporary = try TemporaryStore()
    let plan = try rows(
      """
      EXPLAIN QUERY PLAN SELECT time, sender, text FROM messages
        WHERE id >= strftime('%s', '2024-05-01') * 4096000 AND id < strftime('%s', '2024-05-02') * 4096000 ORDER BY id
      """, of: temporary.store)
    let steps = plan.compactMap { row in if case .text(let text) = row[3] { text } else { nil } }
    #expect(steps.contains { $0.contains("USING INDEX message_id (id>? AND id<?)") }, "\(steps)")
    #expect(!steps.contains { $0.contains("SCAN") || $0.contains("B-TREE") }, "\(steps)")
  }

  @Test(arguments: [
    "DELETE FROM message", "ATTACH 'other.db' AS other", "VACUUM INTO 'other.db'",
    "PRAGMA journal_mode = DELETE",
    "CREATE TEMP TABLE a(b)", "BEGIN", "COMMIT", "WITH a AS (SELECT 1) DELETE FROM message",
    "/* SELECT */ DROP VIEW messages", "SELECT 1; DELETE FROM message", "SELECT nothing FROM messages",
    "SELEC", "SELECT (",
    "SELECT load_extension('x')", "SELECT writefile('x', 'y')", "EXPLAIN",
  ])
  func `what does not read, or is not SQL, is refused with a reason, and the store goes on`(text: String)
    throws
  {
    let temporary = try TemporaryStore()
    let conversation = try temporary.store.makeConversationIfNeeded(named: "a").id
    _ = try temporary.store.append([NewMessage("tea")], to: conversation)
    let error = #expect(throws: StoreError.self) { try rows(text, of: temporary.store) }
    #expect(error?.kind == .invalidRequest && error?.cause != nil, "\(String(describing: error))")
    #expect(try rows("-- one\n SELECT text FROM messages;;", of: temporary.store) == [[.text("tea")]])
    #expect(!FileManager.default.fileExists(atPath: "other.db"))
    _ = try temporary.store.append([NewMessage("more")], to: conversation)
  }

  @Test func `a statement without an end is stopped, and one that has enough rows ends`() throws {
    let temporary = try TemporaryStore()
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    var count = 0
    try temporary.store.answer(endless) { _ in
      count += 1
      return count < 1_000
    }
    #expect(count == 1_000)
    let error = #expect(throws: StoreError.self) {
      try temporary.store.answer("\(endless) WHERE i < 0", isCancelled: { true }, row: { _ in true })
    }
    #expect(error?.kind == .cancelled)
  }

  @Test func `other programs find the views in the file`() throws {
    let temporary = try TemporaryStore()
    let conversation = try temporary.store.makeConversationIfNeeded(named: "a").id
    _ = try temporary.store.append([NewMessage("tea")], to: conversation)
    let queue = try DatabaseQueue(path: temporary.store.path)
    let counts = try queue.read { db in
      try SynchronousMessageStore.viewNames.map { try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") }
    }
    #expect(counts == [1, 1, 0, 0, 0, 0])
  }
}

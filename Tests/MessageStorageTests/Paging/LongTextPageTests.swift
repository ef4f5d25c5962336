import GRDB
import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

/// Texts that have no room in a row.
@Suite struct LongTextPageTests {
  /// Texts of lengths about the limits of rows and of pages, with characters of one to four bytes.
  private static let texts = [919, 920, 921, 922, 923, 1_003, 2_000, 4_086, 4_088, 4_090, 4_092, 9_000]
    .flatMap {
      length in
      ["x", "é", "火", "🍵"].map { sign in
        let count = length / sign.utf8.count
        return "\(sign)start\(length) " + String(repeating: sign, count: count - 10) + " end\(length)"
      }
    }

  private static func shown(_ text: String, _ limit: Int = 4_096) -> String {
    guard text.utf8.count > limit else { return text }
    var text = String(decoding: text.utf8.prefix(limit), as: UTF8.self)
    while text.last == "\u{FFFD}" { text.removeLast() }
    return text
  }

  private func expectShown(_ texts: [String], in store: SynchronousMessageStore, limit: Int = 4_096) throws {
    let messages = try store.messages(pageSize: 20)
    #expect(messages.map(\.text) == texts.map { Self.shown($0, limit) })
    #expect(messages.map(\.isTextCut) == texts.map { $0.utf8.count > limit })
    #expect(messages.map(\.textByteCount) == texts.map(\.utf8.count))
    for (message, text) in zip(messages, texts) {
      #expect(try store.text(of: message.id) == text)
      #expect(try store.records(of: [message.id][...]).records.first?.message.text == text)
    }
    #expect(store.damageSeen.count == 0)
    #expect(try store.check().problems == [])
  }

  @Test func `a text that has no room in its row is read with its message up to the length of a page's`()
    throws
  {
    let texts = Self.texts
    var batch = ImportBatch()
    for (index, text) in texts.enumerated() { batch.add(text, at: minute(index)) }
    let imported = try TemporaryStore()
    try imported.store.load([batch])
    try expectShown(texts, in: imported.store)
    try imported.store.load([batch])
    try expectShown(texts, in: imported.store)

    let written = try TemporaryStore()
    let room = try written.store.makeConversation(named: "general").id
    for text in texts { try written.store.append([NewMessage(text, from: "alice")], to: room) }
    try expectShown(texts, in: written.store)
    for store in [imported.store, written.store] {
      for length in [923, 2_000, 9_000] {
        #expect(try store.numbers("SELECT count(*) FROM search WHERE search MATCH 'end\(length)'") == [3])
      }
      let bytes = "SELECT max(length(CAST(text AS BLOB))) FROM message"
      #expect(try store.numbers(bytes) == [928])
    }
    for message in try written.store.messages() where !message.isTextCut {
      try written.store.edit(message.id, text: message.text + "!")
    }
    try expectShown(texts.map { $0.utf8.count > 4_096 ? $0 : $0 + "!" }, in: written.store)
  }

  @Test func `a store that shows less of a text reads less`() throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "general").id
    try temporary.store.append(Self.texts.map { NewMessage($0, from: "alice") }, to: room)
    let other = try SynchronousMessageStore(
      path: temporary.store.path, options: StoreOptions(access: .readOnly, previewByteCount: 1_000))
    defer { other.close() }
    try expectShown(Self.texts, in: other, limit: 1_000)
  }

  @Test func `texts that have no room in rows lie close together`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for index in 0..<600 {
      batch.add(String(repeating: "\(index % 10)", count: 1_000 + index * 3), at: minute(index))
    }
    try temporary.store.load([batch])
    let share = """
      SELECT 100 * sum(unused) / sum(pgsize) FROM dbstat WHERE name IN ('message', 'body')
      """
    #expect(try temporary.store.numbers(share)[0] < 25)
  }

  @Test func `the rest of a text that is not what it was is told of, and the beginning is read`() throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "general").id
    let texts = [2_000, 9_000].map { String(repeating: "lamp ", count: $0 / 5) }
    try temporary.store.append(texts.map { NewMessage($0) }, to: room)
    try temporary.store.writing("") { db in
      try SynchronousMessageStore.withoutTriggers(db) {
        try db.execute(sql: "DELETE FROM body WHERE id = (SELECT max(id) FROM body)")
        try db.execute(sql: "UPDATE body SET text = replace(text, 'lamp', 'lump')")
      }
    }
    let messages = try temporary.store.messages()
    #expect(messages.map(\.text.utf8.count) == [2_000, 928])
    #expect(temporary.store.damageSeen.count == 1)
    #expect(try !temporary.store.check().isSound)
  }
}

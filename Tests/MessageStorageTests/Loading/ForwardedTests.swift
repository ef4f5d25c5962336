import Foundation
import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

/// Messages whose words are not their sender's.
@Suite struct ForwardedTests {
  private let temporary = try! TemporaryStore(clock: minute(7))
  private var store: SynchronousMessageStore { temporary.store }
  private let forwarded = Selection(.all, where: .has(.forward))

  private static let origin = Message.Forward(
    author: "Parish Council", authorID: "channel9", chat: "Notices", time: minute(-90), isFrequent: true)

  private static func batch(_ forwards: [Message.Forward?]) -> ImportBatch {
    var batch = ImportBatch()
    for (number, forward) in forwards.enumerated() {
      var details = ImportDetails()
      details.source = Message.Source(platform: "test", id: "\(number)")
      details.forward = forward
      batch.add("message \(number)", at: minute(number), details: details)
    }
    return batch
  }

  private func count(_ predicate: MessagePredicate) throws -> Int? {
    let counts = try store.page(PageRequest(Selection(.all, where: predicate), fetchLimit: 0)).counts
    return counts?.isExact == true ? counts?.total : nil
  }

  @Test
  func `a page has the origin, which is found by the names in it, and its sender stays who forwarded it`()
    throws
  {
    let quoted = Message.Forward(author: "Ben", isQuoted: true)
    try store.load([Self.batch([nil, Self.origin, Message.Forward(), quoted])])
    let messages = try store.messages()
    #expect(messages.map(\.forward) == [nil, Self.origin, Message.Forward(), quoted])
    #expect(messages.map(\.sender?.name) == Array(repeating: "alice", count: 4))
    #expect(try store.texts(forwarded) == ["message 1", "message 2", "message 3"])
    #expect(try count(.has(.forward)) == 3)
    for (pattern, texts) in [
      ("(?i)council", ["message 1"]), ("Notices", ["message 1"]), ("Ben", ["message 3"]), ("alice", []),
      ("", ["message 1", "message 2", "message 3"]),
    ] {
      #expect(try store.texts(Selection(.all, where: .forwarded(pattern))) == texts, "\(pattern)")
      #expect(try store.hits(.and([.forwarded(pattern), .matching("message")])).hits.count == texts.count)
    }
    #expect(try store.texts(Selection(.all, where: .not(.has(.forward)))) == ["message 0"])
    #expect(throws: StoreError.self) { try store.texts(Selection(.all, where: .forwarded("("))) }
    let records = try store.records(PageRequest(.everything, anchor: .oldest, fetchLimit: 9))
    #expect(records.records.map(\.message.forward) == messages.map(\.forward))
    #expect(try store.check().problems == [])
  }

  @Test func `the view of messages has it`() throws {
    try store.load([Self.batch([nil, Self.origin])])
    let rows = try store.reading("") { db in
      try RawStatement(
        db,
        "SELECT is_forwarded, forwarded_from, forwarded_chat, forwarded_time FROM messages ORDER BY id"
      ).map { row in
        "\(row.int(0)) \(row.optionalText(1) ?? "-") \(row.optionalText(2) ?? "-") \(row.optionalText(3) ?? "-")"
      }
    }
    #expect(rows == ["0 - - -", "1 Parish Council Notices 2024-05-01T10:30:00.000Z"])
  }

  @Test func `it stays through edits, moves, deletion and restoring, backup and salvage`() throws {
    try store.load([Self.batch([Self.origin, Message.Forward()])])
    let ids = try store.messages().map(\.id)
    try store.edit(ids[0], text: "changed")
    try store.move(ids[0], to: minute(30))
    let deleted: DeletedMessages = try store.delete([ids[1]])
    #expect(try count(.has(.forward)) == 1)
    #expect(try store.numbers("SELECT count(*) FROM forwarded") == [1])
    try store.restore(deleted)
    #expect(try store.messages().map(\.forward) == [Message.Forward(), Self.origin])
    let (backup, salvaged) = (temporary.folder.path + "/backup.db", temporary.folder.path + "/salvaged.db")
    try store.backup(to: backup)
    #expect(try SynchronousMessageStore.salvage(store.path, to: salvaged).losses == [])
    for path in [backup, salvaged] {
      let copy = try SynchronousMessageStore(path: path, options: StoreOptions(durability: .process))
      defer { copy.close() }
      #expect(try copy.messages(forwarded).map(\.forward) == [Message.Forward(), Self.origin], "\(path)")
      #expect(try copy.check().problems == [], "\(path)")
    }
  }

  @Test func `a later import completes messages that came without it, and undoing takes it along`() throws {
    try store.load([Self.batch([nil, nil])])
    #expect(try store.load([Self.batch([nil, Self.origin])]).updated == 1)
    #expect(try store.load([Self.batch([nil, Self.origin])]).updated == 0)
    #expect(try store.messages().map(\.forward) == [nil, Self.origin] && count(.has(.forward)) == 1)
    for load in try store.imports() { try store.undoImport(load.id) }
    #expect(try count(.has(.forward)) == 0 && store.numbers("SELECT count(*) FROM forwarded") == [0])
    #expect(try store.check().problems == [])
  }

  @Test func `what another program changes keeps the counts true, and a missing origin is damage`() throws {
    try store.load([Self.batch([Self.origin, Self.origin])])
    let ids = try store.messages().map(\.id.rawValue)
    try store.writing("") { db in
      try RawStatement.run(db, "DELETE FROM message WHERE id = ?", ids[0])
    }
    #expect(try count(.has(.forward)) == 1)
    #expect(try store.numbers("SELECT count(*) FROM forwarded") == [1])
    try store.writing("") { db in try RawStatement.run(db, "DELETE FROM forwarded") }
    #expect(try !store.check().problems.isEmpty)
    #expect(try store.messages().count == 1)
  }
}

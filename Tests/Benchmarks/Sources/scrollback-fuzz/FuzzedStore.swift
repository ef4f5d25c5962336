internal import CSQLiteShim
internal import Foundation
internal import GRDB
import HistoryModel
internal import MessageModel
internal import MessageStorage

/// A store of whose file some bytes are others, or which holds values that none of ours holds: all that can be asked of
/// it is answered or refused.
enum FuzzedStore {
  static func use(_ input: FuzzInput) {
    var input = input
    let hasOtherValues = input.byte() & 1 == 1
    let path = SampleStore.place(hasOtherValues ? SampleStore.bytes : changed(&input))
    if hasOtherValues { setValues(&input, at: path) }
    read(path, isOfOtherBytes: !hasOtherValues)
    write(path)
  }

  // MARK: Damage

  private static let pageByteCount = 4_096

  /// The file with other bytes in some of its pages.
  private static func changed(_ input: inout FuzzInput) -> [UInt8] {
    var bytes = SampleStore.bytes
    while !input.isEmpty {
      let page = input.number(below: bytes.count / pageByteCount)
      let place = page * pageByteCount + input.number(below: pageByteCount)
      for (index, byte) in input.take(input.byte() % 16 + 1).enumerated() where place + index < bytes.count {
        bytes[place + index] = byte
      }
    }
    return bytes
  }

  /// The columns of all tables, in a fixed order.
  private static let columns: [(table: String, name: String)] = {
    let rows = try? DatabaseQueue(path: SampleStore.place()).read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT t.name AS t, c.name AS c FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c
            WHERE t.type = 'table' AND t.rootpage > 0 ORDER BY t.name, c.cid
          """)
    }
    return (rows ?? []).map { ($0["t"], $0["c"]) }
  }()

  private static func setValues(_ input: inout FuzzInput, at path: String) {
    guard let queue = try? DatabaseQueue(path: path) else { return }
    try? queue.writeWithoutTransaction { db in
      _ = csqlite_enable_triggers(db.sqliteConnection, 0)
      _ = csqlite_open_shadow_tables(db.sqliteConnection)
      try db.execute(sql: "PRAGMA ignore_check_constraints = ON; PRAGMA synchronous = OFF")
      while !input.isEmpty {
        let column = columns[input.number(below: columns.count)]
        let row = input.byte()
        try? db.execute(
          sql: """
            UPDATE OR IGNORE "\(column.table)" SET "\(column.name)" = ?1 WHERE "\(column.name)" IS
              (SELECT "\(column.name)" FROM "\(column.table)" LIMIT 1 OFFSET ?2)
            """, arguments: [value(&input), row])
      }
    }
    try? queue.close()
  }

  private static func value(_ input: inout FuzzInput) -> DatabaseValue {
    switch input.byte() % 7 {
    case 0: input.integer().databaseValue
    case 1: [Int64.min, -1, 0, 1, 1 << 31, 1 << 53, .max][input.byte() % 7].databaseValue
    case 2: .null
    case 3: Double(bitPattern: UInt64(bitPattern: input.integer())).databaseValue
    case 4: Data(input.take(input.byte())).databaseValue
    case 5: String(decoding: input.take(input.byte()), as: UTF8.self).databaseValue
    default: String(repeating: "x", count: input.byte() << 8).databaseValue
    }
  }

  // MARK: Use

  private static let selections: [Selection] = [
    .everything, Selection(.all, where: .regex("t.a")), Selection(.all, where: .has(.link)),
    Selection(.all, where: .matching("tea -black")), Selection(.all, where: .not(.kind([.text]))),
    Selection(.all, where: .sender([Sender.ID(rawValue: 1)])), Selection(Conversation.ID(rawValue: 1)),
    Selection(.all, where: .thread(Message.ID(rawValue: 0))),
  ]

  private static func read(_ path: String, isOfOtherBytes: Bool) {
    guard let store = attempt({ try SampleStore.opened(path, .readOnly) }) else { return }
    defer { store.close() }
    let anchors: [PageAnchor] = [
      .newest, .oldest, .ordinal(7), .percent(50), .time(SampleStore.now), .around(.highest), .firstUnread,
    ]
    for selection in selections {
      for anchor in anchors {
        for offset in [0, .max] {
          let request = PageRequest(selection, anchor: anchor, fetchLimit: 5, fetchOffset: offset)
          _ = attempt { try store.page(request) }
        }
      }
    }
    let all =
      attempt { try store.records(PageRequest(.everything, anchor: .oldest, fetchLimit: 100)).records } ?? []
    for record in all.prefix(10) {
      _ = attempt { try store.text(of: record.message.id) }
      _ = attempt { try store.attachments(of: record.message.id) }
      _ = attempt { try store.thread(of: record.message.id, limit: 10) }
      _ = attempt { try store.hit(record.message.id, of: .matching("tea")) }
    }
    for predicate in [MessagePredicate.matching("tea*"), .regex("t(e)a"), .substring("cup")] {
      _ = attempt { try store.hits(predicate, limit: 20, isCancelled: { false }) }
    }
    readLists(of: store)
    let check = attempt { try store.check() }
    if isOfOtherBytes, check?.isSound == true { compare(all, at: path) }
    _ = store.damageSeen
  }

  private static func readLists(of store: SynchronousMessageStore) {
    _ = attempt { try store.senders() }
    _ = attempt { try store.peopleCounts() }
    _ = attempt { try store.imports() }
    _ = attempt { try store.marks() }
    _ = attempt { try store.statistics() }
    _ = attempt { try store.sizes() }
    _ = attempt { try store.savedFilters() }
    for conversation in (attempt { try store.conversations() } ?? []).prefix(5) {
      _ = attempt { try store.cuts(of: conversation.id, every: 10) }
      _ = attempt { try store.rawMessages(in: conversation.id, .lowest ... .highest, limit: 50) { _ in } }
      for span in [HistorySection.Span.day, .month] {
        _ = attempt { try store.sections(of: conversation.id, by: span, zone: .gmt) }
      }
      _ = attempt { try store.unreadCounts(of: [conversation]) }
    }
  }

  /// A store that is said to be sound has the texts that were written, where they have checksums.
  private static func compare(_ records: [MessageRecord], at path: String) {
    let unsummed = try? DatabaseQueue(path: path).read { db in
      try Int64.fetchAll(db, sql: "SELECT id FROM message WHERE checksum IS NULL")
    }
    guard let unsummed else { return }
    for record in records where !unsummed.contains(record.message.id.rawValue) {
      guard let written = SampleStore.records[record.message.id] else {
        mistake("The check finds no fault, but nobody wrote #\(record.message.id).")
      }
      expect(
        record.message.text == written.message.text && record.message.kind == written.message.kind
          && record.message.conversation == written.message.conversation,
        "The check finds no fault, but #\(record.message.id) says something else.")
    }
  }

  private static func write(_ path: String) {
    guard let store = attempt({ try SampleStore.opened(path, .readWrite) }) else { return }
    defer { store.close() }
    for conversation in (attempt { try store.conversations() } ?? []).prefix(3) {
      _ = attempt { try store.append([NewMessage("new tea", from: "eve")], to: conversation.id) }
    }
    let messages =
      attempt { try store.page(PageRequest(.everything, anchor: .oldest, fetchLimit: 4)).messages } ?? []
    for message in messages {
      _ = attempt { try store.edit(message.id, text: "anew") }
      _ = attempt { try store.react("👍", to: message.id, by: "eve") }
      _ = attempt { try store.delete([message.id]) }
    }
    _ = attempt { try store.undoImport(1) }
    _ = attempt {
      let load = try BulkImport(into: store, .init(name: "more", format: "jsonl", zone: "UTC"))
      var batch = ImportBatch()
      let room = batch.conversation(named: "general")
      _ = batch.append(
        ImportBatch.Entry(
          time: SampleStore.now, precision: .minute, kind: .text, conversation: room,
          sender: batch.store("eve"),
          text: batch.store("more tea")))
      try load.add(batch)
      return try load.finish()
    }
    _ = attempt { try store.check(repair: true) }
    _ = attempt { try store.compact() }
    _ = attempt { try store.backup(to: path + ".backup") }
  }
}

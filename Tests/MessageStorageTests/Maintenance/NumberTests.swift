import Foundation
import GRDB
import HistoryModel
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

/// Numbers that no store of ours holds, in each column of each table: whatever is asked of such a store is answered or
/// refused. A trap would end the tests.
@Suite struct NumberTests {
  static let numbers: [Int64] = [.min, -1, 0, 1 << 31, 1 << 53, .max]

  /// The columns that hold numbers, with their tables.
  static func columns() throws -> [(table: String, column: String)] {
    try Schema.made(by: Schema.steps[0]).read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT t.name AS t, c.name AS c FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c
            WHERE t.type = 'table' AND t.rootpage > 0 AND t.name NOT LIKE '%search%' AND t.name NOT LIKE 'grdb%'
              AND c.type IN ('INTEGER', 'ANY')
          """
      ).map { ($0["t"], $0["c"]) }
    }
  }

  private static func filled(at path: String) throws {
    let store = try SynchronousMessageStore(path: path, options: StoreOptions(durability: .process))
    defer { store.close() }
    var batch = ImportBatch()
    for index in 0..<40 {
      var details = ImportDetails()
      details.source = Message.Source(platform: "p", id: "\(index)")
      details.replyTo = .external("\(index + 1)")
      details.reactions = [Message.Reaction(emoji: "👍", senders: ["bob"])]
      details.attachments = [Message.Attachment(name: "a", mediaType: "image/png", byteCount: 10)]
      batch.add(
        "see http://x/\(index)", at: minute(index / 5), in: index % 2 == 0 ? "a" : "b",
        details: index % 3 == 0 ? details : nil)
    }
    batch.add(String(repeating: "long", count: 2_000), at: minute(900))
    try store.load([batch])
    let messages = try store.messages()
    try store.edit(messages[1].id, text: "edited")
    try store.delete([messages[2].id])
    try store.attach([NewAttachment(Array("hello".utf8), name: "b")], to: messages[3].id)
    try store.setMark(
      NamedMark(name: "here", conversation: messages[4].conversation, message: messages[4].id))
    try store.markRead(messages[5].conversation, upTo: messages[5].id)
    try store.saveFilter(named: "links", words: "https?", predicate: .regex("https?"))
  }

  /// All that a store can be asked for and told.
  private func useAll(of path: String) throws {
    let store = try SynchronousMessageStore(
      path: path, options: StoreOptions(access: .readWrite, durability: .process))
    defer { store.close() }
    let selections: [Selection] = [
      .everything, Selection(.all, where: .regex("s.e")), Selection(.all, where: .has(.link)),
      Selection(.all, where: .matching("see")), Selection(.all, where: .not(.kind([.text]))),
    ]
    let anchors: [PageAnchor] = [
      .newest, .oldest, .ordinal(7), .percent(50), .time(minute(3)), .around(.highest), .firstUnread,
    ]
    for selection in selections {
      for anchor in anchors {
        for offset in [0, .max] {
          let request = PageRequest(selection, anchor: anchor, fetchLimit: 5, fetchOffset: offset)
          _ = try? store.page(request)
          _ = try? store.records(request)
        }
      }
    }
    _ = try? store.conversations()
    _ = try? store.senders()
    _ = try? store.peopleCounts()
    _ = try? store.imports()
    _ = try? store.statistics()
    _ = try? store.savedFilters()
    for conversation in (try? store.conversations()) ?? [] {
      _ = try? store.cuts(of: conversation.id, every: 10)
      _ = try? store.rawMessages(in: conversation.id, .lowest ... .highest, limit: 50) { _ in }
      _ = try? store.sections(of: conversation.id, by: .day, zone: .gmt)
      _ = try? store.append([NewMessage("new", from: "eve")], to: conversation.id)
      _ = try? store.records(PageRequest(Selection(conversation.id), anchor: .oldest, fetchLimit: 9))
    }
    for message
      in ((try? store.page(PageRequest(.everything, anchor: .oldest, fetchLimit: 4)))?.messages ?? [])
    {
      _ = try? store.edit(message.id, text: "anew")
      _ = try? store.react("👍", to: message.id, by: "eve")
      _ = try? store.delete([message.id])
    }
    _ = try? store.check()
    _ = try? store.backup(to: path + ".backup")
    _ = try? store.undoImport(1)
    var batch = ImportBatch()
    for index in 0..<5 { batch.add("more \(index)", at: minute(index), in: "a") }
    _ = try? store.load([batch])
    _ = try? store.check(repair: true)
  }

  @Test func `no number in any column of any table traps`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("numbers-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let original = folder.appendingPathComponent("original.db").path
    try Self.filled(at: original)
    for (index, (table, column)) in try Self.columns().enumerated() {
      // In the short form each third column gets one of them, in turn.
      guard isLong || index.isMultiple(of: 3) else { continue }
      for number in isLong ? Self.numbers : [Self.numbers[index / 3 % Self.numbers.count]] {
        let path = folder.appendingPathComponent("\(table)-\(column)-\(number).db").path
        try FileManager.default.copyItem(atPath: original, toPath: path)
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
          try SynchronousMessageStore.withoutTriggers(db) {
            // All rows where they may all have it, else one.
            do {
              try db.execute(sql: "UPDATE \(table) SET \(column) = \(number)")
            } catch {
              try? db.execute(
                sql: """
                  UPDATE OR IGNORE \(table) SET \(column) = \(number)
                    WHERE \(column) = (SELECT max(\(column)) FROM \(table))
                  """)
            }
          }
        }
        try queue.close()
        try useAll(of: path)
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where file.hasPrefix("\(table)-") {
          try FileManager.default.removeItem(at: folder.appendingPathComponent(file))
        }
      }
    }
  }

  @Test(arguments: [
    "UPDATE message SET sender = 9223372036854775807 WHERE conversation = 1",
    "UPDATE message SET kind = -5 WHERE conversation = 1",
    "UPDATE message SET precision = 77 WHERE conversation = 2",
    "UPDATE message SET revision = 9223372036854775807 WHERE conversation = 1",
    "UPDATE message SET features = features | 4096 WHERE conversation = 1",
    "UPDATE message SET conversation = -9223372036854775808 WHERE conversation = 2",
    "UPDATE sender SET id = 9223372036854775807", "UPDATE filter SET id = 9223372036854775807",
    "UPDATE tally SET changed = 9223372036854775807",
    "UPDATE tally SET deleted = -9223372036854775808 WHERE scope = 0",
    "UPDATE edit SET place = 9223372036854775807",
    "INSERT INTO meta VALUES ('last undone import', 9223372036854775807)",
    "UPDATE batch SET id = 9223372036854775807",
    "UPDATE part SET count = 9223372036854775807", "UPDATE superblock SET count = 9223372036854775807",
  ])
  func `a number that stops writing is found, and repaired`(damage: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("numbers-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("a.db").path
    try Self.filled(at: path)
    let store = try SynchronousMessageStore(
      path: path, options: StoreOptions(access: .readWrite, durability: .process))
    defer { store.close() }
    let count = try store.messages().count
    try store.writing("") { db in
      try SynchronousMessageStore.withoutTriggers(db) { try db.execute(sql: damage) }
    }
    #expect(try !store.check().isSound)
    let repaired = try store.check(repair: true)
    #expect(repaired.problems.allSatisfy { $0.isRepaired || $0.isAccepted }, "\(repaired.problems)")
    #expect(try store.check().problems == [])
    #expect(try store.messages().count == count)
    for conversation in try store.conversations() {
      try store.append([NewMessage("http://new", from: "eve")], to: conversation.id)
    }
    for message in try store.messages() { try store.edit(message.id, text: "http://anew") }
    var batch = ImportBatch()
    batch.add("more", at: minute(1_000))
    try store.load([batch])
    #expect(try store.check().problems == [])
  }
}

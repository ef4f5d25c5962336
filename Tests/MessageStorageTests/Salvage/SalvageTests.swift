import Foundation
import GRDB
import HistoryModel
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

@Suite struct SalvageTests {
  /// A store with some messages in a folder of its own, closed.
  private final class Damaged {
    let folder: URL
    var path: String { folder.appending(path: "old.db").path }
    var new: String { folder.appending(path: "new.db").path }

    init(_ fill: (SynchronousMessageStore) throws -> Void) throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "scrollback-\(UUID().uuidString)")
      let store = try SynchronousMessageStore(path: path, options: StoreOptions(durability: .process))
      defer { store.close() }
      try fill(store)
    }

    /// Makes a store whose conversation `general` holds so many messages, a minute apart.
    convenience init(count: Int) throws {
      try self.init { store in
        var batch = ImportBatch()
        for index in 0..<count { batch.add("message <\(index)>", at: minute(index)) }
        try store.load([batch])
      }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Changes bytes of the file.
    func change(_ body: (inout [UInt8]) throws -> Void) throws {
      var bytes = try Array(Data(contentsOf: URL(filePath: path)))
      try body(&bytes)
      try Data(bytes).write(to: URL(filePath: path))
    }

    func run(_ sql: String) throws {
      let queue = try DatabaseQueue(path: path)
      try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
      try queue.close()
    }

    func removeNew() throws {
      for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: new + suffix) {
        try FileManager.default.removeItem(atPath: new + suffix)
      }
    }

    func salvage() throws -> SalvageReport { try SynchronousMessageStore.salvage(path, to: new) }

    func texts() throws -> [String] {
      let store = try SynchronousMessageStore(path: new, options: StoreOptions(access: .readOnly))
      defer { store.close() }
      #expect(try store.check().problems == [])
      return try store.texts(pageSize: 500)
    }
  }

  private func replace(_ old: String, by new: String, in bytes: inout [UInt8]) throws {
    let place = try #require(bytes.firstRange(of: Array(old.utf8)))
    bytes.replaceSubrange(place, with: Array(new.utf8))
  }

  @Test func `a sound store comes out as it is`() throws {
    let damaged = try Damaged { store in
      var batch = ImportBatch()
      for index in 0..<300 {
        batch.add(
          "<\(index)> " + String(repeating: "long ", count: index == 7 ? 2_000 : 1), from: "p\(index % 4)",
          at: minute(index),
          in: "c\(index % 3)")
      }
      try store.load([batch])
      try store.setAlias("p1", of: "p2")
      let first = try #require(try store.messages().first)
      try store.setMark(NamedMark(name: "m", conversation: first.conversation, message: first.id))
      _ = try store.edit(first.id, text: "other")
      try store.setPayload([1, 2], of: first.id)
      try store.attach([NewAttachment([9, 9, 9], name: "a.bin")], to: first.id)
    }
    let report = try damaged.salvage()
    #expect(report.isWhole && report.messageCount == 300 && report.notes == [])
    let stores = try [damaged.path, damaged.new].map {
      try SynchronousMessageStore(path: $0, options: StoreOptions(access: .readOnly))
    }
    defer { for store in stores { store.close() } }
    let records = try stores.map { store in try store.records(of: try store.messages().map(\.id)[...]).records
    }
    #expect(records[0] == records[1])
    #expect(try stores[0].senders() == stores[1].senders())
    #expect(try stores[0].marks() == stores[1].marks())
    #expect(try stores[0].imports() == stores[1].imports())
    #expect(try stores[1].check().problems == [])
  }

  @Test func `a text that differs from its checksum says so, and is named`() throws {
    let damaged = try Damaged(count: 50)
    try damaged.change { try replace("message <7>", by: "massage <7>", in: &$0) }
    let report = try damaged.salvage()
    #expect(
      report.damaged.count == 1 && report.messageCount == 50 && report.missingCount == 0 && !report.isWhole)
    let texts = try damaged.texts()
    #expect(texts[7] == "[damaged] massage <7>" && texts[8] == "message <8>")
  }

  @Test func `rows without a checksum are shown as they are, and counted`() throws {
    let damaged = try Damaged(count: 50)
    try damaged.run("UPDATE message SET checksum = NULL")
    try damaged.change { try replace("message <7>", by: "massage <7>", in: &$0) }
    let report = try damaged.salvage()
    #expect(report.damaged.count == 0 && report.unsummedCount == 50 && report.isWhole)
    #expect(try damaged.texts()[7] == "massage <7>")
  }

  @Test func `without its first page, and without what leads to its pages, all messages come`() throws {
    let damaged = try Damaged(count: 2_000)
    try damaged.change { bytes in
      for place in 0..<4_096 { bytes[place] = 0 }
      for page in stride(from: 0, to: bytes.count, by: 4_096) where [2, 5].contains(bytes[page]) && page > 0 {
        bytes[page + 8..<page + 12] = [0xFF, 0xFF, 0xFF, 0xFF]
      }
    }
    let report = try damaged.salvage()
    #expect(report.messageCount == 2_000 && report.missingCount == 0)
    #expect(try damaged.texts() == (0..<2_000).map { "message <\($0)>" })
  }

  @Test func `what is missing is told, and between which dates`() throws {
    let damaged = try Damaged(count: 2_000)
    try damaged.change { bytes in
      let place = try #require(bytes.firstRange(of: Array("message <1000>".utf8))).lowerBound
      for place in place / 4_096 * 4_096..<(place / 4_096 + 1) * 4_096 { bytes[place] = 0 }
    }
    let report = try damaged.salvage()
    let lost = Set((0..<2_000).map { "message <\($0)>" }).subtracting(try damaged.texts())
      .compactMap { $0.firstMatch(of: /\d+/).flatMap { Int($0.0) } }
    let conversation = try #require(report.conversations.first)
    #expect(
      lost.count > 10 && conversation.missingCount == lost.count && report.messageCount == 2_000 - lost.count)
    let gap = try #require(conversation.gaps.first)
    #expect(conversation.gaps.count == 1 && gap.messageCount == lost.count)
    let (first, last) = (try #require(lost.min()), try #require(lost.max()))
    let times = [gap.first, gap.last].map { $0?.rounded(to: .minute) }
    #expect(times == [minute(first), minute(last)])
    // Without the index of ids the counts of blocks tell it.
    try damaged.removeNew()
    try damaged.run(
      """
      PRAGMA writable_schema = ON;
      DELETE FROM sqlite_schema WHERE name IN ('message_id', 'message_sender');
      """)
    let counted = try #require(try damaged.salvage().conversations.first)
    #expect(counted.missingCount == lost.count)
    // The run may lie in two blocks.
    let (before, after) = (counted.gaps.first?.first, counted.gaps.last?.last)
    #expect(before.map { $0 <= minute(first) } ?? true)
    #expect(after.map { $0 >= minute(last) } ?? true)
  }

  @Test func `deleted messages stay deleted, though their pages are still there`() throws {
    let damaged = try Damaged { store in
      var batch = ImportBatch()
      for index in 0..<2_000 { batch.add("message <\(index)>", at: minute(index)) }
      try store.load([batch])
      _ = try store.delete(try store.messages(pageSize: 500)[500..<1_500].map(\.id))
    }
    #expect(try damaged.salvage().messageCount == 1_000)
    try damaged.removeNew()
    // Nothing tells any more which pages are free.
    try damaged.change { bytes in for place in 32..<40 { bytes[place] = 0 } }
    let report = try damaged.salvage()
    #expect(report.messageCount == 1_000 && report.isWhole)
  }

  @Test func `messages whose conversation and sender are gone come under made-up names, which are told`()
    throws
  {
    let damaged = try Damaged(count: 10)
    try damaged.run(
      "PRAGMA foreign_keys = OFF; DROP TRIGGER conversation_leaving; DELETE FROM conversation; DELETE FROM sender"
    )
    let report = try damaged.salvage()
    #expect(report.conversations.map(\.name) == ["recovered 1"] && report.messageCount == 10)
    #expect(report.losses.count == 2 && !report.isWhole)
    #expect(try damaged.texts().count == 10)
  }

  @Test func `a name that is gone from its table is found in the index`() throws {
    let damaged = try Damaged(count: 10)
    try damaged.change { bytes in
      // The row of the table: the name stands at the end of a cell behind an empty column.
      let row = try #require(bytes.firstRange(of: [1, 5, 0, 27, 0, 0] + Array("general".utf8)))
      bytes[row.lowerBound + 2] = 0x7F
    }
    #expect(try damaged.salvage().conversations.map(\.name) == ["general"])
  }

  @Test func `pages that were committed to the log are newer than those of the file`() throws {
    let damaged = try Damaged(count: 10)
    let store = try SynchronousMessageStore(path: damaged.path)
    let room = try #require(try store.conversation(named: "general"))
    try store.append([NewMessage("in the log", from: "bob")], to: room.id)
    let log = try Data(contentsOf: URL(filePath: damaged.path + "-wal"))
    let file = try Data(contentsOf: URL(filePath: damaged.path))
    store.close()
    try file.write(to: URL(filePath: damaged.path))
    try log.write(to: URL(filePath: damaged.path + "-wal"))
    #expect(try damaged.salvage().messageCount == 11)
    #expect(try damaged.texts().last == "in the log")
    // A page of the log that is damaged is left out.
    try damaged.removeNew()
    var bytes = Array(log)
    for place in stride(from: 32 + 24 + 2_000, to: bytes.count, by: 4_120) { bytes[place] ^= 1 }
    try Data(bytes).write(to: URL(filePath: damaged.path + "-wal"))
    let report = try damaged.salvage()
    #expect(report.messageCount == 10)
  }

  @Test func `a log that names a page far beyond the end costs what it holds, and no more`() throws {
    let damaged = try Damaged(count: 4_000)
    let size = DamagedCopy.pageSize
    var moved: [UInt8] = []
    try damaged.change { bytes in
      var place = bytes.count - size
      while ![10, 13].contains(bytes[place]) || !bytes[place..<place + size].contains(Array("message <".utf8))
      {
        place -= size
      }
      moved = Array(bytes[place..<place + size])
      for index in place..<place + size { bytes[index] = 0 }
    }
    let log = Self.log(page: 0xFFFF_FFF0, moved)
    try Data(log).write(to: URL(filePath: damaged.path + "-wal"))
    _ = try damaged.salvage()
    #expect(try Set(damaged.texts()) == Set((0..<4_000).map { "message <\($0)>" }))
  }

  /// A log with one page that was committed (<https://sqlite.org/fileformat2.html#the_write_ahead_log>).
  private static func log(page: UInt32, _ bytes: [UInt8]) -> [UInt8] {
    var (first, second) = (UInt32(0), UInt32(0))
    func add(_ bytes: [UInt8]) {
      for offset in stride(from: 0, to: bytes.count, by: 8) {
        first &+= bytes.bigEndian(at: offset) &+ second
        second &+= bytes.bigEndian(at: offset + 4) &+ first
      }
    }
    func words(_ words: UInt32...) -> [UInt8] {
      words.flatMap { word in
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
      }
    }
    let (salts, header) = (words(1, 2), words(0x377F_0683, 3_007_000, UInt32(bytes.count), 0))
    add(header + salts)
    let start = header + salts + words(first, second)
    let head = words(page, page)
    add(head)
    add(bytes)
    return start + head + salts + words(first, second) + bytes
  }

  @Test(arguments: ["", "no store at all", String(repeating: "text ", count: 4_000)])
  func `what is no store is refused, and nothing is made`(text: String) throws {
    let damaged = try Damaged(count: 1)
    try Data(text.utf8).write(to: URL(filePath: damaged.path))
    let error = #expect(throws: StoreError.self) { try damaged.salvage() }
    #expect(error?.kind == .notAStore)
    #expect(try FileManager.default.contentsOfDirectory(atPath: damaged.folder.path).sorted() == ["old.db"])
  }

  @Test func `a database of another program is refused`() throws {
    let damaged = try Damaged(count: 1)
    try FileManager.default.removeItem(atPath: damaged.path)
    try damaged.run(
      "CREATE TABLE message(id INTEGER PRIMARY KEY, text TEXT); INSERT INTO message VALUES (1, 'x')")
    #expect(#expect(throws: StoreError.self) { try damaged.salvage() }?.kind == .notAStore)
  }

  @Test func `a salvage writes over nothing, and one that is stopped leaves nothing`() throws {
    let damaged = try Damaged(count: 1_000)
    #expect(
      #expect(throws: StoreError.self) {
        try SynchronousMessageStore.salvage(damaged.path, to: damaged.path)
      }?.kind == .cannotCreate)
    try Data().write(to: URL(filePath: damaged.new))
    #expect(#expect(throws: StoreError.self) { try damaged.salvage() }?.kind == .alreadyExists)
    try damaged.removeNew()
    let stopped = #expect(throws: StoreError.self) {
      try SynchronousMessageStore.salvage(damaged.path, to: damaged.new) { _ in false }
    }
    #expect(stopped?.kind == .cancelled)
    #expect(try FileManager.default.contentsOfDirectory(atPath: damaged.folder.path) == ["old.db"])
  }

  @Test func `a chain of pages that leads back to itself ends`() throws {
    let damaged = try Damaged { store in
      var batch = ImportBatch()
      for index in 0..<20 { batch.add(String(repeating: "<\(index)> far ", count: 2_000), at: minute(index)) }
      try store.load([batch])
    }
    try damaged.change { bytes in
      // Every page on which a text goes on says that it goes on there itself.
      for page in stride(from: 4_096, to: bytes.count, by: 4_096)
      where bytes[page] == 0 && bytes[page + 4..<page + 4_096].firstRange(of: Array("> far ".utf8)) != nil {
        let number = UInt32(page / 4_096 + 1)
        bytes.replaceSubrange(page..<page + 4, with: withUnsafeBytes(of: number.bigEndian) { Array($0) })
      }
    }
    let report = try damaged.salvage()
    #expect(report.damaged.count == 20)
  }

  @Test func `what is missing is taken in again from an import`() throws {
    var batch = ImportBatch()
    for index in 0..<2_000 {
      var details = ImportDetails()
      if index.isMultiple(of: 2) { details.source = Message.Source(platform: "slack", id: "C\(index)") }
      batch.add("message <\(index)>", at: minute(index), details: details)
    }
    let damaged = try Damaged { try $0.load([batch]) }
    try damaged.change { bytes in
      let place = try #require(bytes.firstRange(of: Array("message <1000>".utf8))).lowerBound
      for place in place / 4_096 * 4_096..<(place / 4_096 + 1) * 4_096 { bytes[place] = 0 }
    }
    #expect(try damaged.salvage().missingCount > 10)
    let store = try SynchronousMessageStore(path: damaged.new)
    try store.load([batch])
    store.close()
    #expect(try damaged.texts() == (0..<2_000).map { "message <\($0)>" })
  }
}

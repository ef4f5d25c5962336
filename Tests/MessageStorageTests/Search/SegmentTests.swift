import Foundation
import GRDB
import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

/// Segments of the search indexes that are built in memory and copied into the store.
@Suite struct SegmentTests {
  private let temporary: TemporaryStore
  private var store: SynchronousMessageStore { temporary.store }

  init() throws { temporary = try TemporaryStore() }

  private func isTrue() throws -> Bool {
    try store.writing("") { db in try SearchIndex(db: db).isTrue() }
  }

  private func structure(_ table: SearchTable) throws -> SegmentStructure {
    let record = try store.reading("") { db in
      try Data.fetchOne(db, sql: "SELECT block FROM \(table.name)_data WHERE id = 10")
    }
    return try #require(SegmentStructure(Array(record ?? Data())))
  }

  /// Messages of three conversations, which come nearly in order, every fourth with a sign.
  private func batch(_ number: Int, _ dice: inout Dice) -> ImportBatch {
    var batch = ImportBatch()
    for index in 0..<200 {
      let place = number * 200 + index - Int.random(in: 0...5, using: &dice)
      let text = "batch\(number) line\(index) \(index % 4 == 0 ? "世界" : "the world")"
      batch.add(text, at: MessageStorageTests.minute(place), in: ["a", "b", "c"][index % 3])
    }
    return batch
  }

  @Test func `an index that was built beside its rows says what they say, and goes on being true`() throws {
    var dice = Dice(seed: 1)
    for number in 0..<40 { try store.load([batch(number, &dice)]) }
    #expect(try isTrue())
    #expect(try store.hitCount(.matching("world")) == 6_000)
    #expect(try store.hitCount(.matching("世界")) == 2_000)
    #expect(try store.hitCount(.matching("batch7 line3")) == 1)
    // The same connection goes on, so it must not remember the segments that were there before.
    try store.append(
      [NewMessage("the last world"), NewMessage("世")], to: try #require(try store.conversation(named: "a")).id
    )
    #expect(try store.hitCount(.matching("world")) == 6_001)
    try store.execute("DELETE FROM message WHERE id % 3 = 0")
    #expect(try isTrue())
    try store.writing("") { db in try SearchIndex(db: db).optimize() }
    #expect(try isTrue())
    try temporary.expectTrueCounts()
  }

  @Test func `one load of many batches merges their segments`() throws {
    var dice = Dice(seed: 2)
    let load = try BulkImport(into: store, .test, SegmentBuilder(chunkByteCount: 1_024))
    for number in 0..<40 {
      try load.add(batch(number, &dice))
      for table in SearchTable.allCases { #expect(try structure(table).levels[0].segments.count < 16) }
    }
    #expect(try load.finish().addedCount == 8_000)
    for table in SearchTable.allCases { #expect(try structure(table).segments.count == 1) }
    #expect(try isTrue())
  }

  @Test func `files from the newest to the oldest make no more segments than batches`() throws {
    let load = try BulkImport(into: store, .test, SegmentBuilder(chunkByteCount: 1_024))
    var batch = ImportBatch()
    for index in 0..<500 { batch.add("line \(index)", at: minute(500 - index)) }
    try load.add(batch)
    #expect(try structure(.words).segments.count <= 2)
    _ = try load.finish()
    #expect(try isTrue())
    #expect(try store.hitCount(.matching("line")) == 500)
  }

  @Test(arguments: ["", "世"]) func `texts of any length are taken apart as the view does`(sign: String) throws
  {
    var batch = ImportBatch()
    let lengths = [65_535, 65_536, 300_000, 1_048_576, 1_048_577, 1_500_000]
    for (index, length) in lengths.enumerated() {
      let filler = String(repeating: "word ", count: length / 5 + 1).prefix(length - 9 - sign.utf8.count)
      batch.add("\(sign)\(filler) last\(index)\u{e9}", at: minute(index))
    }
    try store.load([batch])
    #expect(try isTrue())
    #expect(try store.hitCount(.matching("word")) == lengths.count)
    #expect(try store.hitCount(.matching("last0é")) == 1)
  }

  @Test func `what is taken back is forgotten by the index, too`() throws {
    try store.load([
      {
        var batch = ImportBatch()
        batch.add("one", at: minute(0))
        return batch
      }()
    ])
    let builder = SegmentBuilder()
    var chunk = SegmentBuilder.Chunk()
    chunk.bytes = Array("stranger".utf8)
    chunk.entries = [.init(id: 4_096, conversation: 1, table: .words, words: 0..<8)]
    builder.add(chunk)
    struct Stop: Error {}
    #expect(throws: (any Error).self) {
      try store.writing("") { db in
        try builder.finish { source in
          try SegmentTransfer(table: .words, source: source, target: db).run()
        }
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM search('stranger')") == 1)
        throw Stop()
      }
    }
    #expect(try store.numbers("SELECT count(*) FROM search('stranger')") == [0])
    #expect(try isTrue())
    try store.append([NewMessage("two")], to: try #require(try store.conversation(named: "general")).id)
    #expect(try isTrue())
    #expect(try store.hitCount(.matching("two")) == 1)
  }

  @Test func `a structure is written as FTS5 has written it`() throws {
    for number in 0..<20 {
      try store.append(
        [NewMessage("message \(number)")],
        to: store.conversation(named: "a")?.id ?? store.makeConversation(named: "a").id)
      let record = try store.reading("") { db in
        Array(try Data.fetchOne(db, sql: "SELECT block FROM search_data WHERE id = 10") ?? Data())
      }
      #expect(SegmentStructure(record)?.record == record)
    }
  }

  @Test func `a structure of another form is not read`() throws {
    let record = try structure(.words).record
    #expect(SegmentStructure(record) != nil)
    #expect(SegmentStructure(Array(record.dropLast())) == nil)
    #expect(SegmentStructure(record + [0]) == nil)
    #expect(SegmentStructure([0, 0, 0, 0, 0xFF, 0, 0, 1] + record.dropFirst(4)) == nil)
    #expect(SegmentStructure([]) == nil)
  }

  @Test func `the least number that is free is the next segment's`() throws {
    var structure = try structure(.words)
    structure.levels = []
    for id in [1, 2, 4] as [UInt64] { structure.append(.init(id: id, firstPage: 1, lastPage: 3)) }
    #expect(structure.freeID == 3)
    #expect(structure.writeCount == 9)
    structure.levels[0].segments = (1...2_000).map { .init(id: $0, firstPage: 1, lastPage: 1) }
    #expect(structure.freeID == nil)
  }

  @Test func `numbers of any length are read as they were written`() {
    for number in [0, 1, 127, 128, 16_383, 16_384, 1 << 31, 1 << 49, (1 << 56) - 1] as [UInt64] {
      var bytes: [UInt8] = []
      bytes.appendVarint(number)
      var reader = VarintReader(bytes[...])
      #expect(reader.next() == number && reader.isAtEnd)
    }
    var whole = VarintReader([UInt8](repeating: 0xFF, count: 9)[...])
    #expect(whole.next() == .max)
    var half = VarintReader([0x80][...])
    #expect(half.next() == nil)
  }
  @Test func `the pieces of a load are merged into the room that they leave`() throws {
    let temporary = try TemporaryStore()
    var dice = Dice(seed: 5)
    let load = try BulkImport(into: temporary.store, .test)
    for part in 0..<12 {
      var batch = ImportBatch()
      for index in 0..<1_000 {
        let words = (0..<60).map { _ in String(Int.random(in: 0..<40_000, using: &dice), radix: 36) }
        batch.add(words.joined(separator: " "), at: minute(part * 1_000 + index))
      }
      try load.add(batch)
    }
    _ = try load.finish()
    let (free, all) = try temporary.store.reading("") { db in
      (
        try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0,
        try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      )
    }
    #expect(all > 1_000 && free < all / 4, "\(free) of \(all)")
  }
}

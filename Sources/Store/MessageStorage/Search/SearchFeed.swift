internal import Foundation
internal import GRDB
internal import MessageModel
internal import Synchronization

/// Collects a load's texts for the search indexes and writes them in ascending order of ids. FTS5 flushes its
/// memory whenever an id does not ascend, and both indexes around each statement that SQLite may have to roll
/// back by itself, such as one that queries a view. Large loads are passed on to a ``SegmentBuilder``.
struct SearchFeed {
  private let builder: SegmentBuilder?
  private var chunk = SegmentBuilder.Chunk()
  /// Rows before those passed on already, such as of a file that begins where the previous one did.
  private var late = SegmentBuilder.Chunk()
  private var handedThrough: Int64?
  private var others: [Int64] = []

  init(builder: SegmentBuilder?) { self.builder = builder }

  mutating func add(_ row: MessageWriter.Row, text: UnsafeRawBufferPointer) {
    guard SearchSchema.indexes(row.kind) else { return }
    let id = row.id.rawValue
    let isLate = handedThrough.map { id <= $0 } ?? false
    let isKept = isLate ? late.add(text, id, row.conversation) : chunk.add(text, id, row.conversation)
    if !isKept { others.append(id) }
    if let builder, chunk.bytes.count >= builder.chunkByteCount { handOver(to: builder) }
  }

  private mutating func handOver(to builder: SegmentBuilder) {
    guard chunk.entries.count > 1 else { return }
    let (older, newer) = chunk.halves()
    chunk = newer
    handedThrough = older.entries.last?.id ?? handedThrough
    builder.add(older)
  }

  mutating func close() {
    chunk.sort()
    guard handedThrough != nil, let builder else { return }
    late.sort()
    for rest in [chunk, late] where !rest.entries.isEmpty { builder.add(rest) }
  }

  func write(into db: Database) throws {
    if handedThrough != nil, let builder {
      try builder.finish { source in
        for table in SearchTable.allCases {
          try SegmentTransfer(table: table, source: source, target: db).run()
        }
      }
    } else {
      try chunk.write(into: db)
    }
    let index = SearchIndex(db: db)
    for id in others.sorted() { try index.add(id) }
  }
}

extension SegmentBuilder.Chunk {
  /// Adds a text's words as the index's view has them; `false`, having added nothing, if SQL must do so.
  fileprivate mutating func add(_ text: UnsafeRawBufferPointer, _ id: Int64, _ conversation: Int64) -> Bool {
    let start = bytes.count
    guard let table = take(text) else { return false }
    entries.append(Entry(id: id, conversation: conversation, table: table, words: start..<bytes.count))
    return true
  }

  private mutating func take(_ text: UnsafeRawBufferPointer) -> SearchTable? {
    guard text.count <= SearchSchema.characterLimit, !text.hasNull else { return nil }
    if UnspacedScripts.areSurelyAbsent(from: text) {
      bytes.append(contentsOf: text)
      return .words
    }
    guard text.count < SearchSchema.signLimit, var words = String(validating: text, as: UTF8.self) else {
      return nil
    }
    return words.withUTF8 { UnspacedScripts.appendSpaced($0, to: &bytes) } ? .unspaced : .words
  }

  fileprivate mutating func sort() {
    let isSorted = !zip(entries, entries.dropFirst()).contains { $0.id > $1.id }
    if !isSorted { entries.sort { $0.id < $1.id } }
  }

  fileprivate func halves() -> (SegmentBuilder.Chunk, SegmentBuilder.Chunk) {
    var (older, newer) = (self, SegmentBuilder.Chunk())
    older.sort()
    newer.bytes.reserveCapacity(bytes.count)
    for entry in older.entries[(entries.count / 2)...] {
      let start = newer.bytes.count
      newer.bytes += bytes[entry.words]
      newer.entries.append(
        Entry(
          id: entry.id, conversation: entry.conversation, table: entry.table,
          words: start..<newer.bytes.count))
    }
    older.entries.removeLast(newer.entries.count)
    return (older, newer)
  }
}

extension UnsafeRawBufferPointer {
  fileprivate var hasNull: Bool { baseAddress.map { memchr($0, 0, count) != nil } ?? false }
}

/// Tokenizes a load's texts on a thread of its own while rows are written. FTS5 writes a transaction's texts
/// as a segment of the index. Here it does so in memory, and the segment is copied into the store. FTS5 takes
/// nearly half of an import, and a store has one writer: this uses a second core.
final class SegmentBuilder: Sendable {
  struct Chunk: Sendable {
    struct Entry: Sendable {
      let id: Int64
      let conversation: Int64
      let table: SearchTable
      let words: Range<Int>
    }

    var bytes: [UInt8] = []
    var entries: [Entry] = []
  }

  /// The bytes of text passed on at a time: some thousands of messages.
  let chunkByteCount: Int

  private let queue = Mutex<DatabaseQueue?>(nil)
  private let failure = Mutex<(any Error)?>(nil)

  init(chunkByteCount: Int = 1 << 18) { self.chunkByteCount = chunkByteCount }

  /// Returns before the texts are tokenized. Each id that does not ascend begins a further segment.
  func add(_ chunk: Chunk) {
    do {
      try openQueue().asyncWriteWithoutTransaction { [self] db in
        do {
          if !db.isInsideTransaction { try db.beginTransaction() }
          try chunk.write(into: db)
        } catch {
          failure.withLock { $0 = error }
        }
      }
    } catch {
      failure.withLock { $0 = error }
    }
  }

  func finish(_ body: (Database) throws -> Void) throws {
    try openQueue().writeWithoutTransaction { db in
      if let failure = failure.withLock({ $0 }) { throw failure }
      if db.isInsideTransaction { try db.commit() }
      try body(db)
      for table in SearchTable.allCases {
        try db.execute(sql: "INSERT INTO \(table.name)(\(table.name)) VALUES ('delete-all')")
      }
    }
  }

  private func openQueue() throws -> DatabaseQueue {
    try queue.withLock { queue in
      if let queue { return queue }
      var configuration = Configuration()
      // One transaction spans several calls and becomes one segment.
      configuration.allowsUnsafeTransactions = true
      configuration.prepareDatabase { db in
        try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA secure_delete = OFF")
      }
      let new = try DatabaseQueue(configuration: configuration)
      try new.writeWithoutTransaction { try $0.execute(sql: SearchSchema.tablesInMemory) }
      queue = new
      return new
    }
  }
}

extension SegmentBuilder.Chunk {
  func write(into db: Database) throws {
    for table in SearchTable.allCases { try write(table, into: db) }
  }

  private func write(_ table: SearchTable, into db: Database) throws {
    let statement = try RawStatement(
      db, "INSERT INTO \(table.name)(rowid, words, scope) VALUES (?, ?, ?)")
    var conversation: Int64?
    try bytes.withUnsafeBytes { bytes in
      for entry in entries where entry.table == table {
        // Bindings persist between steps.
        if conversation != entry.conversation { statement.bind("c\(entry.conversation)", at: 3) }
        conversation = entry.conversation
        statement.bind(entry.id)
        statement.bindText(UnsafeRawBufferPointer(rebasing: bytes[entry.words]), at: 2)
        try statement.run()
      }
    }
  }
}

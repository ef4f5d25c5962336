internal import GRDB
internal import Synchronization

/// Tokenizes a load's texts on a thread of its own while rows are written.
///
/// FTS5 writes a transaction's texts as a segment of the index. Here it does so in memory, and the segment is
/// copied into the store. FTS5 takes nearly half of an import, and a store has one writer: this uses a second
/// core.
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

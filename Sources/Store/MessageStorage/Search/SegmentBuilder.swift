internal import GRDB
internal import Synchronization

/// Takes the words of a load apart on a thread of its own, while the rows are written.
///
/// FTS5 writes what one transaction adds to an index as a segment of its own. Here it does so in memory, in indexes of
/// the same form; then the pages of the segment are copied into the store and the segment is noted there. Nearly half of
/// an import is FTS5's work, and a store has one writer: with this it is done on two cores.
final class SegmentBuilder: Sendable {
  /// Texts for the indexes, and whose they are.
  struct Chunk: Sendable {
    struct Entry: Sendable {
      let id: Int64
      let conversation: Int64
      let table: SearchTable
      /// The place of its words.
      let words: Range<Int>
    }

    var bytes: [UInt8] = []
    var entries: [Entry] = []
  }

  /// So many bytes of text are handed over at a time, some thousands of messages.
  let chunkByteCount: Int

  private let queue = Mutex<DatabaseQueue?>(nil)
  private let failure = Mutex<(any Error)?>(nil)

  /// Creates a builder; what it needs it makes when the first texts come.
  init(chunkByteCount: Int = 1 << 18) { self.chunkByteCount = chunkByteCount }

  /// Takes texts, and returns before they are taken apart. What is not in the order of ids makes further segments.
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

  /// Waits for the segments of what was added, lends them to `body`, and forgets them.
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
      // One transaction takes what comes in several calls, and becomes one segment.
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
  /// Adds everything to the indexes.
  func write(into db: Database) throws {
    for table in SearchTable.allCases { try write(table, into: db) }
  }

  private func write(_ table: SearchTable, into db: Database) throws {
    let statement = try RawStatement(
      db, "INSERT INTO \(table.name)(rowid, words, scope) VALUES (?, ?, ?)")
    var conversation: Int64?
    try bytes.withUnsafeBytes { bytes in
      for entry in entries where entry.table == table {
        // What is bound stays bound.
        if conversation != entry.conversation { statement.bind("c\(entry.conversation)", at: 3) }
        conversation = entry.conversation
        statement.bind(entry.id)
        statement.bindText(UnsafeRawBufferPointer(rebasing: bytes[entry.words]), at: 2)
        try statement.run()
      }
    }
  }
}

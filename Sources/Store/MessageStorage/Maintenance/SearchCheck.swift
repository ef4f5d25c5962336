internal import CSQLiteShim
internal import Dispatch
internal import GRDB
internal import MessageModel
internal import Synchronization

/// Compares a search index with the texts on a temporary copy: FTS5's own check takes the write lock.
struct SearchCheck {
  let db: Database
  let table: SearchTable

  private static let copy = "temp.checked"

  /// An unreadable index does not match.
  func isTrue() throws -> Bool {
    do {
      return try withCopy {
        try db.execute(sql: "INSERT INTO \(Self.copy)(checked, rank) VALUES ('integrity-check', 1)")
        return true
      }
    } catch let error as DatabaseError where Self.isDamage(error) {
      return false
    }
  }

  /// Rebuilds the index and returns the messages that differed; `nil` if the old one was unreadable.
  func rebuild() throws -> [Message.ID]? {
    var before: IndexedWords?
    do {
      before = try withCopy { try IndexedWords(db, schema: "temp", table: "checked") }
    } catch let error as DatabaseError where Self.isDamage(error) {
      before = nil
    }
    try DerivedTables(db: db).empty(table)
    let index = SearchIndex(db: db)
    try index.configure(table)
    try index.rebuild(table)
    guard let before else { return nil }
    let after = try IndexedWords(db, schema: "main", table: table.name)
    return before.messages(unlike: after)
  }

  private static func isDamage(_ error: DatabaseError) -> Bool {
    switch error.resultCode.primaryResultCode {
    case .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_NOTADB, .SQLITE_MISMATCH, .SQLITE_CONSTRAINT: true
    default: false
    }
  }

  private func withCopy<Value>(_ body: () throws -> Value) throws -> Value {
    SearchFunctions.registerLookForSigns(db)
    _ = csqlite_open_shadow_tables(db.sqliteConnection)
    defer { if db.configuration.readonly { _ = csqlite_be_defensive(db.sqliteConnection) } }
    try drop()
    defer { try? drop() }
    try db.execute(
      sql: """
        CREATE TEMP VIEW checked_text(id, words, scope) AS \(texts);
        CREATE VIRTUAL TABLE \(Self.copy) USING fts5(
          words, scope, content='checked_text', content_rowid='id', columnsize=0,
          tokenize="\(SearchSchema.tokenizer)");
        """)
    for (part, columns) in [("data", "id, block"), ("idx", "segid, term, pgno"), ("config", "k, v")] {
      try db.execute(
        sql: """
          DELETE FROM \(Self.copy)_\(part);
          INSERT INTO \(Self.copy)_\(part)(\(columns)) SELECT \(columns) FROM main.\(table.name)_\(part);
          """)
    }
    // A rolled back savepoint clears FTS5's cache of an index.
    try db.execute(
      sql: """
        SAVEPOINT copied;
        INSERT INTO \(Self.copy)(checked, rank) VALUES ('merge', 0);
        ROLLBACK TO copied;
        RELEASE copied;
        """)
    return try body()
  }

  /// The index's source. Texts without characters of ``UnspacedScripts`` are recognised by their bytes where
  /// possible: the view compares each character with each range, which would take half of the time.
  private var texts: String {
    switch table {
    case .words:
      """
      SELECT id, words, scope FROM main.indexed_text AS i
        WHERE \(SearchFunctions.hasSurelyNoSigns)(words) OR EXISTS (SELECT 1 FROM main.\(table.content) WHERE id = i.id)
      """
    case .unspaced:
      """
      SELECT i.id, s.words, s.scope FROM main.indexed_text AS i CROSS JOIN main.\(table.content) AS s ON s.id = i.id
        WHERE NOT \(SearchFunctions.hasSurelyNoSigns)(i.words)
      """
    }
  }

  private func drop() throws {
    try db.execute(sql: "DROP VIEW IF EXISTS temp.checked_text")
    do {
      try db.execute(sql: "DROP TABLE IF EXISTS \(Self.copy)")
    } catch let error as DatabaseError where Self.isDamage(error) {
      // A damaged structure record would keep the table from being dropped.
      try db.execute(
        sql: """
          INSERT OR REPLACE INTO \(Self.copy)_data VALUES (1, x''), (10, \(DerivedTables.noSegments));
          INSERT OR REPLACE INTO \(Self.copy)_config VALUES ('version', 4);
          DROP TABLE \(Self.copy);
          """)
    }
  }
}

private struct IndexedWords {
  private var sums: [Int64: UInt64] = [:]

  init(_ db: Database, schema: String, table: String) throws {
    try db.execute(
      sql: """
        DROP TABLE IF EXISTS temp.checked_words;
        CREATE VIRTUAL TABLE temp.checked_words USING fts5vocab('\(schema)', '\(table)', 'instance');
        """)
    defer { try? db.execute(sql: "DROP TABLE IF EXISTS temp.checked_words") }
    // Damage may leave NULL in any of them.
    try RawStatement(db, "SELECT doc, term, col, offset FROM temp.checked_words").each { row in
      let (message, place) = (row.int(0), row.int(3))
      let (word, column) = (row.text(1), row.text(2))
      var hash = SipHash(key: (0, 0))
      "\(column) \(place) \(word)".utf8.withContiguousStorageIfAvailable {
        hash.combine(UnsafeRawBufferPointer($0))
      }
      sums[message, default: 0] &+= hash.finish()
    }
  }

  func messages(unlike other: IndexedWords) -> [Message.ID] {
    sums.filter { other.sums[$0.key] != $0.value }.keys.sorted().map(Message.ID.init(rawValue:))
  }
}

/// Compares the search indexes with the texts on its own thread and connection, beside the faster rest of a
/// check. It may see a later state of the store.
final class SearchComparison: Sendable {
  private let outcome = Mutex<Result<[SearchTable], any Error>?>(nil)
  private let ending = DispatchGroup()
  private let stop = CancellationFlag()

  init?(of store: SynchronousMessageStore) {
    guard store.readsAtOnce else { return nil }
    let outer = SynchronousMessageStore.isCancelled
    let isCancelled = { @Sendable [stop] in stop.isRaised || outer?() == true }
    ending.enter()
    DispatchQueue.global().async { [self] in
      let result = Result { try Self.differences(in: store, isCancelled) }
      outcome.withLock { $0 = result }
      ending.leave()
    }
  }

  func differences() throws -> [SearchTable] {
    ending.wait()
    return try outcome.withLock { try $0?.get() ?? [] }
  }

  func cancel() {
    stop.raise()
    ending.wait()
  }

  private static func differences(
    in store: SynchronousMessageStore, _ isCancelled: @escaping @Sendable () -> Bool
  ) throws -> [SearchTable] {
    try SynchronousMessageStore.whileCancellable(by: isCancelled) {
      // Reading would replace SQLite's errors, which the check needs to recognise damage.
      try store.reading("cannot check '\(store.path)'") { db in
        Result { try SearchTable.allCases.filter { try !SearchCheck(db: db, table: $0).isTrue() } }
      }.get()
    }
  }
}

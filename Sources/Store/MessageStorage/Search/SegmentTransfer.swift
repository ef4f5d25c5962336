internal import CSQLiteShim
internal import GRDB

/// Copies FTS5 segments from memory into the same index of a store. Pages are copied under ids of their new
/// segment. The transaction must not have changed the index otherwise.
struct SegmentTransfer {
  let table: SearchTable
  let source: Database
  let target: Database

  /// The number of segments of the newest level that are merged into one, as FTS5 does.
  private static let mergeCount = 16
  /// The bits below a segment's id.
  private static let pageBits: UInt64 = 37

  private static let averagesID: Int64 = 1
  private static let structureID: Int64 = 10

  static func isPossible(_ db: Database) throws -> Bool {
    try SearchTable.allCases.allSatisfy { try SegmentStructure(record(structureID, of: $0, in: db)) != nil }
  }

  func run() throws {
    guard let new = SegmentStructure(try Self.record(Self.structureID, of: table, in: source)),
      var structure = SegmentStructure(try Self.record(Self.structureID, of: table, in: target))
    else { throw unknownForm }
    guard !new.segments.isEmpty else { return }
    try prepare()
    for segment in new.segments {
      guard let id = structure.freeID else { throw DatabaseError(resultCode: .SQLITE_FULL) }
      try copy(segment, as: id)
      structure.append(.init(id: id, firstPage: segment.firstPage, lastPage: segment.lastPage))
    }
    try write(structure.record, Self.structureID)
    try addAverages()
    try merge(structure.levels[0])
  }

  private var unknownForm: DatabaseError {
    DatabaseError(message: "the search index has a form that is not known")
  }

  /// A rolled back savepoint clears FTS5's cache of the index; shadow tables must be writable.
  private func prepare() throws {
    _ = csqlite_open_shadow_tables(target.sqliteConnection)
    try target.inSavepoint {
      try RawStatement.run(
        target, "INSERT INTO \(table.name)(\(table.name), rank) VALUES ('merge', 0)")
      return .rollback
    }
  }

  private func copy(_ segment: SegmentStructure.Segment, as id: UInt64) throws {
    let (old, new) = (Int64(segment.id << Self.pageBits), Int64(id << Self.pageBits))
    let pages = try RawStatement(
      source, "SELECT id, block FROM \(table.name)_data WHERE id BETWEEN ? AND ?", old,
      old | Int64(1 << Self.pageBits - 1))
    let insertPage = try RawStatement(target, "INSERT INTO \(table.name)_data(id, block) VALUES (?, ?)")
    while try pages.step() {
      insertPage.bind(pages.int(0) - old + new)
      try pages.withBytes(1) { block in
        insertPage.bindBlob(block, at: 2)
        try insertPage.run()
      }
    }
    pages.reset()
    try copyFirstWords(of: Int64(segment.id), as: Int64(id))
  }

  private func copyFirstWords(of old: Int64, as new: Int64) throws {
    let words = try RawStatement(source, "SELECT term, pgno FROM \(table.name)_idx WHERE segid = ?", old)
    let insert = try RawStatement(
      target, "INSERT INTO \(table.name)_idx(segid, term, pgno) VALUES (?, ?, ?)", new)
    while try words.step() {
      insert.bind(words.int(1), at: 3)
      try words.withBytes(0) { term in
        insert.bindBlob(term, at: 2)
        try insert.run()
      }
    }
    words.reset()
  }

  /// The averages are sums: of rows, and of the words of each column.
  private func addAverages() throws {
    let new = sums(try Self.record(Self.averagesID, of: table, in: source))
    let old = sums(try Self.record(Self.averagesID, of: table, in: target))
    var record: [UInt8] = []
    for place in 0..<max(new.count, old.count) {
      record.appendVarint((place < new.count ? new[place] : 0) + (place < old.count ? old[place] : 0))
    }
    try write(record, Self.averagesID)
  }

  private func sums(_ record: [UInt8]) -> [UInt64] {
    var (numbers, sums) = (VarintReader(record[...]), [UInt64]())
    while let number = numbers.next() { sums.append(number) }
    return sums
  }

  private static func record(_ id: Int64, of table: SearchTable, in db: Database) throws -> [UInt8] {
    let statement = try RawStatement(db, "SELECT block FROM \(table.name)_data WHERE id = ?", id)
    defer { statement.reset() }
    guard try statement.step() else { return [] }
    return statement.withBytes(0) { Array($0) }
  }

  private func write(_ record: [UInt8], _ id: Int64) throws {
    let statement = try RawStatement(target, "UPDATE \(table.name)_data SET block = ? WHERE id = ?")
    statement.bind(id, at: 2)
    try record.withUnsafeBytes {
      statement.bindBlob($0, at: 1)
      try statement.run()
    }
  }

  private func merge(_ level: SegmentStructure.Level) throws {
    guard level.segments.count >= Self.mergeCount else { return }
    let pageCount = level.segments.reduce(0) { $0 + $1.pageCount }
    try SearchIndex(db: target).merge(table, pageCount: Int(clamping: pageCount))
  }
}

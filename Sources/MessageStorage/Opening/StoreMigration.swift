internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import MessageModel

/// Brings an older store to the present form.
///
/// The steps to it change no row of a message and take milliseconds; the store has the present form then, and programs
/// that know only the older one refuse it. Indexes follow, each in a transaction of its own: if the process is ended, the
/// next one to open the store for writing goes on with the first that is missing. Whoever reads goes on reading.
struct StoreMigration {
  let path: String
  let file: StoreFile
  let pool: DatabasePool
  /// The time that another process may spend on an index, beyond what waits for any lock; by default as long as the slowest
  /// disk would take for it.
  var patience: (_ messageCount: Int) -> Duration = { .seconds(10 + $0 / 50_000) }

  /// Brings the store to the present form.
  ///
  /// - Throws: ``StoreError`` of kind `noSpace` with the store as it was, `cancelled`, or what SQLite says.
  func run() throws {
    // What leads from form 2 on takes no room.
    let isOfFirstForm =
      try pool.writeWithoutTransaction { try RawStatement.number($0, "PRAGMA user_version") } == 1
    if isOfFirstForm { try checkRoom() }
    try Schema.migrator.migrate(pool)
  }

  /// Makes the indexes that are missing.
  ///
  /// - Parameter progress: Told the part done; answers whether to go on.
  /// - Complexity: O(messages × log messages).
  func makeIndexes(_ names: [String], _ progress: (Double) -> Bool) throws {
    try checkRoom()
    let indexes = Migration2.indexes.filter { names.contains($0.name) }
    let total = indexes.reduce(0) { $0 + $1.weight }
    var done = 0.0
    for index in indexes {
      guard progress(done) else { throw Self.stopped }
      let share = index.weight / total
      let expected = try Double(messageCount()) * index.stepsPerMessage
      try withoutActuallyEscaping(progress) { progress in
        try waitingForOthers(whileTelling: { progress(done) }) {
          try make(index, StepMeter(expected: expected) { [done] part in progress(done + part * share) })
        }
      }
      done += share
    }
    _ = progress(1)
  }

  private func make(_ index: Migration2.Index, _ meter: StepMeter) throws {
    // Another process may have made it.
    let sql = index.sql.replacing("CREATE INDEX", with: "CREATE INDEX IF NOT EXISTS", maxReplacements: 1)
    try pool.writeWithoutTransaction { db in
      try db.inTransaction(.immediate) {
        try meter.whileCounting(db) { try db.execute(sql: sql) }
        MigrationStep.indexed.pass()
        return .commit
      }
    }
  }

  /// Does something again and again for as long as another process, which has come to the same store, may be making an
  /// index: far longer than anybody else waits for a lock.
  private func waitingForOthers(whileTelling goesOn: () -> Bool, _ body: () throws -> Void) throws {
    let clock = ContinuousClock()
    let end = try clock.now.advanced(by: patience(messageCount()))
    while true {
      do {
        return try body()
      } catch let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_BUSY {
        guard goesOn() else { throw Self.stopped }
        guard clock.now < end else {
          throw StoreError(
            .busy, "cannot bring '\(path)' to form \(Schema.version)",
            cause: "another process is upgrading it or writing to it",
            remedy: "later; until then it can be read")
        }
        usleep(10_000)
      }
    }
  }

  /// The error of a migration that was to be stopped.
  static let stopped = StoreError(
    .cancelled, "did not bring the store to form \(Schema.version)", cause: "stopped on request",
    remedy: "again; it goes on where it was")

  private func messageCount() throws -> Int {
    try pool.writeWithoutTransaction { db in
      RawStatement.count(
        try RawStatement.number(db, "SELECT inserted - deleted FROM tally WHERE scope = 0") ?? 0)
    }
  }

  /// The bytes that a message may take: in the log, in the file, and in the files that SQLite sorts in.
  private static let byteCountPerMessage = 80

  /// Throws unless there is room for what the migration will write.
  private func checkRoom() throws {
    // No store has so many that this would be too much: see `RawStatement.count`.
    let needed = try messageCount() * Self.byteCountPerMessage
    guard let free = DiskSpace.available(besides: file.path), free < needed else { return }
    let (mebibytes, left) = (needed >> 20 + 1, free >> 20)
    throw StoreError(
      .noSpace, "cannot bring '\(path)' to form \(Schema.version)",
      cause: "that takes up to \(mebibytes) MiB of the disk, and \(left) are free",
      remedy: "free some space, then again; until then it can be read")
  }
}

/// Counts the steps of SQLite's machine, to tell how far a long statement has come and to end it on request.
private final class StepMeter {
  private let expected: Double
  private let progress: (Double) -> Bool
  private var count = 0.0
  private var isStopped = false

  /// The number of steps that pass between two calls: some milliseconds.
  private static let interval: Int32 = 1 << 18

  init(expected: Double, progress: @escaping (Double) -> Bool) {
    self.expected = max(expected, 1)
    self.progress = progress
  }

  func whileCounting(_ db: Database, _ body: () throws -> Void) throws {
    let this = Unmanaged.passUnretained(self)
    sqlite3_progress_handler(
      db.sqliteConnection, Self.interval,
      { context in
        guard let context else { return 0 }
        return Unmanaged<StepMeter>.fromOpaque(context).takeUnretainedValue().goesOn() ? 0 : 1
      }, this.toOpaque())
    defer { sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
    do {
      try withExtendedLifetime(self) { try body() }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT && isStopped {
      throw StoreMigration.stopped
    }
  }

  private func goesOn() -> Bool {
    count += Double(Self.interval)
    isStopped = !progress(min(count / expected, 1))
    return !isStopped
  }
}

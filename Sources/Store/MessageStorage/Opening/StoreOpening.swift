internal import CSQLiteShim
internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import MessageModel

struct StoreOpening {
  let path: String
  let file: StoreFile
  let options: StoreOptions
  let costly: CostlyMessageLog
  let gate: StoreGate

  init(
    path: String, options: StoreOptions, costly: CostlyMessageLog, gate: StoreGate
  ) throws(StoreError) {
    self.path = path
    self.costly = costly
    self.gate = gate
    self.options = options
    file = try StoreFile(named: path, doing: "cannot open '\(path)'")
  }

  func checkPath() throws(StoreError) {
    let doing = "cannot open '\(path)'"
    try file.checkFileSystem(doing: doing)
    if options.access != .readOnly { PartFile.sweep(beside: file.path) }
    try file.checkKinds(doing: doing)
    if let facts = stat(at: file.path) {
      if options.access != .readOnly { try StorePlace.checkLinks(facts, doing: doing) }
      return
    }
    guard options.access == .create else {
      throw StoreError(
        .noSuchStore, doing, cause: "there is no such file", remedy: .makeStore)
    }
    try makeFile()
  }

  private func makeFile() throws(StoreError) {
    do {
      try FileManager.default.createDirectory(
        atPath: file.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError(
        .cannotCreate, "cannot make '\(path)'",
        cause: "its folder cannot be made: \((error as NSError).localizedDescription)")
    }
    // SQLite would take what a deleted file left there for the new file's.
    for suffix in StoreFile.companions { unlink(file.path + suffix) }
    // SQLite gives its companions (-wal, -shm) the permissions of the file.
    let descriptor = Foundation.open(file.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw StoreError(.cannotCreate, "cannot make '\(path)'", cause: String(cString: strerror(errno)))
    }
    Foundation.close(descriptor)
  }

  struct Opened {
    var database: any DatabaseReader
    var unexpectedObject: String?
    var place: StorePlace
    var transactionCountBehindDamage = 0
  }

  /// A file that is not a store is refused without a byte written to it.
  func open() throws -> Opened {
    do {
      return try openOnce()
    } catch let error as StoreError where error.kind == .displaced {
      // A backup may just have replaced the file.
      return try openOnce()
    }
  }

  private func openOnce() throws -> Opened {
    var header = file.header
    try refuseEarlier(header)
    // The first connection that writes may overwrite that part of the log.
    let count = file.transactionCountBehindDamage()
    if try takeBackUnfinished() { header = file.header }
    var opened = try connected(header)
    opened.transactionCountBehindDamage = count
    return opened
  }

  private func connected(_ header: DatabaseHeader?) throws -> Opened {
    if options.access == .readOnly { return try opened(try reader()) }
    // GRDB switches to WAL when a pool opens, so the file must be recognised before. If its header suffices,
    // no connection is opened to check: each one reads the whole schema, which takes 3 ms.
    let isKnown = OpenFiles.contains(file)
    let isMarked = isKnown || header?.isOfPresentForm == true
    if !isMarked, try unexpectedObjectBeforeWriting() != nil { return try opened(try reader()) }
    let pool = try writer(isMarked: isMarked, isMade: isKnown || isMarked && header?.usesLog == true)
    guard try pool.writeWithoutTransaction(unexpectedObject(in:)) == nil else {
      try pool.close()
      return try opened(try reader())
    }
    let place = try pool.writeWithoutTransaction { db in try noted(db, isWritten: true) }
    return Opened(database: pool, unexpectedObject: nil, place: place)
  }

  /// Rolls back what a process left unfinished when it ended while it made or replaced the store, writing
  /// without a log; returns whether there was anything. A read-only connection could not, and would read
  /// nothing.
  private func takeBackUnfinished() throws -> Bool {
    guard !OpenFiles.contains(file), file.hasUnfinishedJournal else { return false }
    // SQLite rolls back before it reads the first page, which preparing the connection does.
    try DatabaseQueue(path: file.path, configuration: configuration(readOnly: false)).close()
    return true
  }

  private func opened(_ reader: any DatabaseReader) throws -> Opened {
    try reader.read { db in
      Opened(
        database: reader, unexpectedObject: try unexpectedObject(in: db),
        place: try noted(db, isWritten: false))
    }
  }

  private func noted(_ db: Database, isWritten: Bool) throws -> StorePlace {
    try StorePlace(of: file, named: path, db, isWritten: isWritten)
  }

  // MARK: Reading

  private func reader() throws -> any DatabaseReader {
    let location = file.readingPath
    let configuration = configuration(readOnly: true)
    do {
      if options.readerCount == 1 || location != file.path {
        return try DatabaseQueue(path: location, configuration: configuration)
      }
      return try DatabasePool(path: file.path, configuration: configuration)
    } catch let error as DatabaseError where error.isOfFullDisk {
      return try DatabaseQueue(path: file.addressWithoutIndex, configuration: configuration)
    }
  }

  private func configuration(readOnly: Bool, beginsLog: Bool = false) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = readOnly
    configuration.maximumReaderCount = options.readerCount
    let busyWait = BusyWait(timeout: options.busyTimeout, gate: gate)
    configuration.busyMode = .callback { busyWait.goesOn(afterTries: $0) }
    configuration.prepareDatabase { [costly = costly, trace = options.trace] db in
      trace?.listen(to: db)
      // GRDB sets a timeout of ten seconds for a pool's readers. The connection retains this closure.
      busyWait.apply(to: db)
      // A file opened for reading only may be hostile.
      if readOnly {
        _ = csqlite_be_defensive(db.sqliteConnection)
        sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, Self.maxValueByteCount)
      }
      try db.execute(
        sql: """
          PRAGMA cache_size = -\(StoreOptions.cacheKiB);
          PRAGMA mmap_size = 0;
          PRAGMA secure_delete = \(SecureDeletion.ofRows.rawValue);
          PRAGMA journal_size_limit = 16777216;
          """)
      SearchFunctions.register(db, noting: costly)
      if !db.configuration.readonly {
        try checkName(of: db)
        try LaterStep.refuse(in: db, path: path)
      }
      // This closure also prepares a pool's readers.
      if beginsLog, !db.configuration.readonly { try beginLog(db) }
    }
    return configuration
  }

  /// The longest value in a file opened for reading only: longer than any text, short enough to be harmless.
  private static let maxValueByteCount: Int32 = 1 << 28

  // MARK: Writing

  /// - Parameter isMade: Whether it is a complete store of the present format.
  private func writer(isMarked: Bool, isMade: Bool) throws -> DatabasePool {
    // Another process would find an unfinished store without tables. Any reader of the folder can hold this
    // lock, so complete stores do not wait for it.
    let lock =
      isMade
      ? nil
      : try FolderLock(file.folder, timeout: options.busyTimeout, doing: "cannot open '\(path)'")
    defer { lock?.release() }
    let pool = try DatabasePool(
      path: file.path, configuration: configuration(readOnly: false, beginsLog: isMarked))
    // GRDB has set NORMAL when it switched to WAL.
    let level = options.durability == .power ? "FULL" : "NORMAL"
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(level)") }
    if try isCurrent(pool) { return pool }
    do {
      try Schema.migrator().migrate(pool)
    } catch {
      // Another process may have migrated it at the same time.
      guard try isCurrent(pool) else { throw error }
    }
    return pool
  }

  /// Checks that the open file is still the one at the path before anything is written beside it: the log of
  /// one file would be taken for the other's.
  private func checkName(of db: Database) throws {
    _ = try Int32.fetchOne(db, sql: "PRAGMA user_version")
    guard csqlite_has_moved(db.sqliteConnection) != 0 else { return }
    throw StoreError(
      .displaced, "cannot open '\(path)'", cause: "another file has taken its place", remedy: "again")
  }

  /// Writes an unchanged page to an empty log. GRDB would create and drop a table: two waits for the disk,
  /// and other processes would have to read the schema again.
  private func beginLog(_ db: Database) throws {
    guard file.logByteCount == 0 else { return }
    // The page is unchanged and no older log can be mistaken for it, so it may reach the disk with the first
    // commit.
    try db.execute(sql: "PRAGMA synchronous = OFF")
    try db.inTransaction(.immediate) {
      let version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
      try db.execute(sql: "PRAGMA user_version = \(version)")
      return .commit
    }
  }

  private func isCurrent(_ pool: DatabasePool) throws -> Bool {
    try pool.writeWithoutTransaction { db in
      try Int32.fetchOne(db, sql: "PRAGMA user_version") == Schema.version
    }
  }

  // MARK: Identity

  private func unexpectedObjectBeforeWriting() throws -> String? {
    if StoreFile.byteCount(of: file.path) == 0 { return nil }
    let queue = try DatabaseQueue(path: file.readingPath, configuration: configuration(readOnly: true))
    defer { try? queue.close() }
    return try queue.read(unexpectedObject(in:))
  }

  /// Reads the header alone: no connection touches such a store.
  private func refuseEarlier(_ header: DatabaseHeader?) throws(StoreError) {
    guard let header, header.isOfStore else { return }
    try Schema.refuseEarlier(header.version, doing: "cannot open '\(path)'")
  }

  private func unexpectedObject(in db: Database) throws -> String? {
    let application = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    let version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    // A database with only the table of migrations is a store that another process is making.
    let tables =
      try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations'") ?? 0
    if application == 0, tables == 0, options.access != .readOnly { return nil }
    guard application == Schema.applicationID else {
      throw StoreError(
        .notAStore, "cannot open '\(path)'", cause: "it is a database, but not one of Scrollback's",
        remedy: .openAnotherStore)
    }
    try Schema.refuseEarlier(version, doing: "cannot open '\(path)'")
    guard version >= 1 else {
      throw StoreError(
        .notAStore, "cannot open '\(path)'",
        cause: "its format number (\(version)) is unknown",
        remedy: .openAnotherStore)
    }
    guard version <= Schema.version else {
      throw StoreError(
        .notAStore, "cannot open '\(path)'",
        cause: "it has form \(version), and this program knows forms up to \(Schema.version)",
        remedy: "a newer scrollback")
    }
    let unexpected = try SchemaComparison.unexpectedObject(in: db, version: version)
    guard let unexpected else { return nil }
    if let trap = try SchemaComparison.trap(in: db) {
      throw StoreError(
        .damaged, "cannot open '\(path)'", cause: "its \(trap) does not match Scrollback's schema",
        remedy: "a backup of it")
    }
    return unexpected
  }
}

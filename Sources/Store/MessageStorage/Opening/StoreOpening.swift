internal import CSQLiteShim
internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import MessageModel

/// The opening of a file as a store.
struct StoreOpening {
  /// The path as it was named.
  let path: String
  let file: StoreFile
  let options: StoreOptions
  /// The notes of messages on which an expression takes too long.
  let costly: CostlyMessages
  /// The gate of the store that is opened.
  let gate: StoreGate

  init(
    path: String, options: StoreOptions, costly: CostlyMessages, gate: StoreGate
  ) throws(StoreError) {
    self.path = path
    self.costly = costly
    self.gate = gate
    self.options = options
    file = try StoreFile(named: path, doing: "cannot open '\(path)'")
  }

  /// Sees to it that there is a file, in a folder, on a file system where locks hold.
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
    // What a file that is gone has left there, SQLite would take for the new one's.
    for suffix in StoreFile.companions { unlink(file.path + suffix) }
    // SQLite gives its companions (-wal, -shm) the permissions of the file.
    let descriptor = Foundation.open(file.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw StoreError(.cannotCreate, "cannot make '\(path)'", cause: String(cString: strerror(errno)))
    }
    Foundation.close(descriptor)
  }

  /// The outcome of an opening.
  struct Opened {
    var database: any DatabaseReader
    /// The object in the store that Scrollback did not make, if there is one.
    var unexpectedObject: String?
    var place: StorePlace
    /// The number of transactions that its log had behind a damaged place.
    var transactionCountBehindDamage = 0
  }

  /// Opens the connections.
  ///
  /// A file that is something else than a store is refused without a byte written to it.
  ///
  func open() throws -> Opened {
    do {
      return try openOnce()
    } catch let error as StoreError where error.kind == .displaced {
      // A backup may just have taken its place.
      return try openOnce()
    }
  }

  private func openOnce() throws -> Opened {
    var header = file.header
    try refuseEarlier(header)
    // The first connection that writes may go over what is there.
    let count = file.transactionCountBehindDamage()
    if try takeBackUnfinished() { header = file.header }
    var opened = try connected(header)
    opened.transactionCountBehindDamage = count
    return opened
  }

  private func connected(_ header: DatabaseHeader?) throws -> Opened {
    if options.access == .readOnly { return try opened(try reader()) }
    // GRDB switches to WAL when a pool opens, so who the file belongs to is looked at before. Where its first bytes
    // tell, no connection is opened to ask: each reads all of the schema, 3 ms.
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

  /// Takes back what a process has left half done that was ended while it wrote without a log, as it made the store or put
  /// a backup in its place. A connection that only reads could not, and would read nothing.
  ///
  /// - Returns: Whether there was anything.
  private func takeBackUnfinished() throws -> Bool {
    guard !OpenFiles.contains(file), file.hasUnfinishedJournal else { return false }
    // SQLite does it before it reads the first page, which is looked at as the connection is prepared.
    try DatabaseQueue(path: file.path, configuration: configuration(readOnly: false)).close()
    return true
  }

  /// Returns the outcome for a file that is opened for reading alone.
  private func opened(_ reader: any DatabaseReader) throws -> Opened {
    try reader.read { db in
      Opened(
        database: reader, unexpectedObject: try unexpectedObject(in: db),
        place: try noted(db, isWritten: false))
    }
  }

  /// Returns the place of a connection's files.
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
      // GRDB has the readers of a pool wait for ten seconds. The connection keeps this closure.
      busyWait.apply(to: db)
      // Nobody knows yet where a file comes from that is only to be read.
      if readOnly {
        _ = csqlite_be_defensive(db.sqliteConnection)
        sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, Self.maxValueByteCount)
      }
      try db.execute(
        sql: """
          PRAGMA cache_size = -\(StoreOptions.cacheKiB);
          PRAGMA mmap_size = 0;
          PRAGMA secure_delete = OFF;
          PRAGMA journal_size_limit = 16777216;
          """)
      SearchFunctions.register(db, noting: costly)
      if !db.configuration.readonly {
        try checkName(of: db)
        try LaterStep.refuse(in: db, path: path)
      }
      // The readers of a pool are prepared by this, too.
      if beginsLog, !db.configuration.readonly { try beginLog(db) }
    }
    return configuration
  }

  /// The most bytes that a value may have where it is only read: more than any text, and less than would harm.
  private static let maxValueByteCount: Int32 = 1 << 28

  // MARK: Writing

  /// - Parameters:
  ///   - isMarked: Whether it is known to be a store of the present form.
  ///   - isMade: Whether it is ready to be written to, too.
  private func writer(isMarked: Bool, isMade: Bool) throws -> DatabasePool {
    // One at a time makes a store: who opens it between the first byte and the last table would find none of them.
    // Whoever may read the folder can hold this lock, so a store that is made does not wait for it.
    let lock =
      isMade
      ? nil
      : try FolderLock(file.folder, timeout: options.busyTimeout, doing: "cannot open '\(path)'")
    defer { lock?.release() }
    let pool = try DatabasePool(
      path: file.path, configuration: configuration(readOnly: false, beginsLog: isMarked))
    // Only now: GRDB has set NORMAL as it turned the log on.
    let level = options.durability == .power ? "FULL" : "NORMAL"
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(level)") }
    if try isCurrent(pool) { return pool }
    do {
      try Schema.migrator().migrate(pool)
    } catch {
      // Another process may have brought it to the present form at the same time.
      guard try isCurrent(pool) else { throw error }
    }
    return pool
  }

  /// Sees to it that what is open is what the name leads to now, before anything is written beside that name: a log
  /// of the one would be taken for the other's.
  private func checkName(of db: Database) throws {
    // Whoever puts another file in the place holds the old one locked meanwhile.
    _ = try Int32.fetchOne(db, sql: "PRAGMA user_version")
    guard csqlite_has_moved(db.sqliteConnection) != 0 else { return }
    throw StoreError(
      .displaced, "cannot open '\(path)'", cause: "another file has taken its place", remedy: "again")
  }

  /// Writes a page as it is to a log that is empty. GRDB would make a table and drop it again to have something there:
  /// two waits for the disk, and other processes would have to read all of the schema anew.
  private func beginLog(_ db: Database) throws {
    guard file.logByteCount == 0 else { return }
    // It says nothing new, and no older log can be taken for it: it may come to the disk with the first commit.
    try db.execute(sql: "PRAGMA synchronous = OFF")
    try db.inTransaction(.immediate) {
      let version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
      try db.execute(sql: "PRAGMA user_version = \(version)")
      return .commit
    }
  }

  /// Whether a store has the present form; asked on the connection that is there already.
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

  /// Throws if the first bytes of the file say that it is a store of a form before the first that this program reads. No
  /// connection is opened to ask: it stays as it is.
  private func refuseEarlier(_ header: DatabaseHeader?) throws(StoreError) {
    guard let header, header.isOfStore else { return }
    try Schema.refuseEarlier(header.version, doing: "cannot open '\(path)'")
  }

  /// Returns the object of a store that this program has not made, or does not find; throws if the file is no store.
  private func unexpectedObject(in db: Database) throws -> String? {
    let application = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    let version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    // The table of migrations comes first: with it alone, another process is just making this store.
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
        .damaged, "cannot open '\(path)'", cause: "its \(trap) is not as Scrollback makes it",
        remedy: "a backup of it")
    }
    return unexpected
  }
}

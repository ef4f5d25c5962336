internal import CSQLiteShim
internal import Foundation
internal import GRDB
internal import MessageModel

/// How a file becomes an open store.
struct StoreOpening {
  let path: String
  let options: StoreOptions

  /// Sees to it that there is a file, in a folder, on a file system where locks hold.
  func checkPath() throws(StoreError) {
    try file.checkFileSystem(doing: "cannot open '\(path)'")
    let manager = FileManager.default
    var isDirectory: ObjCBool = false
    if manager.fileExists(atPath: path, isDirectory: &isDirectory) {
      if isDirectory.boolValue {
        throw StoreError(.notAStore, "cannot open '\(path)'", cause: "it is a folder", remedy: "name a file")
      }
      return
    }
    guard options.access == .create else {
      throw StoreError(
        .noSuchStore, "cannot open '\(path)'", cause: "there is no such file",
        remedy: "scrollback import FILE, which makes it")
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
    // SQLite gives its companions (-wal, -shm) the permissions of the file.
    let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError(.cannotCreate, "cannot make '\(path)'", cause: String(cString: strerror(errno)))
    }
    Foundation.close(descriptor)
  }

  private var file: StoreFile { StoreFile(path: path) }

  /// Opens the connections, and returns with them what in the store was made by somebody else.
  ///
  /// A file that is something else than a store is refused without a byte written to it.
  func open() throws -> (database: any DatabaseReader, stranger: String?) {
    if options.access == .readOnly {
      let database = try reader()
      return (database, try database.read(stranger))
    }
    // GRDB switches to WAL when a pool opens, so who the file belongs to is looked at before. Where its first bytes
    // tell, no connection is opened to ask: each reads all of the schema, 3 ms.
    let isMarked =
      file.header == StoreFile.Header(applicationID: Schema.applicationID, version: Schema.version)
    if !isMarked, let stranger = try strangerBeforeWriting() { return (try reader(), stranger) }
    let pool = try writer(isMarked: isMarked)
    if isMarked, let stranger = try pool.writeWithoutTransaction(stranger) {
      try pool.close()
      return (try reader(), stranger)
    }
    return (pool, nil)
  }

  // MARK: Reading

  private func reader() throws -> any DatabaseReader {
    let location = file.readingPath
    let configuration = configuration(readOnly: true)
    if options.readerCount == 1 || location != path {
      return try DatabaseQueue(path: location, configuration: configuration)
    }
    return try DatabasePool(path: path, configuration: configuration)
  }

  private func configuration(readOnly: Bool, beginsLog: Bool = false) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = readOnly
    configuration.maximumReaderCount = options.readerCount
    configuration.busyMode = .timeout(Double(options.busyMilliseconds) / 1_000)
    configuration.prepareDatabase { db in
      // Nobody knows yet where a file comes from that is only to be read.
      if readOnly { _ = csqlite_be_defensive(db.sqliteConnection) }
      try db.execute(
        sql: """
          PRAGMA cache_size = -\(StoreOptions.cacheKiB);
          PRAGMA mmap_size = 0;
          PRAGMA secure_delete = OFF;
          PRAGMA journal_size_limit = 16777216;
          """)
      SearchFunctions.register(db)
      // The readers of a pool are prepared by this, too.
      if beginsLog, !db.configuration.readonly { try beginLog(db) }
    }
    return configuration
  }

  // MARK: Writing

  /// - Parameter isMarked: Whether it is known to be a store of the present form.
  private func writer(isMarked: Bool) throws -> DatabasePool {
    // One at a time makes a store: who opens it between the first byte and the last table would find none of them.
    let lock = Foundation.open(file.folder, O_RDONLY | O_CLOEXEC)
    defer { if lock >= 0 { Foundation.close(lock) } }
    if lock >= 0 { flock(lock, LOCK_EX) }
    let pool = try DatabasePool(
      path: path, configuration: configuration(readOnly: false, beginsLog: isMarked))
    // Only now: GRDB has set NORMAL as it turned the log on.
    let level = options.durability == .power ? "FULL" : "NORMAL"
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(level)") }
    if try isCurrent(pool) { return pool }
    do {
      try Schema.migrator.migrate(pool)
    } catch {
      // Another process may have brought it to the present form at the same time.
      guard try isCurrent(pool) else { throw error }
    }
    return pool
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

  private func strangerBeforeWriting() throws -> String? {
    if StoreFile.byteCount(of: path) == 0 { return nil }
    let queue = try DatabaseQueue(path: file.readingPath, configuration: configuration(readOnly: true))
    defer { try? queue.close() }
    return try queue.read(stranger)
  }

  /// Returns what in a store was made by somebody else, and throws if the file is no store.
  private func stranger(in db: Database) throws -> String? {
    let application = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    let version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    // The table of migrations comes first: with it alone, another process is just making this store.
    let tables =
      try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations'") ?? 0
    if application == 0, tables == 0, options.access != .readOnly { return nil }
    guard application == Schema.applicationID else {
      throw StoreError(
        .notAStore, "cannot open '\(path)'", cause: "it is a database, but not one of Scrollback's",
        remedy: "another --store")
    }
    guard version <= Schema.version else {
      throw StoreError(
        .notAStore, "cannot open '\(path)'",
        cause: "it has form \(version), and this program knows forms up to \(Schema.version)",
        remedy: "a newer scrollback")
    }
    // An older form differs from ours by what a migration will make.
    return version == Schema.version ? try SchemaComparison.stranger(in: db) : nil
  }
}

internal import CSQLiteShim
internal import Foundation
internal import GRDB
internal import GRDBSQLite
public import MessageModel

/// One file that holds whole chat histories: a SQLite database, read by pages and written by messages.
///
/// A store may be open in many processes at once. Methods answer at once, on the caller's thread; each is one
/// transaction. What is open in it never leaves it: no statement, no row, no connection.
public final class MessageStore: Sendable {
  /// Where the file lies.
  public let path: String
  /// How it was opened: for reading only if it holds anything that this program has not made.
  public let options: StoreOptions

  let database: any DatabaseReader
  /// What in the file was made by somebody else; `nil` if there is no such thing.
  let stranger: String?
  let clock: @Sendable () -> Timestamp
  let senderNames = SenderNames()
  let backgroundCounts = BackgroundCounts()
  /// How many counts have been begun in the background since the store was opened.
  package var backgroundCountCount: Int { backgroundCounts.startCount }
  let watcher: ChangeWatcher
  /// Where large contents lie.
  let contents: ContentFolder
  let contentCache: ContentCache

  /// Opens the store at `path`, or makes it if the options say so.
  ///
  /// - Parameter clock: Tells the time for what is appended.
  /// - Throws: ``StoreError`` of kind `noSuchStore`, `notAStore`, `notPermitted`, `cannotCreate`, `busy`, `damaged`;
  ///   a file that is no store is left as it is.
  public init(
    path: String, options: StoreOptions = StoreOptions(),
    clock: @escaping @Sendable () -> Timestamp = systemTime
  ) throws(StoreError) {
    self.path = path
    self.clock = clock
    try Self.checkPath(path, options: options)
    do {
      let stranger = try Self.checkIdentity(path, options: options)
      var options = options
      if stranger != nil { options.access = .readOnly }
      self.options = options
      self.stranger = stranger
      database = try Self.open(path, options: options, isForeign: stranger != nil)
      self.watcher = ChangeWatcher(path: path)
      contents = ContentFolder(store: path)
      contentCache = ContentCache(byteLimit: options.contentCacheByteCount)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(error, doing: "cannot open '\(path)'")
    }
  }

  private static func checkPath(_ path: String, options: StoreOptions) throws(StoreError) {
    try StoreFile(path: path).checkFileSystem(doing: "cannot open '\(path)'")
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
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    do {
      try manager.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError(
        .cannotCreate, "cannot make '\(path)'", cause: "its folder cannot be made: \(reason(of: error))")
    }
    // SQLite gives its companions (-wal, -shm) the permissions of the file.
    let file = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw StoreError(.cannotCreate, "cannot make '\(path)'", cause: String(cString: strerror(errno)))
    }
    Foundation.close(file)
  }

  private static func reason(of error: any Error) -> String {
    (error as NSError).localizedDescription
  }

  private static func open(
    _ path: String, options: StoreOptions, isForeign: Bool
  ) throws -> any DatabaseReader {
    var configuration = Configuration()
    configuration.readonly = options.access == .readOnly
    configuration.maximumReaderCount = 2
    configuration.busyMode = .timeout(Double(options.busyMilliseconds) / 1_000)
    configuration.prepareDatabase { db in
      if isForeign { _ = csqlite_be_defensive(db.sqliteConnection) }
      try prepare(db, options: options)
    }
    if options.access == .readOnly {
      let location = StoreFile(path: path).readingPath
      if location != path { return try DatabaseQueue(path: location, configuration: configuration) }
      return try DatabasePool(path: path, configuration: configuration)
    }
    // One at a time makes a store: who opens it between the first byte and the last table would find none of them.
    let folder = Foundation.open(
      URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    defer { if folder >= 0 { Foundation.close(folder) } }
    if folder >= 0 { flock(folder, LOCK_EX) }
    let pool = try DatabasePool(path: path, configuration: configuration)
    if try isCurrent(pool) { return pool }
    do {
      try Schema.migrator.migrate(pool)
    } catch {
      // Another process may have brought it to the present form at the same time.
      guard try isCurrent(pool) else { throw error }
    }
    return pool
  }

  private static func isCurrent(_ pool: DatabasePool) throws -> Bool {
    try pool.read { db in try Int32.fetchOne(db, sql: "PRAGMA user_version") == Schema.version }
  }

  private static func prepare(_ db: Database, options: StoreOptions) throws {
    try db.execute(
      sql: """
        PRAGMA cache_size = -\(StoreOptions.cacheKiB);
        PRAGMA mmap_size = 0;
        PRAGMA secure_delete = OFF;
        PRAGMA journal_size_limit = 16777216;
        """)
    SearchFunctions.register(db)
    if !db.configuration.readonly {
      try db.execute(sql: "PRAGMA synchronous = \(options.durability == .power ? "FULL" : "NORMAL")")
    }
  }

  /// Refuses a file that is something else than a store, without writing a byte to it, and returns what in a store
  /// was made by somebody else. GRDB switches to WAL when a pool opens, so this is looked at before.
  private static func checkIdentity(_ path: String, options: StoreOptions) throws -> String? {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(Double(options.busyMilliseconds) / 1_000)
    let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    if size == 0, options.access != .readOnly { return nil }
    configuration.prepareDatabase { db in _ = csqlite_be_defensive(db.sqliteConnection) }
    let queue = try DatabaseQueue(path: StoreFile(path: path).readingPath, configuration: configuration)
    defer { try? queue.close() }
    let (application, version, tables, stranger) = try queue.read { db in
      (
        try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0,
        try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0,
        // The table of migrations comes first: with it alone, another process is just making this store.
        try Int.fetchOne(
          db, sql: "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations'") ?? 0,
        try SchemaComparison.stranger(in: db)
      )
    }
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
    return version == Schema.version ? stranger : nil
  }

  /// Closes the file. Anything done with the store later throws.
  ///
  /// The last of all processes to close a store takes its log (`-wal`) into the file and removes it.
  public func close() {
    backgroundCounts.stop()
    watcher.stop()
    // Only a connection that may write does so, and GRDB closes the writing one first.
    (database as? DatabasePool)?.invalidateReadOnlyConnections()
    try? database.close()
  }
}

extension MessageStore {
  /// Reads in one transaction.
  func reading<Value>(
    _ doing: @autoclosure () -> String, _ body: (Database) throws -> Value
  ) throws(StoreError) -> Value {
    do {
      return try database.read(body)
    } catch {
      throw StoreError(error, doing: doing())
    }
  }

  /// Writes in one transaction, which begins at once, so that what it reads first is still true when it writes.
  func writing<Value>(
    _ doing: @autoclosure () -> String, _ body: (Database) throws -> Value
  ) throws(StoreError) -> Value {
    guard let writer = database as? any DatabaseWriter, options.access != .readOnly else {
      let reason = stranger.map { "it holds the \($0), which is not as Scrollback makes it" }
      throw StoreError(
        .readOnly, doing(), cause: reason ?? "'\(path)' was opened for reading only",
        remedy: reason == nil ? nil : "export from it, and import that into a new store")
    }
    do {
      let (value, version) = try writer.writeWithoutTransaction { db in
        var result: (Value, SourceVersion)?
        try db.inTransaction(.immediate) {
          let value = try body(db)
          try FilterMembers(db: db).settle()
          result = (value, try SourceVersion(of: 0, in: db))
          return .commit
        }
        guard let result else { throw StoreError(.inputOutput, doing()) }
        return result
      }
      watcher.ownCommit(version)
      return value
    } catch {
      throw StoreError(error, doing: doing())
    }
  }
}

extension SourceVersion {
  /// Reads the counters of the conversations of a selection.
  init(of selection: Selection, in db: Database) throws {
    guard case .some(let ids) = selection.conversations else {
      try self.init(of: 0, in: db)
      return
    }
    self.init()
    for id in ids {
      let version = try SourceVersion(of: id.rawValue, in: db)
      inserted += version.inserted
      deleted += version.deleted
      changed += version.changed
    }
  }

  /// Reads the counters of a scope.
  init(of scope: Int64, in db: Database) throws {
    let statement = try RawStatement(db, "SELECT inserted, deleted, changed FROM tally WHERE scope = ?")
    statement.bind(scope, at: 1)
    defer { statement.reset() }
    guard try statement.step() else {
      self.init()
      return
    }
    self.init(
      inserted: Int(statement.int(0)), deleted: Int(statement.int(1)), changed: Int(statement.int(2)))
  }
}

/// The time of the system's clock.
@Sendable public func systemTime() -> Timestamp {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return Timestamp(millisecondsSince1970: Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000)
}

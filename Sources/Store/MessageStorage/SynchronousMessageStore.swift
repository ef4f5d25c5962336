internal import Foundation
internal import GRDB
public import MessageModel
internal import Synchronization

/// A store that answers at once, on the caller's thread, which waits for the disk and for other processes meanwhile.
///
/// It is one file that holds whole chat histories: a SQLite database, read by pages and written by messages. It may be open
/// in many processes at once. What is open in it never leaves it: no statement, no row, no connection. An app that draws, or
/// has tasks, wants a ``MessageStore``.
///
/// What ``StoreReading`` and ``StoreWriting`` have is one transaction a call; ``read(_:)`` and ``write(_:)`` are one for several
/// calls. What the store has beside them takes several transactions, between which others write.
public final class SynchronousMessageStore: Sendable {
  /// The path of the file, as it was given.
  public let path: String
  /// The options it was opened with: for reading only if it holds anything that this program has not made.
  public let options: StoreOptions

  let connections: Mutex<Connections>
  var database: any DatabaseReader { connections.withLock { $0.database } }
  /// The place of the file, as long as it lies there.
  var place: StorePlace { connections.withLock { $0.place } }
  /// The file that the path has led to.
  let file: StoreFile
  /// The object in the file that Scrollback did not make; `nil` if there is none.
  let unexpectedObject: String?
  /// The number of transactions that the log had behind a damaged place when the store was opened.
  let transactionCountBehindDamage: Int
  let versionOrigin: VersionOrigin
  let clock: @Sendable () -> Timestamp
  /// The names and counts of what was committed; see ``senderNames``.
  let committedNames: SenderNames
  let backgroundCounts = BackgroundCounts()
  /// The counts of unread messages when somebody asked last.
  let keptUnread = Mutex(UnreadCounts())
  /// The number of counts begun in the background since the store was opened.
  package var backgroundCountCount: Int { backgroundCounts.startCount }
  let costlyMessages = CostlyMessageLog()
  let watcher: ChangeWatcher
  /// The folder of large contents.
  let contents: ContentFolder
  let contentCache: ContentCache
  /// The folders that were looked through for what others have left there.
  let sweptFolders = Mutex<Set<String>>([])
  let gate = StoreGate()
  /// The archive that it answers from in place of a file.
  let archive: (any HistoryArchive)?
  private let endsArchive: Bool
  let snapshots = OpenSnapshots()
  /// Whether the file counts as open in this process.
  private let isRemembered = Mutex(true)
  /// The identity of the file.
  let identity: FileIdentity?

  /// Opens the store at `path`, or makes it if the options say so.
  ///
  /// A store of an earlier form that this program knows is brought to the present one first, unless it is only to be read.
  ///
  /// - Parameters:
  ///   - path: The path of its file; what else belongs to it lies beside that.
  ///   - options: Whether it may be made or written to, what commits survive, and how much it keeps in memory.
  ///   - clock: Tells the time for what is appended.
  /// - Throws: ``StoreError`` of kind `noSuchStore`, `notAStore`, `notPermitted`, `cannotCreate`, `busy`, `damaged`;
  ///   a file that is no store, or one of a form that this program does not read, is left as it is.
  public init(
    path: String, options: StoreOptions = StoreOptions(),
    clock: @escaping @Sendable () -> Timestamp = systemTime
  ) throws(StoreError) {
    self.path = path
    self.clock = clock
    committedNames = SenderNames(previewByteCount: options.previewByteCount)
    let opening = try StoreOpening(path: path, options: options, costly: costlyMessages, gate: gate)
    try opening.checkPath()
    do {
      let opened = try opening.open()
      connections = Mutex(Connections(database: opened.database, place: opened.place))
      (unexpectedObject, file) = (opened.unexpectedObject, opening.file)
      transactionCountBehindDamage = opened.transactionCountBehindDamage
      var options = options
      if unexpectedObject != nil { options.access = .readOnly }
      self.options = options
      versionOrigin = VersionOrigin(of: file)
      watcher = ChangeWatcher(file, opened.place)
      contents = ContentFolder(beside: file)
      contentCache = ContentCache(byteLimit: options.contentCacheByteCount)
      identity = OpenFiles.add(file)
      (archive, endsArchive) = (nil, false)
      if options.access != .readOnly { contents.sweep() }
      if transactionCountBehindDamage > 0, options.access != .readOnly {
        try writing("cannot open '\(path)'") { [transactionCountBehindDamage] db in
          try DamagedLog.add(transactionCountBehindDamage, in: db)
        }
      }
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(error, doing: "cannot open '\(path)'")
    }
  }

  /// Opens a store over an archive: it is only read, and what the archive does not answer is refused.
  ///
  /// - Parameter endsArchive: Whether closing it closes the archive.
  /// - Throws: ``StoreError`` of kind `inputOutput` if there is no memory for it.
  package init(reading archive: any HistoryArchive, endsArchive: Bool = true) throws(StoreError) {
    path = archive.place
    clock = systemTime
    options = .readOnly
    committedNames = SenderNames(previewByteCount: options.previewByteCount)
    (self.archive, self.endsArchive) = (archive, endsArchive)
    do {
      let place = StorePlace(named: archive.place)
      connections = Mutex(Connections(database: try DatabaseQueue(), place: place))
      file = StoreFile(path: archive.place)
      unexpectedObject = nil
      transactionCountBehindDamage = 0
      versionOrigin = VersionOrigin(of: file)
      watcher = ChangeWatcher(file, place)
      contents = ContentFolder(beside: file)
      contentCache = ContentCache(byteLimit: 0)
      identity = nil
    } catch {
      throw StoreError(error, doing: "cannot open '\(archive.place)'")
    }
  }

  /// Closes the file, when all that other threads have begun with the store is done. Anything done with it later throws.
  ///
  /// The last of all processes to close a store takes its log (`-wal`) into the file and removes it.
  public func close() {
    backgroundCounts.stop()
    watcher.stop()
    if endsArchive { archive?.close() }
    gate.close {
      // Only a connection that may write does so, and GRDB closes the writing one first.
      (database as? DatabasePool)?.invalidateReadOnlyConnections()
      try? database.close()
      forget()
    }
  }

  /// Whether it was closed.
  package var hasBeenClosed: Bool { gate.isClosed }

  deinit { forget() }

  /// Has the file count as closed by this store.
  func forget() {
    let wasRemembered = isRemembered.withLock { isRemembered in
      defer { isRemembered = false }
      return isRemembered
    }
    if wasRemembered, let identity { OpenFiles.remove(identity) }
  }

  /// Has the file count as open in this process again.
  func remember() {
    isRemembered.withLock { isRemembered in
      if !isRemembered { _ = OpenFiles.add(file) }
      isRemembered = true
    }
  }
}

extension SynchronousMessageStore {
  /// A sentence for people if users other than its owner can read the store or its attachments; else `nil`.
  package var exposure: String? {
    for path in [file.path, contents.path] where StoreFile(path: path).isReadByOthers {
      return "other users can read '\(path)'; make it private: chmod go= '\(path)'"
    }
    return nil
  }

  /// Whether the store at a path can be written to by this user, or be made; if not, it may still be read.
  package static func isWritable(at path: String) -> Bool {
    guard let file = try? StoreFile(named: path, doing: ""), stat(at: file.path) != nil else { return true }
    return file.isWritable
  }

  /// Whether this store was opened to be written to.
  public var isWritable: Bool { options.access != .readOnly }

  /// Throws if the file was deleted, moved or replaced since it was opened. What it held can still be read here.
  ///
  /// - Throws: ``StoreError`` of kind `displaced`.
  package func checkPlace() throws(StoreError) { if archive == nil { try place.check() } }
}

extension SourceVersion {
  /// The number that the log of changes counts by.
  var sum: Int64 { Int64(inserted).adding(Int64(deleted)).adding(Int64(changed)) }

  /// Reads the counters of the conversations of a selection.
  init(of selection: Selection, in db: Database) throws {
    guard case .some(let ids) = selection.conversations else {
      try self.init(of: 0, in: db)
      return
    }
    self.init()
    for id in ids {
      let version = try SourceVersion(of: id.rawValue, in: db)
      inserted = inserted.adding(version.inserted)
      deleted = deleted.adding(version.deleted)
      changed = changed.adding(version.changed)
    }
  }

  /// Reads the counters of a scope.
  init(of scope: Int64, in db: Database) throws {
    let statement = try RawStatement(
      db, "SELECT inserted, deleted, changed FROM tally WHERE scope = ?", scope)
    defer { statement.reset() }
    guard try statement.step() else {
      self.init()
      return
    }
    self.init(inserted: statement.count(0), deleted: statement.count(1), changed: statement.count(2))
  }
}

/// The time of the system's clock.
@usableFromInline @Sendable package func systemTime() -> Timestamp {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return Timestamp(millisecondsSince1970: Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000)
}

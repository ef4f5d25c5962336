internal import Foundation
internal import GRDB
public import MessageModel
internal import Synchronization

/// A store for synchronous callers: each call waits for the disk and other processes on the caller's thread.
///
/// It is one file that holds whole chat histories: a SQLite database, read by pages and written by messages,
/// which may be open in many processes at once. No statement, row or connection leaves it. An app with a user
/// interface or tasks uses a ``MessageStore``.
///
/// Each call of a method of ``StoreReading`` and ``StoreWriting`` is one transaction; ``read(_:)`` and
/// ``write(_:)`` combine several calls in one. The store's other methods take several transactions, between
/// which others write. All of them throw what reading and writing throw, and what their descriptions add.
public final class SynchronousMessageStore: Sendable {
  /// The path of the file, as it was given.
  public let path: String
  /// The options with which it was opened; read-only if the file holds anything that this program did not
  /// make.
  package let options: StoreOptions

  let connections: Mutex<Connections>
  var database: any DatabaseReader { connections.withLock { $0.database } }
  var place: StorePlace { connections.withLock { $0.place } }
  let file: StoreFile
  /// The object in the file that this program did not make, if any.
  let unexpectedObject: String?
  /// The number of transactions after a damaged place in the log when the store was opened.
  let transactionCountBehindDamage: Int
  let versionOrigin: VersionOrigin
  let clock: @Sendable () -> Timestamp
  /// The committed names and counts; see ``senderNames``.
  let committedNames: SenderNames
  let backgroundCounts = BackgroundCounts()
  /// The counts of unread messages at the last request.
  let keptUnread = Mutex(UnreadCounts())
  /// The number of counts begun in the background since the store was opened.
  package var backgroundCountCount: Int { backgroundCounts.startCount }
  let costlyMessages = CostlyMessageLog()
  let watcher: ChangeWatcher
  let contents: ContentFolder
  let contentCache: ContentCache
  /// The folders already searched for files of ended processes.
  let sweptFolders = Mutex<Set<String>>([])
  let gate = StoreGate()
  let source: any HistorySource
  let snapshots = OpenSnapshots()
  private let isRemembered = Mutex(true)
  let identity: FileIdentity?

  /// Opens the store at `path`, or creates it if the options say so.
  ///
  /// A store of an earlier form that this program knows is first brought to the present one, unless it is
  /// opened for reading only.
  ///
  /// - Parameters:
  ///   - path: The path of its file; the log and the folder of attachments are beside it.
  ///   - options: Whether it may be created or written to, which commits survive, and how much it keeps in
  ///     memory.
  ///   - clock: Returns the time for appended messages.
  /// - Throws: ``StoreError`` of kind `noSuchStore`, `notAStore`, `notPermitted`, `cannotCreate`, `busy`,
  ///   `damaged`; a file that is no store, or has a form that this program does not read, is not changed.
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
      source = FileSource()
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

  /// Opens a store over an archive, which is read only; what the archive lacks is refused.
  ///
  /// - Parameter endsArchive: Whether closing the store closes the archive.
  /// - Throws: ``StoreError`` of kind `inputOutput` if memory is short.
  package init(reading archive: any HistoryArchive, endsArchive: Bool = true) throws(StoreError) {
    path = archive.place
    clock = systemTime
    options = .readOnly
    committedNames = SenderNames(previewByteCount: options.previewByteCount)
    source = ArchiveSource(archive: archive, endsArchive: endsArchive)
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

  /// Closes the file after all calls in progress on other threads. Later calls throw.
  ///
  /// The last process to close a store checkpoints its log (`-wal`) and removes it.
  public func close() {
    backgroundCounts.stop()
    watcher.stop()
    source.close()
    gate.close {
      // Only a connection that may write checkpoints, and GRDB closes the writing one first.
      (database as? DatabasePool)?.invalidateReadOnlyConnections()
      try? database.close()
      forget()
    }
  }

  /// Whether it was closed.
  package var hasBeenClosed: Bool { gate.isClosed }

  deinit { forget() }

  /// Removes the file from the open files of this process.
  func forget() {
    let wasRemembered = isRemembered.withLock { isRemembered in
      defer { isRemembered = false }
      return isRemembered
    }
    if wasRemembered, let identity { OpenFiles.remove(identity) }
  }

  /// Adds the file to the open files of this process again.
  func remember() {
    isRemembered.withLock { isRemembered in
      if !isRemembered { _ = OpenFiles.add(file) }
      isRemembered = true
    }
  }
}

extension SynchronousMessageStore {
  /// A sentence for people if users other than its owner can read the store or its attachments.
  package var exposure: String? {
    for path in [file.path, contents.path] where StoreFile(path: path).isReadByOthers {
      return "other users can read '\(path)'; make it private: chmod go= '\(path)'"
    }
    return nil
  }

  /// Whether this user can write to the store at a path, or create it; if not, it may still be readable.
  package static func isWritable(at path: String) -> Bool {
    guard let file = try? StoreFile(named: path, doing: ""), stat(at: file.path) != nil else { return true }
    return file.isWritable
  }

  /// Whether this store was opened to be written to.
  package var isWritable: Bool { options.access != .readOnly }

  /// Throws an error of kind `displaced` if the file was deleted, moved or replaced since it was opened. Its
  /// data can still be read here.
  package func checkPlace() throws(StoreError) { try source.checkPlace(place) }
}

extension SourceVersion {
  /// The number by which the log of changes counts.
  var sum: Int64 { Int64(inserted).adding(Int64(deleted)).adding(Int64(changed)) }

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

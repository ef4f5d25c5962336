internal import Foundation
internal import GRDB
public import MessageModel

extension MessageStore {
  /// Copies the store into a new file while others go on reading and writing, and checks the copy.
  ///
  /// The copy holds what was there when the call began; contents that lie in files are copied beside it, and each is
  /// compared with its checksum. It gets its name when it is whole and found sound; until then
  /// it has another one beside it.
  ///
  /// - Parameter progress: Called now and then with the part done, 0 to 1; answers whether to go on.
  /// - Returns: The number of messages in the copy.
  /// - Throws: ``StoreError`` of kind `alreadyExists` if there is such a file, `cannotCreate`, `damaged` if the copy
  ///   is not sound, `cancelled`, `inputOutput`; no copy is left then.
  @discardableResult
  public func backup(
    to destination: String, progress: (Double) -> Bool = { _ in true }
  ) throws(StoreError) -> Int {
    let doing = "cannot back '\(path)' up to '\(destination)'"
    guard !FileManager.default.fileExists(atPath: destination) else {
      throw StoreError(.alreadyExists, doing, cause: "there is such a file", remedy: "another name")
    }
    let copy = try StoreCopy(near: destination, doing: doing)
    let files = ContentCopy(from: contents, to: ContentFolder(ofNewStore: destination), doing: doing)
    do {
      try copy.fill(from: database, progress: progress)
      let count = try copy.verify()
      try copy.read { db in try files.run(db, progress: progress) }
      try copy.move(to: destination)
      return count
    } catch {
      copy.discard()
      files.discard()
      throw StoreError(error, doing: doing)
    }
  }

  /// Puts a backup in the place of a store.
  ///
  /// The backup is copied and the copy is checked before anything else is touched; the file that was there is kept
  /// aside until the new one has been opened.
  ///
  /// - Returns: The number of messages in the store now.
  /// - Throws: ``StoreError`` of kind `noSuchStore` or `notAStore` if the backup is none, `damaged` if it is not
  ///   sound, `busy` if another process has the store open, `cannotCreate`, `inputOutput`; what was there is there
  ///   then, as it was.
  @discardableResult
  public static func restore(_ backup: String, to path: String) throws(StoreError) -> Int {
    let doing = "cannot restore '\(path)' from '\(backup)'"
    let source = try MessageStore(path: backup, options: StoreOptions(access: .readOnly))
    defer { source.close() }
    let copy = try StoreCopy(near: path, doing: doing)
    do {
      try copy.fill(from: source.database) { _ in true }
      let count = try copy.verify()
      let files = ContentCopy(from: source.contents, to: ContentFolder(store: path), doing: doing)
      try copy.read { db in try files.run(db) { _ in true } }
      let aside = try ReplacedFile(path)
      do {
        try copy.move(to: path)
        try MessageStore(path: path, options: StoreOptions(access: .readWrite)).close()
      } catch {
        aside.putBack()
        throw error
      }
      aside.discard()
      return count
    } catch {
      copy.discard()
      throw StoreError(error, doing: doing)
    }
  }
}

/// A copy of a store under a name of its own.
private struct StoreCopy {
  let path: String

  init(near destination: String, doing: String) throws(StoreError) {
    path = "\(destination).part-\(getpid())"
    unlink(path)
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw StoreError(.cannotCreate, doing, cause: String(cString: strerror(errno)))
    }
    close(file)
  }

  func fill(from source: any DatabaseReader, progress: (Double) -> Bool) throws {
    guard progress(0) else {
      throw StoreError(.cancelled, "did not copy the store", cause: "stopped on request")
    }
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    try source.read { db in
      // The read transaction begins here and holds what the copy will be.
      _ = try RawStatement.number(db, "SELECT count(*) FROM tally")
      try queue.writeWithoutTransaction { copy in
        try withoutActuallyEscaping(progress) { progress in
          try db.backup(to: copy, pagesPerStep: 4_096) { step in
            let total = max(step.totalPageCount, 1)
            guard progress(Double(total - step.remainingPageCount) / Double(total)) else {
              throw StoreError(.cancelled, "did not copy the store", cause: "stopped on request")
            }
          }
        }
      }
    }
    // A file of its own, without a log beside it, can be kept and read anywhere.
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
  }

  /// Reads from the copy.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? queue.close() }
    return try queue.read(body)
  }

  /// Answers how many messages the copy holds, if it is sound.
  func verify() throws -> Int {
    try read { db in
      let complaint = try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") ?? "nothing"
      guard complaint == "ok" else {
        throw StoreError(.damaged, "the copy is not sound", cause: "SQLite says: \(complaint)")
      }
      let findings = try OrdinalCheck(db: db, scope: 0).findings()
      guard findings.isTotalTrue, findings.areBlocksTrue else {
        throw StoreError(
          .damaged, "the copy is not sound", cause: "its counts differ from its messages",
          remedy: "scrollback check --repair")
      }
      return findings.messageCount
    }
  }

  func move(to destination: String) throws {
    guard rename(path, destination) == 0 else {
      throw StoreError(
        .cannotCreate, "cannot make '\(destination)'", cause: String(cString: strerror(errno)))
    }
    let folder = open(
      URL(fileURLWithPath: destination).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  func discard() {
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
  }
}

/// The files of a store that another one replaces, kept aside meanwhile.
private struct ReplacedFile {
  private let path: String
  private var moved: [String] = []
  private static let suffixes = ["", "-wal", "-shm"]

  init(_ path: String) throws {
    self.path = path
    try Self.takeLog(of: path)
    for suffix in Self.suffixes where FileManager.default.fileExists(atPath: path + suffix) {
      guard rename(path + suffix, path + ".replaced" + suffix) == 0 else {
        putBack()
        throw StoreError(
          .inputOutput, "cannot move '\(path)' aside", cause: String(cString: strerror(errno)))
      }
      moved.append(suffix)
    }
  }

  /// Sees to it that nobody has the file open: only then does SQLite leave the mode with a log. A file that cannot be
  /// opened at all is moved with its log as it is.
  private static func takeLog(of path: String) throws {
    guard FileManager.default.fileExists(atPath: path), let queue = try? DatabaseQueue(path: path) else {
      return
    }
    defer { try? queue.close() }
    do {
      try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
    } catch let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_BUSY {
      throw StoreError(
        .busy, "cannot replace '\(path)'", cause: "another process has it open",
        remedy: "again, when it has ended")
    } catch {
      return
    }
  }

  func putBack() {
    for suffix in moved { rename(path + ".replaced" + suffix, path + suffix) }
  }

  func discard() {
    for suffix in moved { unlink(path + ".replaced" + suffix) }
  }
}

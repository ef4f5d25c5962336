internal import CFiles
internal import Foundation
internal import GRDB
internal import MessageModel

final class StoreCopy {
  let path: String
  private let leftovers: [Leftover]

  init(near target: StoreFile, doing: String) throws(StoreError) {
    PartFile.sweep(beside: target.path)
    PartFile.sweepStores(in: target.folder)
    path = PartFile.path(for: target.path)
    leftovers = Self.suffixes.map { [path] in Leftover(path + $0) }
    unlink(path)
    let file = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw StoreError(.cannotCreate, doing, cause: String(cString: strerror(errno)))
    }
    close(file)
  }

  private static let suffixes = ["", "-journal", "-wal", "-shm"]

  func fill(from source: any DatabaseReader, progress: (Double) -> Bool) throws {
    guard progress(0) else {
      throw StoreError(.cancelled, "did not copy the store", cause: "stopped on request")
    }
    try RestoreStep.begun.pass()
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    try source.read { db in
      // The read transaction begins here and fixes the state to copy.
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
    // Without a log the file can be kept and read anywhere.
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
  }

  func fill(fromForeign source: DatabaseQueue) throws {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    try source.backup(to: queue, pagesPerStep: 256)
  }

  /// Copies owner and mode of the original, so that the same users can read the copy.
  func keepOwnerAndMode(of original: StoreFile, doing: String) throws(StoreError) {
    guard let old = stat(at: original.path) else { return }
    if chown(path, old.st_uid, old.st_gid) != 0 { _ = chown(path, uid_t.max, old.st_gid) }
    // Permissions of the group must not pass to another group.
    let kept: mode_t = stat(at: path)?.st_gid == old.st_gid ? 0o777 : 0o707
    guard chmod(path, old.st_mode & kept) == 0 else {
      throw StoreError(errno: errno, doing, "cannot change '\(path)'")
    }
  }

  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? queue.close() }
    return try queue.read(body)
  }

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
          remedy: .repairStore)
      }
      return findings.messageCount
    }
  }

  /// Proves that the copy can be opened as a store before it replaces another one.
  func open() throws {
    let store = try SynchronousMessageStore(path: path, options: StoreOptions(access: .readWrite))
    store.close()
    // In WAL mode other processes open it without waiting, but no log may remain.
    guard store.unexpectedObject == nil, stat(at: path + "-wal") == nil else {
      throw StoreError(.inputOutput, "the copy is not as it was made")
    }
  }

  /// Renames the copy, whose destination must not exist. If it throws because the folder cannot be synced,
  /// the copy may have its name all the same.
  func become(_ target: StoreFile, doing: String) throws(StoreError) {
    let failure = cfiles_rename_to_new(path, target.path)
    guard failure == 0 else {
      let reason = String(cString: strerror(failure))
      throw StoreError(
        failure == EEXIST ? .alreadyExists : .inputOutput, doing,
        cause: "cannot make '\(target.path)': \(reason)")
    }
    try ContentFolder.sync(folder: target.folder, doing: doing)
  }

  func discard() {
    for suffix in Self.suffixes { unlink(path + suffix) }
  }
}

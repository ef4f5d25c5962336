internal import CFiles
internal import Foundation
internal import GRDB
internal import MessageModel

/// Replaces a store by a copy of another one. At any moment its path leads to the old or the new store,
/// intact. Temporary files have names of ``PartFile``: after a crash, the next opening removes them, and
/// moves back a log that was moved aside.
struct StoreReplacement {
  private let target: StoreFile
  private let copy: StoreCopy
  private let doing: String
  private let aside: String

  init(of target: StoreFile, by copy: StoreCopy, doing: String) {
    self.target = target
    self.copy = copy
    self.doing = doing
    aside = copy.path + "-old"
  }

  func run() throws {
    guard let old = stat(at: target.path) else { return try beginAnew() }
    // Keeps other processes from making or migrating a store meanwhile.
    let lock = try FolderLock(target.folder, timeout: .seconds(10), doing: doing)
    defer { lock.release() }
    let hold = try OldStore(target)
    defer { hold?.letGo() }
    try RestoreStep.held.pass()
    let log = try moveLog(of: old)
    do {
      try RestoreStep.logMoved.pass()
      try copy.keepOwnerAndMode(of: target, doing: doing)
      try takePlace()
    } catch {
      if let log { _ = cfiles_rename_to_new(log, target.path + "-wal") }
      throw error
    }
    if let log { unlink(log) }
    for path in [aside, copy.path] { unlink(path) }
    try RestoreStep.removed.pass()
  }

  private func beginAnew() throws {
    // The log of a missing file would be taken for the new one's.
    for suffix in StoreFile.companions { unlink(target.path + suffix) }
    try copy.become(target, doing: doing)
  }

  private func takePlace() throws {
    let isExchanged = try exchange(copy.path)
    do {
      try RestoreStep.exchanged.pass()
      try ContentFolder.sync(folder: target.folder, doing: doing)
      try RestoreStep.synced.pass()
      try SynchronousMessageStore(path: target.path, options: StoreOptions(access: .readWrite)).close()
      try RestoreStep.opened.pass()
    } catch {
      let old = isExchanged ? copy.path : aside
      if stat(at: old) != nil { rename(old, target.path) }
      throw error
    }
  }

  /// Renames the new file. Without atomic exchange, the old file gets a second name first. Returns whether
  /// the old file has the new one's name now.
  private func exchange(_ new: String) throws(StoreError) -> Bool {
    let failure = RestoreStep.exchangesNames ? cfiles_exchange(new, target.path) : ENOTSUP
    if failure == 0 { return true }
    guard failure == ENOTSUP else {
      throw StoreError(errno: failure, doing, "cannot replace '\(target.path)'")
    }
    unlink(aside)
    // Without hard links the file is still replaced in one step; it has been verified.
    _ = link(target.path, aside)
    do {
      try RestoreStep.kept.pass()
      guard rename(new, target.path) == 0 else {
        throw StoreError(errno: errno, doing, "cannot replace '\(target.path)'")
      }
    } catch {
      // A store with two names could not be opened for writing.
      unlink(aside)
      throw StoreError(error, doing: doing)
    }
    return false
  }

  /// Moves a log aside that SQLite could not checkpoint: it would be taken for the new file's.
  private func moveLog(of old: stat) throws(StoreError) -> String? {
    let (path, log) = (target.path, PartFile.logPath(of: target.path, inode: FileIdentity(old).inode))
    defer { for suffix in ["-shm", "-journal"] { unlink(path + suffix) } }
    guard stat(at: path + "-wal") != nil else { return nil }
    guard rename(path + "-wal", log) == 0 else {
      throw StoreError(errno: errno, doing, "cannot move '\(path)-wal' aside")
    }
    return log
  }
}

/// Locks a store that is about to be replaced against readers and writers.
private struct OldStore {
  private let queue: DatabaseQueue

  /// `nil` if SQLite cannot open it. Throws `busy` if another connection is open.
  init?(_ file: StoreFile) throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    guard let queue = try? DatabaseQueue(path: file.path, configuration: configuration) else { return nil }
    do {
      try queue.writeWithoutTransaction { db in
        // Leaving WAL mode requires to be the only connection, and checkpoints the log.
        try db.execute(sql: "PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE")
      }
      self.queue = queue
    } catch let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_BUSY {
      try? queue.close()
      throw StoreError(
        .busy, "cannot replace '\(file.path)'", cause: "another process has it open",
        remedy: "run it again when that has ended")
    } catch {
      try? queue.close()
      return nil
    }
  }

  func letGo() {
    try? queue.writeWithoutTransaction { db in
      if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
    }
    try? queue.close()
  }
}

/// A moment at which an interrupted restore must leave an intact store. Tests stop there.
package enum RestoreStep: String, Sendable, CaseIterable {
  case begun, copied, contentsCopied, held, logMoved, kept, exchanged, synced, opened, removed

  /// Called at each step; it may throw or end the process.
  @TaskLocal package static var hook: (@Sendable (RestoreStep) throws -> Void)?

  /// Whether names are exchanged atomically; tests try restores without.
  @TaskLocal package static var exchangesNames = true

  func pass() throws { try Self.hook?(self) }
}

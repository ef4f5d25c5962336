internal import CFiles
internal import Foundation
internal import GRDB
internal import MessageModel

/// A store whose place a copy of another one takes.
///
/// Its name leads to the old store or to the new one, whole, at any moment. What lies aside meanwhile bears the names of
/// ``PartFile``: whoever opens the store next removes it if this process is ended, and puts a log back that was not
/// needed.
struct StoreReplacement {
  private let target: StoreFile
  private let copy: StoreCopy
  private let doing: String
  /// The path of the old store afterwards.
  private let aside: String

  init(of target: StoreFile, by copy: StoreCopy, doing: String) {
    self.target = target
    self.copy = copy
    self.doing = doing
    aside = copy.path + "-old"
  }

  func run() throws {
    guard let old = stat(at: target.path) else { return try beginAnew() }
    // Nobody is to make a store, or to bring one to another form, in the middle of this.
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
    // The log of a file that is gone would be taken for the new one's.
    for suffix in StoreFile.companions { unlink(target.path + suffix) }
    try copy.become(target, doing: doing)
  }

  /// Exchanges the two, and exchanges them again if the new store cannot be opened.
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

  /// Gives the new file the name of the old one. Where names cannot be exchanged, the old file gets a second name first.
  ///
  /// - Returns: Whether the old file lies under the new one's name now.
  private func exchange(_ new: String) throws(StoreError) -> Bool {
    let failure = RestoreStep.exchangesNames ? cfiles_exchange(new, target.path) : ENOTSUP
    if failure == 0 { return true }
    guard failure == ENOTSUP else {
      throw StoreError(errno: failure, doing, "cannot replace '\(target.path)'")
    }
    unlink(aside)
    // Without links the file is replaced all the same, in one step: it has been looked at from all sides.
    _ = link(target.path, aside)
    do {
      try RestoreStep.kept.pass()
      guard rename(new, target.path) == 0 else {
        throw StoreError(errno: errno, doing, "cannot replace '\(target.path)'")
      }
    } catch {
      // With two names it would not be written to again.
      unlink(aside)
      throw StoreError(error, doing: doing)
    }
    return false
  }

  /// Moves the log of a file aside that SQLite could not take in: it would be taken for the new file's.
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

/// A store that is about to be replaced, locked so that nobody else reads or writes it.
private struct OldStore {
  private let queue: DatabaseQueue

  /// Locks a store; `nil` if it is none that SQLite could open.
  ///
  /// - Throws: ``StoreError`` of kind `busy` if somebody has it open.
  init?(_ file: StoreFile) throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    guard let queue = try? DatabaseQueue(path: file.path, configuration: configuration) else { return nil }
    do {
      try queue.writeWithoutTransaction { db in
        // Only who is alone with it can leave the mode with a log; the log is taken into the file by that.
        try db.execute(sql: "PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE")
      }
      self.queue = queue
    } catch let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_BUSY {
      try? queue.close()
      throw StoreError(
        .busy, "cannot replace '\(file.path)'", cause: "another process has it open",
        remedy: "again, when it has ended")
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

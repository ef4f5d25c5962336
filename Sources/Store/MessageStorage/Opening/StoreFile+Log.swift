internal import Foundation
internal import MessageModel

extension StoreFile {
  /// Counts the transactions behind a damaged place of the log, which SQLite leaves out without a word
  /// (<https://sqlite.org/walformat.html#recovery>).
  ///
  /// It is 0, too, where this or another process has the store open: the log may be written to meanwhile.
  ///
  /// - Complexity: O(bytes of the log), which SQLite reads as well before its first connection can.
  func transactionCountBehindDamage() -> Int {
    guard logByteCount > 0, !OpenFiles.isHeld(self), !isOpenElsewhere,
      let log = try? ReadFile(path + "-wal", doing: "cannot read the log")
    else { return 0 }
    let count = CommittedLog.transactionCountBehindDamage(in: log)
    return count > 0 && !isOpenElsewhere ? count : 0
  }

  /// Whether another process has a connection to the file: each has a shared lock on these bytes from its first read on
  /// (<https://sqlite.org/src/file/src/os_unix.c>, `SHARED_FIRST`).
  private var isOpenElsewhere: Bool {
    guard let descriptor = ContentFile.open(path) else { return false }
    defer { close(descriptor) }
    var lock = flock()
    (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
    (lock.l_start, lock.l_len) = (0x4000_0002, 510)
    return fcntl(descriptor, F_GETLK, &lock) != 0 || lock.l_type != Int16(F_UNLCK)
  }
}

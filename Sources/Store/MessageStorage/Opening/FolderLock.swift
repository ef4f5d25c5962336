internal import Foundation
internal import MessageModel

struct FolderLock {
  private let descriptor: Int32

  /// Waits for the lock. A folder that cannot be opened is not locked.
  ///
  /// - Throws: ``StoreError`` of kind `busy` after `timeout`.
  init(_ folder: String, timeout: Duration, doing: String) throws(StoreError) {
    descriptor = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard descriptor >= 0 else { return }
    let end = ContinuousClock.now + timeout
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      // Some file systems have no such locks.
      if errno != EWOULDBLOCK && errno != EINTR { return }
      guard !SynchronousMessageStore.isCalledOff else {
        close(descriptor)
        throw StoreError(.cancelled, doing)
      }
      guard .now < end else {
        close(descriptor)
        throw StoreError(
          .busy, doing, cause: "another process holds its folder '\(folder)' locked", remedy: "again")
      }
      usleep(5_000)
    }
  }

  func release() {
    if descriptor >= 0 { close(descriptor) }
  }
}

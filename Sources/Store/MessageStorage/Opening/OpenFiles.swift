internal import Foundation
internal import Synchronization

/// The files that this process has open as stores.
///
/// Closing any descriptor of a file releases all locks of the process on it
/// (<https://sqlite.org/howtocorrupt.html>, 2.2): reading a few bytes of an open store would let other
/// processes remove its log.
enum OpenFiles {
  private static let counts = Mutex<[FileIdentity: Int]>([:])

  static func contains(_ file: StoreFile) -> Bool {
    guard let identity = FileIdentity(path: file.path) else { return false }
    return counts.withLock { $0[identity] != nil }
  }

  /// Whether this process has any descriptor of a file, also one of a foreign connection. Only Linux lists
  /// them; elsewhere only those of stores are known.
  static func isHeld(_ file: StoreFile) -> Bool {
    guard let identity = FileIdentity(path: file.path) else { return false }
    if counts.withLock({ $0[identity] != nil }) { return true }
    guard let folder = opendir("/proc/self/fd") else { return false }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let descriptor = Int32(name), let facts = stat(descriptor: descriptor) else { continue }
      if FileIdentity(facts) == identity { return true }
    }
    return false
  }

  static func add(_ file: StoreFile) -> FileIdentity? {
    guard let identity = FileIdentity(path: file.path) else { return nil }
    counts.withLock { $0[identity, default: 0] += 1 }
    return identity
  }

  static func remove(_ identity: FileIdentity) {
    counts.withLock { counts in
      let count = counts[identity, default: 0] - 1
      counts[identity] = count > 0 ? count : nil
    }
  }
}

internal import Foundation
internal import Synchronization

/// Device and inode identify a file under all its names.
struct FileIdentity: Hashable {
  let device: UInt64
  let inode: UInt64

  init(_ facts: stat) {
    device = UInt64(truncatingIfNeeded: facts.st_dev)
    inode = UInt64(facts.st_ino)
  }

  init?(path: String) {
    guard let facts = stat(following: path) else { return nil }
    self.init(facts)
  }
}

extension stat {
  /// Follows symbolic links.
  init?(following path: String) {
    self.init()
    guard stat(path, &self) == 0 else { return nil }
  }

  /// Does not follow symbolic links.
  init?(at path: String) {
    self.init()
    guard lstat(path, &self) == 0 else { return nil }
  }

  init?(descriptor: Int32) {
    self.init()
    guard fstat(descriptor, &self) == 0 else { return nil }
  }

  var kind: mode_t { st_mode & S_IFMT }

  var strangeKind: String? {
    switch kind {
    case S_IFREG: nil
    case S_IFDIR: "a folder"
    case S_IFLNK: "a symbolic link"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }
}

/// The files that this process has open as stores. Closing any descriptor of a file releases all locks of the
/// process on it (<https://sqlite.org/howtocorrupt.html>, 2.2): reading a few bytes of an open store would
/// let other processes remove its log.
enum OpenFiles {
  private static let counts = Mutex<[FileIdentity: Int]>([:])

  static func contains(_ file: StoreFile) -> Bool {
    guard let identity = FileIdentity(path: file.path) else { return false }
    return counts.withLock { $0[identity] != nil }
  }

  /// Whether this process has any descriptor of a file, also one of a foreign connection (on Linux only).
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

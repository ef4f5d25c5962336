internal import Foundation

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

  /// What it is, unless it is a regular file.
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

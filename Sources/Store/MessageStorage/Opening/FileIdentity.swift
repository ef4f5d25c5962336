internal import Foundation

/// The identity of a file, whatever its names: device and inode.
struct FileIdentity: Hashable {
  let device: UInt64
  let inode: UInt64

  init(_ facts: stat) {
    device = UInt64(truncatingIfNeeded: facts.st_dev)
    inode = UInt64(facts.st_ino)
  }

  /// Tells the file that a path leads to, links followed; `nil` if there is none.
  init?(path: String) {
    guard let facts = stat(following: path) else { return nil }
    self.init(facts)
  }
}

extension stat {
  /// Asks for what a path leads to, links followed.
  init?(following path: String) {
    self.init()
    guard stat(path, &self) == 0 else { return nil }
  }

  /// Asks for what lies at a path, itself if it is a link.
  init?(at path: String) {
    self.init()
    guard lstat(path, &self) == 0 else { return nil }
  }

  /// Asks for what is open.
  init?(descriptor: Int32) {
    self.init()
    guard fstat(descriptor, &self) == 0 else { return nil }
  }

  /// The kind of thing it is.
  var kind: mode_t { st_mode & S_IFMT }

  /// The word for it, if it is no file.
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

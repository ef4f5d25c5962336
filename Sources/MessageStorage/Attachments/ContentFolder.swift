internal import Foundation
internal import MessageModel

/// The folder beside a store in which large contents lie, each in a file named by its SHA-256: `ab/cdef…`.
///
/// A file gets its name only when it is whole and on the disk, within the transaction that refers to it: whoever holds
/// the store's write lock knows that a file without a row is nobody's.
struct ContentFolder: Sendable {
  /// The path of the folder, which may not be there yet.
  let path: String

  /// Creates the folder of the store at a path; a link to a store leads to the folder of what it links to.
  init(store: String) {
    if let real = realpath(store, nil) {
      path = String(cString: real) + ".attachments"
      free(real)
    } else {
      path = store + ".attachments"
    }
  }

  /// Creates the folder of a store that is not there yet.
  init(ofNewStore store: String) { path = store + ".attachments" }

  /// The path of a content.
  func file(of key: ContentKey) -> String { "\(subfolder(of: key))/\(key.description.dropFirst(2))" }

  private func subfolder(of key: ContentKey) -> String { "\(path)/\(key.description.prefix(2))" }

  /// What is to be known of the file of a content; `nil` if it is not there or not a file.
  func facts(of key: ContentKey) -> FileFacts? { FileFacts(path: file(of: key)) }

  /// Makes a file for a content whose name is not known yet.
  func temporaryFile(doing: String) throws(StoreError) -> TemporaryFile {
    try makeFolder(path, doing: doing)
    return try TemporaryFile(in: path, doing: doing)
  }

  /// Gives a temporary file that is on the disk its name, and sees to it that the name is on the disk too.
  func install(_ file: TemporaryFile, as key: ContentKey, doing: String) throws {
    let folder = subfolder(of: key)
    let isNew = try makeFolder(folder, doing: doing)
    try file.rename(to: self.file(of: key), doing: doing)
    try AttachmentStep.renamed.pass()
    Self.sync(folder: folder)
    if isNew { Self.sync(folder: path) }
    try AttachmentStep.folderSynced.pass()
  }

  @discardableResult
  private func makeFolder(_ folder: String, doing: String) throws(StoreError) -> Bool {
    if mkdir(folder, 0o700) == 0 {
      Self.sync(folder: (folder as NSString).deletingLastPathComponent)
      return true
    }
    guard errno == EEXIST else { throw StoreError(errno: errno, doing, "cannot make '\(folder)'") }
    return false
  }

  static func sync(folder: String) {
    let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// Calls `body` with each content that has a file here, and `stray` with the paths of all other files.
  func forEach(_ body: (ContentKey) throws -> Void, stray: (String) throws -> Void) rethrows {
    for folder in Self.names(in: path) {
      guard folder.utf8.count == 2 else {
        try stray("\(path)/\(folder)")
        continue
      }
      for name in Self.names(in: "\(path)/\(folder)") {
        if let key = ContentKey(folder + name) {
          try body(key)
        } else {
          try stray("\(path)/\(folder)/\(name)")
        }
      }
    }
  }

  private static func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }
}

/// A file's size and what changes when it is written to.
struct FileFacts: Hashable {
  var byteCount: Int
  var inode: UInt64
  var seconds: Int
  var nanoseconds: Int

  /// Asks for the facts of the file at a path; `nil` if there is none, or something that is not a file.
  init?(path: String) {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return nil }
    self.init(facts)
  }

  /// Asks for the facts of an open file; `nil` if it is a folder, a pipe or the like.
  init?(descriptor: Int32) {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { return nil }
    self.init(facts)
  }

  private init?(_ facts: stat) {
    guard facts.st_mode & S_IFMT == S_IFREG else { return nil }
    byteCount = Int(facts.st_size)
    inode = UInt64(facts.st_ino)
    #if os(Linux)
      (seconds, nanoseconds) = (facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec)
    #else
      (seconds, nanoseconds) = (facts.st_mtimespec.tv_sec, facts.st_mtimespec.tv_nsec)
    #endif
  }
}

extension StoreError {
  /// Tells a fault of the file system.
  init(errno code: Int32, _ summary: String, _ place: String? = nil) {
    let reason = String(cString: strerror(code))
    let cause = place.map { "\($0): \(reason)" } ?? reason
    switch code {
    case ENOENT, ENOTDIR, ELOOP: self.init(.noSuchFile, summary, cause: cause)
    case EACCES, EPERM, EROFS: self.init(.notPermitted, summary, cause: cause)
    case ENOSPC, EDQUOT:
      self.init(.inputOutput, summary, cause: "the disk is full", remedy: "again, after making room")
    case EFBIG: self.init(.inputOutput, summary, cause: "a file may not become so large here")
    default: self.init(.inputOutput, summary, cause: cause)
    }
  }
}

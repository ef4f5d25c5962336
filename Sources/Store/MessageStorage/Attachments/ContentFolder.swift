internal import Foundation
internal import GRDB
internal import MessageModel

/// The folder beside a store with large contents, in files named by SHA-256: `ab/cdef…`. A file gets its name
/// when it is complete and synced, within the transaction that refers to it. Under the store's write lock a
/// file without a row is therefore unused.
struct ContentFolder: Sendable {
  let path: String
  private let store: StoreFile

  init(beside store: StoreFile) {
    self.store = store
    path = store.path + ".attachments"
  }

  func file(of key: ContentKey) -> String { "\(subfolder(of: key))/\(key.description.dropFirst(2))" }

  private func subfolder(of key: ContentKey) -> String { "\(path)/\(key.description.prefix(2))" }

  func facts(of key: ContentKey) -> ContentFileFacts? { ContentFileFacts(path: file(of: key)) }

  func temporaryFile(doing: String) throws(StoreError) -> TemporaryFile {
    try makeFolder(path, doing: doing)
    return try TemporaryFile(in: path, doing: doing)
  }

  func install(_ file: TemporaryFile, as key: ContentKey, doing: String) throws {
    let folder = subfolder(of: key)
    try checkOwn(path, doing: doing)
    let isNew = try makeFolder(folder, doing: doing)
    try file.rename(to: self.file(of: key), doing: doing)
    try AttachmentStep.renamed.pass()
    try Self.sync(folder: folder, doing: doing)
    if isNew { try Self.sync(folder: path, doing: doing) }
    try AttachmentStep.folderSynced.pass()
  }

  func remove(_ key: ContentKey, doing: String) throws(StoreError) {
    try checkOwn(path, doing: doing)
    try checkOwn(subfolder(of: key), doing: doing)
    unlink(file(of: key))
  }

  @discardableResult
  private func makeFolder(_ folder: String, doing: String) throws(StoreError) -> Bool {
    if mkdir(folder, 0o700) == 0 {
      try Self.sync(folder: (folder as NSString).deletingLastPathComponent, doing: doing)
      return true
    }
    guard errno == EEXIST else { throw StoreError(errno: errno, doing, "cannot make '\(folder)'") }
    try checkOwn(folder, doing: doing)
    return false
  }

  /// Refuses to write or remove in a folder that may be another store's.
  private func checkOwn(_ folder: String, doing: String) throws(StoreError) {
    guard let strangeness = strangeness(of: folder) else { return }
    throw StoreError(
      .notPermitted, doing, cause: "\(strangeness): what lies there may belong to another store",
      remedy: "a folder of your own in its place")
  }

  /// Returns why a folder is not this store's own; `nil` also if it does not exist.
  private func strangeness(of folder: String) -> String? {
    guard let facts = stat(at: folder) else { return nil }
    if facts.kind != S_IFDIR { return "'\(folder)' is \(facts.strangeKind ?? "a file")" }
    let owners = [geteuid(), stat(at: store.path)?.st_uid]
    return owners.contains(facts.st_uid) ? nil : "'\(folder)' belongs to another user"
  }

  func strangenesses() -> [String] {
    if let own = strangeness(of: path) { return [own] }
    return subfolders().compactMap { strangeness(of: "\(path)/\($0)") }
  }

  private func subfolders() -> [String] {
    FolderNames.all(in: path).filter { $0.utf8.count == 2 }.sorted()
  }

  /// Syncs the names in a folder, unless it is unreadable or the file system cannot (fsync(2): `EINVAL`).
  static func sync(folder: String, doing: String) throws(StoreError) {
    let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || [EINVAL, ENOTSUP].contains(errno) else {
      throw StoreError(errno: errno, doing, "cannot write '\(folder)'")
    }
  }

  /// Skips links and foreign folders.
  func visit(_ body: (ContentKey) throws -> Void) rethrows {
    guard strangeness(of: path) == nil else { return }
    for folder in subfolders() where strangeness(of: "\(path)/\(folder)") == nil {
      for name in FolderNames.all(in: "\(path)/\(folder)").sorted() {
        if let key = ContentKey(folder + name) { try body(key) }
      }
    }
  }

  func abandoned() -> [String] {
    strangeness(of: path) == nil ? TemporaryFile.abandoned(in: path) : []
  }

  func sweep() {
    for path in abandoned() { unlink(path) }
  }
}

struct ContentFileFacts: Hashable {
  var byteCount: Int
  var inode: UInt64
  var seconds: Int
  var nanoseconds: Int

  /// `nil` unless it is a regular file.
  init?(path: String) {
    guard let facts = stat(at: path) else { return nil }
    self.init(facts)
  }

  init?(descriptor: Int32) {
    guard let facts = stat(descriptor: descriptor) else { return nil }
    self.init(facts)
  }

  private init?(_ facts: stat) {
    guard facts.kind == S_IFREG else { return nil }
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
  init(errno code: Int32, _ summary: String, _ place: String? = nil) {
    let reason = String(cString: strerror(code))
    let cause = place.map { "\($0): \(reason)" } ?? reason
    switch code {
    case ENOENT, ENOTDIR, ELOOP: self.init(.noSuchFile, summary, cause: cause)
    case EACCES, EPERM, EROFS: self.init(.notPermitted, summary, cause: cause)
    case ENOSPC, EDQUOT:
      self.init(
        .inputOutput, summary, cause: "the disk is full", remedy: "free some space, then run it again")
    case EFBIG: self.init(.inputOutput, summary, cause: "a file may not become so large here")
    default: self.init(.inputOutput, summary, cause: cause)
    }
  }
}

struct ContentCopy {
  let source: ContentFolder
  let destination: ContentFolder
  let doing: String
  private let isNew: Bool

  init(from source: ContentFolder, to destination: ContentFolder, doing: String) {
    self.source = source
    self.destination = destination
    self.doing = doing
    isNew = stat(at: destination.path) == nil
  }

  /// Copies intact contents that the database refers to and the destination lacks. Missing and damaged
  /// contents are skipped: a copy is no worse than its original.
  func run(_ db: Database, progress: (Double) -> Bool) throws {
    let total = max(try RawStatement.number(db, "SELECT count(*) FROM content WHERE \(Self.isFile)") ?? 0, 1)
    let rows = try RawStatement(db, "SELECT sha256, bytes FROM content WHERE \(Self.isFile)")
    defer { rows.reset() }
    var count = 0
    while try rows.step() {
      guard progress(Double(count) / Double(total)) else {
        throw StoreError(.cancelled, "did not copy the store", cause: "stopped on request")
      }
      count += 1
      guard let key = ContentKey(rows.text(0)) else { continue }
      try copy(key, byteCount: rows.count(1))
    }
  }

  private static let isFile = "NOT EXISTS (SELECT 1 FROM content_data WHERE content_data.id = content.id)"

  private func copy(_ key: ContentKey, byteCount: Int) throws {
    if destination.facts(of: key)?.byteCount == byteCount,
      ContentFile.key(of: destination.file(of: key)) == key
    {
      return
    }
    guard source.facts(of: key)?.byteCount == byteCount else { return }
    let intake = ContentIntake(destination, memoryLimit: 0, doing: doing)
    try intake.write(fileAt: source.file(of: key))
    guard let file = try intake.finishedFile(as: key) else { return }
    try destination.install(file, as: key, doing: doing)
  }

  /// Removes what a failed copy made, if the folder was new.
  func discard() {
    if isNew { try? FileManager.default.removeItem(atPath: destination.path) }
  }
}

extension ContentIntake {
  func finishedFile(as key: ContentKey) throws(StoreError) -> TemporaryFile? {
    guard self.key == key else { return nil }
    try file?.sync(doing: doing)
    return file
  }
}

internal import Foundation
internal import MessageModel

/// A file that is removed when released, unless it was renamed. It is locked while its process runs, so that
/// remains of killed processes can be recognised.
final class TemporaryFile {
  private(set) var path: String
  private let descriptor: Int32
  private var isInstalled = false
  private var leftover: Leftover?

  static let prefix = "incoming-"

  init(in folder: String, isHidden: Bool = false, doing: String) throws(StoreError) {
    path = "\(folder)/\(isHidden ? "." : "")\(Self.prefix)\(getpid())-\(UUID().uuidString.prefix(8))"
    // Noted before the file exists, since a signal may come at once.
    leftover = Leftover(path)
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StoreError(errno: errno, doing, "cannot make '\(path)'") }
    flock(descriptor, LOCK_EX | LOCK_NB)
  }

  deinit {
    if !isInstalled { unlink(path) }
    close(descriptor)
  }

  func write(_ bytes: UnsafeRawBufferPointer, doing: String) throws(StoreError) {
    var rest = bytes
    while let base = rest.baseAddress, !rest.isEmpty {
      let count = Foundation.write(descriptor, base, rest.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw StoreError(errno: errno, doing, "cannot write '\(path)'")
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  func sync(doing: String) throws(StoreError) {
    guard fsync(descriptor) == 0 else { throw StoreError(errno: errno, doing, "cannot write '\(path)'") }
  }

  func read(at offset: Int, count: Int) -> [UInt8] {
    RandomRead.bytes(of: descriptor, at: offset, count: count) ?? []
  }

  func rename(to name: String, doing: String) throws(StoreError) {
    guard Foundation.rename(path, name) == 0 else {
      throw StoreError(errno: errno, doing, "cannot make '\(name)'")
    }
    path = name
    isInstalled = true
    leftover = nil
  }

  static func abandoned(in folder: String, isHidden: Bool = false) -> [String] {
    let prefix = (isHidden ? "." : "") + Self.prefix
    return FolderNames.all(in: folder, startingWith: prefix).filter { name in
      let maker = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" })
      return isAbandoned("\(folder)/\(name)", maker: maker ?? 0)
    }.sorted().map { "\(folder)/\($0)" }
  }

  /// A process locks its file before it writes to it.
  private static func isAbandoned(_ path: String, maker: pid_t) -> Bool {
    guard let facts = ContentFileFacts(path: path), facts.byteCount > 0 || PartFile.isOver(maker) else {
      return false
    }
    return isUnlocked(path)
  }

  private static func isUnlocked(_ path: String) -> Bool {
    guard let descriptor = ContentFile.open(path) else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }
}

enum RandomRead {
  /// Fewer at the end; `nil` after a read error.
  static func bytes(of descriptor: Int32, at offset: Int, count: Int) -> [UInt8]? {
    guard offset >= 0, count > 0 else { return [] }
    var hasFailed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = 0
      while filled < count, !hasFailed {
        let read = pread(
          descriptor, buffer.baseAddress?.advanced(by: filled), count - filled, off_t(offset + filled))
        if read == 0 { break }
        if read > 0 { filled += read } else { hasFailed = errno != EINTR }
      }
    }
    return hasFailed ? nil : bytes
  }
}

internal import Foundation
package import MessageModel
package import MessageStorage

/// A file written where the user asks for it, never over a file of the store.
///
/// A regular file is written under another name and then replaces the existing one, keeping its mode and,
/// where permitted, its owner; symbolic links are followed. Anything else (a pipe, a device, `/dev/stdout`)
/// is written directly.
package struct OutputFile: Sendable {
  private let path: String
  /// `nil` if the target is written directly.
  private let replacement: Replacement?
  private let handle: FileHandle
  private let leftover: Leftover?

  private struct Replacement {
    var temporary: String
    var target: String
    var old: stat?
  }

  /// Begins a file. Only its owner can read a new one: it contains private messages. Throws `cannotCreate` if
  /// that fails, or if it belongs to the store.
  ///
  /// - Parameter files: The files that must not be overwritten.
  package init(path: String, sparing files: StoreFiles) throws(StoreError) {
    self.path = path
    let place = try Self.place(of: path, sparing: files)
    let descriptor: Int32
    switch place {
    case .open(let number):
      (replacement, leftover) = (nil, nil)
      descriptor = fcntl(number, F_DUPFD_CLOEXEC, 0)
    case .other:
      (replacement, leftover) = (nil, nil)
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
    case .file(let target, let old):
      PartFile.sweep(beside: target)
      let temporary = PartFile.path(for: target)
      leftover = Leftover(temporary)
      replacement = Replacement(temporary: temporary, target: target, old: old)
      descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }
    guard descriptor >= 0 else { throw Self.cannotMake(path, errno) }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  package var isTerminal: Bool { isatty(handle.fileDescriptor) == 1 }

  /// Whether an existing file stays unchanged until ``finish()``.
  package var isReplaced: Bool { replacement != nil }

  /// Throws ``StoreError`` of kind `inputOutput`; an existing file stays unchanged, and the written data is
  /// removed.
  package func write(_ bytes: [UInt8]) throws(StoreError) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Foundation.write(handle.fileDescriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent)
      }
      guard count < 0 else {
        sent += count
        continue
      }
      if errno == EINTR { continue }
      let cause = String(cString: strerror(errno))
      discard()
      throw StoreError(.inputOutput, "cannot write '\(path)'", cause: cause)
    }
  }

  /// Replaces the target. Throws like ``write(_:)``.
  package func finish() throws(StoreError) {
    guard let replacement else { return }
    if let old = replacement.old { keepOwnerAndMode(of: old) }
    guard fsync(handle.fileDescriptor) == 0, rename(replacement.temporary, replacement.target) == 0 else {
      let cause = String(cString: strerror(errno))
      discard()
      throw StoreError(.inputOutput, "cannot write '\(path)'", cause: cause)
    }
  }

  package func discard() {
    if let replacement { unlink(replacement.temporary) }
  }

  /// Only root may change the owner; the group may be any of the user's.
  private func keepOwnerAndMode(of old: stat) {
    let descriptor = handle.fileDescriptor
    if fchown(descriptor, old.st_uid, old.st_gid) != 0 { _ = fchown(descriptor, uid_t.max, old.st_gid) }
    fchmod(descriptor, old.st_mode & 0o7777)
  }
}

extension OutputFile {
  private enum Place {
    case open(Int32)
    /// Something that cannot be replaced, such as a pipe or a device.
    case other
    /// A regular file or none, with symbolic links resolved.
    case file(String, old: stat?)
  }

  private static func place(of path: String, sparing files: StoreFiles) throws(StoreError) -> Place {
    if let number = descriptor(namedBy: path) {
      try files.spare(descriptor: number, doing: "cannot write to '\(path)'")
      return .open(number)
    }
    try files.spare(path, doing: "cannot write to '\(path)'")
    var facts = stat()
    if stat(path, &facts) == 0 {
      switch facts.st_mode & S_IFMT {
      case S_IFREG: return .file(try target(of: path), old: facts)
      case S_IFDIR: throw cannotMake(path, EISDIR)
      default: return .other
      }
    }
    guard errno == ENOENT else { throw cannotMake(path, errno) }
    return .file(try target(of: path), old: nil)
  }

  /// Opening such a path would overwrite, from its beginning, a file that another process is writing.
  private static func descriptor(namedBy path: String) -> Int32? {
    switch path {
    case "/dev/stdout": return 1
    case "/dev/stderr": return 2
    default:
      let folder = ["/dev/fd/", "/proc/self/fd/"].first { path.hasPrefix($0) }
      return folder.flatMap { Int32(path.dropFirst($0.count)) }
    }
  }

  private static func target(of path: String) throws(StoreError) -> String {
    do throws(RealPath.Failure) { return try RealPath.of(path) } catch {
      throw cannotMake(path, error.number)
    }
  }

  private static func cannotMake(_ path: String, _ number: Int32) -> StoreError {
    StoreError(.cannotCreate, "cannot make '\(path)'", cause: String(cString: strerror(number)))
  }
}

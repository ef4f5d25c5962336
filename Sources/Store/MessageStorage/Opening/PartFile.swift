internal import CFiles
internal import Foundation
package import MessageModel

/// A temporary file beside its destination, with the number of its process: `notes.db.part-4711`.
package enum PartFile {
  private static let mark = ".part-"

  package static func path(for target: String) -> String { "\(target)\(mark)\(getpid())" }

  static func logPath(of target: String, inode: UInt64) -> String { "\(path(for: target))\(logMark)\(inode)" }

  /// Renames this process's temporary file to its destination, which must not exist.
  ///
  /// - Throws: ``StoreError`` of kind `alreadyExists` or `inputOutput`; the temporary file is removed then.
  package static func become(_ target: String, doing: String) throws(StoreError) {
    let part = path(for: target)
    let failure = cfiles_rename_to_new(part, target)
    guard failure == 0 else {
      unlink(part)
      throw StoreError(
        failure == EEXIST ? .alreadyExists : .inputOutput, doing,
        cause: failure == EEXIST ? "there is such a file" : String(cString: strerror(failure)))
    }
    try ContentFolder.sync(folder: RealPath.folder(of: target), doing: doing)
  }

  private static let logMark = "-log-"

  /// Removes temporary files of ended processes beside a path. The log of a store that was not replaced goes
  /// back to it.
  package static func sweep(beside target: String) {
    let folder = RealPath.folder(of: target)
    let prefix = RealPath.name(of: target) + mark
    for name in FolderNames.all(in: folder.isEmpty ? "." : folder, startingWith: prefix) {
      let rest = name.dropFirst(prefix.count)
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard let number = pid_t(digits), isOver(number) else { continue }
      let path = folder + name
      switch rest.dropFirst(digits.count) {
      case "", "-old", "-wal", "-shm", "-journal": removeOwn(path)
      case let end where end.hasPrefix(logMark):
        putBack(log: path, of: target, inode: UInt64(end.dropFirst(logMark.count)))
      default: continue
      }
    }
  }

  static func sweepStores(in folder: String) {
    for name in FolderNames.all(in: folder) {
      guard let place = name.range(of: mark, options: .backwards),
        let number = pid_t(name[place.upperBound...])
      else { continue }
      let path = "\(folder)/\(name)"
      if isOver(number), StoreFile(path: path).header?.applicationID == Schema.applicationID {
        removeOwn(path)
      }
    }
  }

  private static func putBack(log path: String, of target: String, inode: UInt64?) {
    let isStillThere = inode != nil && FileIdentity(path: target)?.inode == inode
    guard isStillThere, stat(at: target + "-wal") == nil else { return removeOwn(path) }
    _ = cfiles_rename_to_new(path, target + "-wal")
  }

  private static func removeOwn(_ path: String) {
    guard let facts = stat(at: path), facts.kind == S_IFREG, facts.st_uid == geteuid() || geteuid() == 0
    else {
      return
    }
    unlink(path)
  }

  /// A reused number counts as running.
  static func isOver(_ process: pid_t) -> Bool {
    process > 0 && kill(process, 0) != 0 && errno == ESRCH
  }
}

enum FolderNames {
  /// In no particular order; none for an unreadable folder.
  static func all(in folder: String, startingWith prefix: String = "") -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { place in
        place.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { bytes in
          strncmp(bytes, prefix, prefix.utf8.count) == 0 ? String(validatingCString: bytes) : nil
        }
      }
      if let name, name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}

/// An unfinished file, removed if a signal ends the process.
package final class Leftover: Sendable {
  private let number: Int32

  package init(_ path: String) { number = cfiles_note(path) }

  deinit { cfiles_forget(number) }
}

/// A private folder beside a store for a copy of it, which is to be sent or to replace the store.
///
/// The copy is on the store's disk, which has its content unencrypted already.
package struct StageFolder: Sendable {
  package let path: String

  /// Makes an empty folder, replacing that of an earlier attempt.
  ///
  /// - Parameters:
  ///   - store: The path of the store, which need not exist.
  ///   - purpose: The suffix of the folder's name.
  package init(beside store: String, for purpose: String) throws(StoreError) {
    path = Self.path(beside: store, for: purpose)
    remove()
    do {
      let above = RealPath.folder(of: path)
      if !above.isEmpty {
        try FileManager.default.createDirectory(
          atPath: above, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      }
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError(.cannotCreate, "cannot make '\(path)'", cause: (error as NSError).localizedDescription)
    }
  }

  private init(at path: String) { self.path = path }

  /// Returns a folder that this or another process made.
  package static func known(beside store: String, for purpose: String) -> StageFolder {
    StageFolder(at: path(beside: store, for: purpose))
  }

  private static func path(beside store: String, for purpose: String) -> String { "\(store).\(purpose)" }

  package var store: String { path + "/" + Self.storeName }
  package var attachments: String { path + "/" + Self.attachmentsName }

  package static let storeName = "scrollback.db"
  package static let attachmentsName = "scrollback.db.attachments"

  package func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Throws ``StoreError`` of kind `notAStore` if it has anything but regular files and folders: content from
  /// elsewhere may be hostile.
  package func checkKinds(doing: String) throws(StoreError) {
    for name in FileManager.default.enumerator(atPath: path)?.compactMap({ $0 as? String }) ?? [] {
      guard let strange = stat(at: "\(path)/\(name)")?.strangeKind, strange != "a folder" else { continue }
      throw StoreError(.notAStore, doing, cause: "'\(name)' in it is \(strange)")
    }
  }
}

struct FolderLock {
  private let descriptor: Int32

  /// Waits for the lock; throws `busy` after `timeout`. A folder that cannot be opened is not locked.
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

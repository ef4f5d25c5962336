internal import CSQLiteShim
internal import Foundation
internal import MessageModel

/// A file before it is opened as a store: where it lies, and what its first bytes say.
struct StoreFile: Hashable, Sendable {
  /// The path where it lies, or will: no link, and nothing that SQLite would take for an address.
  let path: String

  init(path: String) { self.path = path }

  /// Finds the file that a path leads to. This is the one place where links are followed: the file, its log and the
  /// folder of its attachments lie side by side, where SQLite looks for them.
  init(named name: String, doing: String) throws(StoreError) {
    do throws(RealPath.Failure) {
      path = try RealPath.of(name)
    } catch {
      if name.isEmpty { throw StoreError(.noSuchStore, doing, cause: "the name is empty") }
      if error.number == EILSEQ {
        throw StoreError(.invalidRequest, doing, cause: "it is a link to a name that is not UTF-8")
      }
      throw StoreError(errno: error.number, doing)
    }
  }

  /// The folder it lies in.
  var folder: String {
    let folder = RealPath.folder(of: path)
    return folder.count > 1 ? String(folder.dropLast()) : folder.isEmpty ? "." : folder
  }

  /// Whether its mode, and that of the folder it lies in, let others than its owner read it.
  var isReadByOthers: Bool {
    guard let own = stat(at: path), let above = stat(following: folder) else { return false }
    let isForAll = own.st_mode & S_IROTH != 0 && above.st_mode & S_IXOTH != 0
    return isForAll || own.st_mode & S_IRGRP != 0 && above.st_mode & S_IXGRP != 0
  }

  /// The files that SQLite keeps beside a database, by the ends of their names.
  static let companions = ["-wal", "-shm", "-journal"]

  /// Throws unless the file and what SQLite keeps beside it are files, as far as they are there: a pipe would keep
  /// whoever reads it waiting.
  func checkKinds(doing: String) throws(StoreError) {
    if let kind = stat(at: path)?.strangeKind {
      throw StoreError(.notAStore, doing, cause: "it is \(kind)", remedy: "name a file")
    }
    for suffix in Self.companions {
      guard let kind = stat(at: path + suffix)?.strangeKind else { continue }
      throw StoreError(.notAStore, doing, cause: "'\(path + suffix)', which belongs to it, is \(kind)")
    }
  }

  /// Whether this user may write to the file and make others beside it.
  var isWritable: Bool { access(path, W_OK) == 0 && access(folder, W_OK) == 0 }

  /// The reason why the file cannot be here, if its file system is one of a network: SQLite's log needs memory that all
  /// openers share, and locks that hold (<https://sqlite.org/wal.html>, <https://sqlite.org/lockingv3.html>).
  func checkFileSystem(doing: String) throws(StoreError) {
    guard let name = networkFileSystem else { return }
    throw StoreError(
      .invalidRequest, doing,
      cause:
        "it lies on a network file system (\(name)), where locks do not hold and a store would be damaged",
      remedy: .openLocalStore)
  }

  /// The name of the network file system that the file, or the folder it will be made in, lies on.
  var networkFileSystem: String? {
    let own = csqlite_file_system(path)
    let number = own == -1 ? csqlite_file_system(folder) : own
    return Self.networkFileSystem(number: UInt32(truncatingIfNeeded: number))
  }

  /// Returns the name of the network file system that Linux knows by a number (statfs(2)).
  static func networkFileSystem(number: UInt32) -> String? {
    switch number {
    case 0x6969: "NFS"
    case 0x517B, 0xFE53_4D42: "SMB"
    case 0xFF53_4D42: "CIFS"
    case 0x5346_414F, 0x6B41_4653: "AFS"
    case 0x7375_7245: "Coda"
    case 0x564C: "NCP"
    case 0x0102_1997: "9P"
    case 0x00C3_6400: "Ceph"
    default: nil
    }
  }

  /// The name that SQLite is given for reading: the path or, where it could make no log beside it and none waits to be
  /// read, an address that says so (<https://sqlite.org/uri.html#uriimmutable>).
  var readingPath: String {
    let isAlone = logByteCount == 0 && stat(at: path + "-journal") == nil
    return isAlone && access(folder, W_OK) != 0 ? address : path
  }

  /// The size of the log beside it, 0 if there is none.
  var logByteCount: Int { Self.byteCount(of: path + "-wal") }

  /// Returns the size of a file, 0 if there is none.
  static func byteCount(of path: String) -> Int {
    // FileManager looks up the names of owner and group, too.
    Int(stat(following: path)?.st_size ?? 0)
  }

  /// Its header; `nil` if it is no database, or this process has it open: to close a file is to let go of all locks on it. A
  /// log beside it may have something newer.
  var header: DatabaseHeader? {
    guard !OpenFiles.isHeld(self), let descriptor = ContentFile.open(path) else { return nil }
    defer { close(descriptor) }
    let bytes = RandomRead.bytes(of: descriptor, at: 0, count: DatabaseHeader.byteCount)
    return bytes.flatMap(DatabaseHeader.init)
  }

  /// The address of a file that nobody changes.
  var address: String { address(with: "immutable=1") }

  /// The address by which SQLite keeps the index of the log in memory where nobody has one beside the file
  /// (<https://sqlite.org/walformat.html#walidxrecovery>): on a disk that is full there is no room for it.
  var addressWithoutIndex: String { address(with: "readonly_shm=1") }

  private func address(with parameter: String) -> String {
    var allowed = CharacterSet.urlPathAllowed
    allowed.remove(charactersIn: "?#%;")
    return "file:\(path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path)?\(parameter)"
  }
}

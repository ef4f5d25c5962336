internal import CSQLiteShim
internal import Foundation
internal import MessageModel

struct StoreFile: Hashable, Sendable {
  /// Never a symbolic link, and nothing that SQLite would parse as a URI.
  let path: String

  init(path: String) { self.path = path }

  /// Resolves a path. Symbolic links are followed here only: the file, its log and its attachments are in one
  /// folder, where SQLite looks for them.
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

  var folder: String {
    let folder = RealPath.folder(of: path)
    return folder.count > 1 ? String(folder.dropLast()) : folder.isEmpty ? "." : folder
  }

  var isReadByOthers: Bool {
    guard let own = stat(at: path), let above = stat(following: folder) else { return false }
    let isForAll = own.st_mode & S_IROTH != 0 && above.st_mode & S_IXOTH != 0
    return isForAll || own.st_mode & S_IRGRP != 0 && above.st_mode & S_IXGRP != 0
  }

  static let companions = ["-wal", "-shm", "-journal"]

  /// Throws if the file or one of its companions is not a regular file: reading a pipe would block.
  func checkKinds(doing: String) throws(StoreError) {
    if let kind = stat(at: path)?.strangeKind {
      throw StoreError(.notAStore, doing, cause: "it is \(kind)", remedy: "name a file")
    }
    for suffix in Self.companions {
      guard let kind = stat(at: path + suffix)?.strangeKind else { continue }
      throw StoreError(.notAStore, doing, cause: "'\(path + suffix)', which belongs to it, is \(kind)")
    }
  }

  var isWritable: Bool { access(path, W_OK) == 0 && access(folder, W_OK) == 0 }

  /// Refuses network file systems: SQLite's log needs memory shared by all processes, and reliable locks
  /// (<https://sqlite.org/wal.html>, <https://sqlite.org/lockingv3.html>).
  func checkFileSystem(doing: String) throws(StoreError) {
    guard let name = networkFileSystem else { return }
    throw StoreError(
      .invalidRequest, doing,
      cause:
        "it lies on a network file system (\(name)), where locks do not hold and a store would be damaged",
      remedy: .openLocalStore)
  }

  /// `nil` for a local one. Of a file that does not exist its folder counts.
  var networkFileSystem: String? {
    let own = csqlite_file_system(path)
    let number = own == -1 ? csqlite_file_system(folder) : own
    return Self.networkFileSystem(number: UInt32(truncatingIfNeeded: number))
  }

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

  /// The path for SQLite to read. In an unwritable folder without a log it is an immutable URI, since SQLite
  /// could not make a log (<https://sqlite.org/uri.html#uriimmutable>).
  var readingPath: String {
    let isAlone = logByteCount == 0 && stat(at: path + "-journal") == nil
    return isAlone && access(folder, W_OK) != 0 ? address : path
  }

  var logByteCount: Int { Self.byteCount(of: path + "-wal") }

  static func byteCount(of path: String) -> Int {
    // FileManager looks up the names of owner and group, too.
    Int(stat(following: path)?.st_size ?? 0)
  }

  /// `nil` if it is not a database, or this process has it open: closing a descriptor would release all its
  /// locks. A log may have a newer header.
  var header: DatabaseHeader? {
    guard !OpenFiles.isHeld(self), let descriptor = ContentFile.open(path) else { return nil }
    defer { close(descriptor) }
    let bytes = RandomRead.bytes(of: descriptor, at: 0, count: DatabaseHeader.byteCount)
    return bytes.flatMap(DatabaseHeader.init)
  }

  var address: String { address(with: "immutable=1") }

  /// Makes SQLite keep the log's index in memory unless there is one beside the file
  /// (<https://sqlite.org/walformat.html#walidxrecovery>): a full disk has no room for it.
  var addressWithoutIndex: String { address(with: "readonly_shm=1") }

  private func address(with parameter: String) -> String {
    var allowed = CharacterSet.urlPathAllowed
    allowed.remove(charactersIn: "?#%;")
    return "file:\(path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path)?\(parameter)"
  }
}

extension StoreFile {
  /// Whether a process was ended during a transaction with a rollback journal. Only stores being made or
  /// replaced have one; journals of other databases are left alone.
  var hasUnfinishedJournal: Bool {
    guard isWritable, Self.byteCount(of: path + "-journal") > 0 else { return false }
    return header?.applicationID == Schema.applicationID || wasEmptyBefore
  }

  /// Whether the file was empty according to its journal
  /// (<https://sqlite.org/fileformat2.html#the_rollback_journal>), so that no data can be lost.
  private var wasEmptyBefore: Bool {
    guard let descriptor = ContentFile.open(path + "-journal") else { return false }
    defer { close(descriptor) }
    let start = RandomRead.bytes(of: descriptor, at: 0, count: 20) ?? []
    return start.starts(with: [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
      && start.dropFirst(16).elementsEqual([0, 0, 0, 0])
  }
}

/// The header of a database file (<https://sqlite.org/fileformat2.html#the_database_header>).
struct DatabaseHeader: Equatable {
  static let byteCount = 100
  static let pageSizes = (9...16).map { 1 << $0 }

  /// In bytes; `nil` if invalid.
  var pageSize: Int?
  var usesLog: Bool
  var firstFreePage: Int
  var freePageCount: Int
  var version: Int32
  var applicationID: Int32

  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount, bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
      return nil
    }
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    pageSize = Self.pageSizes.first { $0 == (size == 1 ? 65_536 : size) }
    usesLog = bytes[18] == 2
    firstFreePage = Int(bytes.bigEndian(at: 32))
    freePageCount = Int(bytes.bigEndian(at: 36))
    version = Int32(bitPattern: bytes.bigEndian(at: 60))
    applicationID = Int32(bitPattern: bytes.bigEndian(at: 68))
  }

  var isOfStore: Bool { applicationID == Schema.applicationID }

  var isOfPresentForm: Bool { isOfStore && version == Schema.version }
}

extension [UInt8] {
  func bigEndian(at offset: Int) -> UInt32 {
    UInt32(self[offset]) << 24 | UInt32(self[offset + 1]) << 16 | UInt32(self[offset + 2]) << 8
      | UInt32(self[offset + 3])
  }
}

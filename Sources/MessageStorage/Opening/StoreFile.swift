internal import CSQLiteShim
internal import Foundation
internal import MessageModel

/// What is to be known of a file before it is opened as a store.
struct StoreFile {
  let path: String

  /// Where it lies.
  var folder: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

  /// Why the file cannot be on this file system, if it is one of a network: SQLite's log needs memory that all
  /// openers share, and locks that hold (<https://sqlite.org/wal.html>, <https://sqlite.org/lockingv3.html>).
  func checkFileSystem(doing: String) throws(StoreError) {
    guard let name = networkFileSystem else { return }
    throw StoreError(
      .invalidRequest, doing,
      cause:
        "it lies on a network file system (\(name)), where locks do not hold and a store would be damaged",
      remedy: "a --store on a disk of this computer")
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

  /// What SQLite is told to open for reading: the path or, where neither the file nor anything beside it can be
  /// written and no log waits to be read, an address that says so (<https://sqlite.org/uri.html#uriimmutable>).
  var readingPath: String {
    let isFixed = access(path, W_OK) != 0 && access(folder, W_OK) != 0
    return isFixed && logByteCount == 0 ? address : path
  }

  /// The size of the log beside it, 0 if there is none.
  var logByteCount: Int { Self.byteCount(of: path + "-wal") }

  /// Returns the size of a file, 0 if there is none.
  static func byteCount(of path: String) -> Int {
    // FileManager looks up the names of owner and group, too.
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// What the first bytes of a database say of it.
  struct Header: Equatable {
    var applicationID: Int32
    var version: Int32
  }

  /// What its first bytes say; `nil` if it is no database. A log beside it may have something newer
  /// (<https://sqlite.org/fileformat2.html#the_database_header>).
  var header: Header? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    guard let bytes = try? file.read(upToCount: 100), bytes.count == 100,
      bytes.starts(with: Array("SQLite format 3\0".utf8))
    else { return nil }
    func number(at offset: Int) -> Int32 {
      Int32(bitPattern: bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }
    return Header(applicationID: number(at: 68), version: number(at: 60))
  }

  /// The address of a file that nobody changes.
  var address: String {
    var allowed = CharacterSet.urlPathAllowed
    allowed.remove(charactersIn: "?#%;")
    let whole = URL(fileURLWithPath: path).path
    return "file:\(whole.addingPercentEncoding(withAllowedCharacters: allowed) ?? whole)?immutable=1"
  }
}

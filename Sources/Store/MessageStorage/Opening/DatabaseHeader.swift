/// The first hundred bytes of a database, as far as it matters here
/// (<https://sqlite.org/fileformat2.html#the_database_header>).
struct DatabaseHeader: Equatable {
  static let byteCount = 100
  /// The sizes that pages can have.
  static let pageSizes = (9...16).map { 1 << $0 }

  /// The size of its pages in bytes; `nil` if it says one that pages cannot have.
  var pageSize: Int?
  /// Whether it is in WAL mode.
  var usesLog: Bool
  var firstFreePage: Int
  var freePageCount: Int
  var version: Int32
  var applicationID: Int32

  /// Reads a header; `nil` if it is none.
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

  /// Whether it is that of a store.
  var isOfStore: Bool { applicationID == Schema.applicationID }

  /// Whether it is that of a store in its present form.
  var isOfPresentForm: Bool { isOfStore && version == Schema.version }
}

extension [UInt8] {
  /// Returns the four bytes at an offset within it as a number, the highest first.
  func bigEndian(at offset: Int) -> UInt32 {
    UInt32(self[offset]) << 24 | UInt32(self[offset + 1]) << 16 | UInt32(self[offset + 2]) << 8
      | UInt32(self[offset + 3])
  }
}

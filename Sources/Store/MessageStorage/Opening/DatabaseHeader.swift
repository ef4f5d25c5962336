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

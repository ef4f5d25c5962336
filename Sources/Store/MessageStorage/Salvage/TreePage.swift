/// A B-tree page (<https://sqlite.org/fileformat2.html#b_tree_pages>), whose offsets may be damaged.
struct TreePage {
  enum Kind: UInt8 {
    case indexInterior = 2
    case tableInterior = 5
    case indexLeaf = 10
    case tableLeaf = 13

    var isLeaf: Bool { self == .indexLeaf || self == .tableLeaf }
    var isOfIndex: Bool { self == .indexLeaf || self == .indexInterior }
  }

  struct Cell {
    /// The page before it; on interior pages.
    var child: Int?
    var rowID: Int64?
    var byteCount = 0
    var local: Range<Int> = 0..<0
    var overflow: Int?
  }

  let number: Int
  let kind: Kind
  let bytes: [UInt8]
  let rightChild: Int?
  let places: [Int]
  let isPartly: Bool

  init?(number: Int, bytes: [UInt8]) {
    let start = number == 1 ? DatabaseHeader.byteCount : 0
    guard bytes.count >= 512, let kind = Kind(rawValue: bytes[start]) else { return nil }
    let head = start + (kind.isLeaf ? 8 : 12)
    let count = Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
    guard head + 2 * count <= bytes.count, bytes[start + 7] <= 60 else { return nil }
    (self.number, self.kind, self.bytes) = (number, kind, bytes)
    rightChild = kind.isLeaf ? nil : Int(bytes.bigEndian(at: start + 8))
    let end = head + 2 * count
    places = (0..<count).compactMap { index in
      let place = Int(bytes[head + 2 * index]) << 8 | Int(bytes[head + 2 * index + 1])
      return place >= end && place < bytes.count ? place : nil
    }
    isPartly = places.count < count
  }

  /// Whether all cells are valid and fill the page: half of a page, or two pages taken for one, fail.
  var isWellFilled: Bool {
    guard !isPartly, let last = places.max(), last > bytes.count / 2 else { return false }
    return places.allSatisfy { cell(at: $0) != nil }
  }

  func cell(at place: Int) -> Cell? { cell(at: place, kind) }

  func carvedCell(at place: Int) -> Cell? { cell(at: place, .indexLeaf) }

  private func cell(at place: Int, _ kind: Kind) -> Cell? {
    var (place, cell) = (place, Cell())
    if !kind.isLeaf {
      guard place + 4 <= bytes.count else { return nil }
      cell.child = Int(bytes.bigEndian(at: place))
      place += 4
    }
    if kind != .tableInterior {
      guard let count = bytes.varint(at: &place, before: bytes.count), count > 0, count <= Self.maxRecord
      else { return nil }
      cell.byteCount = Int(count)
    }
    if !kind.isOfIndex {
      guard let id = bytes.varint(at: &place, before: bytes.count) else { return nil }
      cell.rowID = id
    }
    guard cell.byteCount > 0 else { return cell }
    let local = Self.localCount(of: cell.byteCount, kind, pageSize: bytes.count)
    let isWhole = local == cell.byteCount
    guard place + local + (isWhole ? 0 : 4) <= bytes.count else { return nil }
    cell.local = place..<place + local
    if !isWhole { cell.overflow = Int(bytes.bigEndian(at: place + local)) }
    return cell
  }

  /// No record of this program is as long.
  private static let maxRecord: Int64 = 1 << 30

  private static func localCount(of count: Int, _ kind: Kind, pageSize: Int) -> Int {
    let most = kind.isOfIndex ? (pageSize - 12) * 64 / 255 - 23 : pageSize - 35
    guard count > most else { return count }
    let least = (pageSize - 12) * 32 / 255 - 23
    let fitting = least + (count - least) % (pageSize - 4)
    return fitting <= most ? fitting : least
  }
}

extension [UInt8] {
  /// `nil` if it does not end before `end`.
  func varint(at place: inout Int, before end: Int) -> Int64? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard place < end else { return nil }
      let byte = self[place]
      place += 1
      if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return Int64(bitPattern: value) }
    }
    return nil
  }
}

/// A record in a B-tree (<https://sqlite.org/fileformat2.html#record_format>).
struct TreeRecord {
  /// Texts and blobs are ranges of the record.
  enum Value {
    case null
    case integer(Int64)
    case real
    case text(Range<Int>)
    case blob(Range<Int>)
  }

  let bytes: [UInt8]
  let values: [Value]
  var rowID: Int64?

  /// No table has more columns.
  private static let maxColumnCount = 16

  init(bytes: [UInt8], values: [Value], rowID: Int64?) {
    (self.bytes, self.values, self.rowID) = (bytes, values, rowID)
  }

  /// `nil` unless all bytes are one record.
  init?(_ bytes: [UInt8], rowID: Int64?) {
    self.init(bytes, rowID: rowID, isWhole: true)
  }

  /// - Parameter isWhole: Whether all bytes are there; the columns' types can be checked before.
  init?(_ bytes: [UInt8], rowID: Int64?, isWhole: Bool) {
    var place = 0
    guard let head = bytes.varint(at: &place, before: bytes.count), head >= 1, head <= bytes.count else {
      return nil
    }
    var (offset, values) = (Int(head), [Value]())
    while place < Int(head) {
      guard values.count < Self.maxColumnCount,
        let type = bytes.varint(at: &place, before: Int(head)), let count = Self.byteCount(of: type)
      else { return nil }
      let (end, isTooLong) = offset.addingReportingOverflow(count)
      guard !isTooLong, end <= bytes.count || !isWhole else { return nil }
      values.append(Self.value(type, offset..<end, bytes))
      offset = end
    }
    guard offset == bytes.count || !isWhole else { return nil }
    (self.bytes, self.values, self.rowID) = (bytes, values, rowID)
  }

  private static func byteCount(of type: Int64) -> Int? {
    switch type {
    case 0, 8, 9: 0
    case 1...4: Int(type)
    case 5: 6
    case 6, 7: 8
    case 12...(1 << 32): Int(type - 12) / 2
    default: nil
    }
  }

  private static func value(_ type: Int64, _ range: Range<Int>, _ bytes: [UInt8]) -> Value {
    switch type {
    case 0: .null
    case 7: .real
    case 8, 9: .integer(type - 8)
    // Bytes that are not there yet are not read.
    case 1...6: .integer(range.upperBound <= bytes.count ? integer(bytes[range]) : 0)
    default: type.isMultiple(of: 2) ? .blob(range) : .text(range)
    }
  }

  private static func integer(_ bytes: ArraySlice<UInt8>) -> Int64 {
    var value: Int64 = bytes.first.map { $0 >= 0x80 } ?? false ? -1 : 0
    for byte in bytes { value = value << 8 | Int64(byte) }
    return value
  }

  func integer(_ column: Int) -> Int64? {
    guard column < values.count, case .integer(let value) = values[column] else { return nil }
    return value
  }

  func text(_ column: Int) -> ArraySlice<UInt8>? {
    guard column < values.count, case .text(let range) = values[column] else { return nil }
    return bytes[range]
  }

  func isNull(_ column: Int) -> Bool {
    guard column < values.count else { return true }
    if case .null = values[column] { return true }
    return false
  }
}

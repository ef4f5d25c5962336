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

  /// - Parameter isWhole: Whether all bytes are there. The types of the columns can be checked before the
  ///   rest is looked for.
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

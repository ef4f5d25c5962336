/// A B-tree page (<https://sqlite.org/fileformat2.html#b_tree_pages>). Every offset is checked, since the
/// page may be damaged.
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
  /// Whether some offsets are invalid.
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

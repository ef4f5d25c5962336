/// A page of a tree, looked at with distrust: offsets in it lead nowhere beyond it
/// (<https://sqlite.org/fileformat2.html#b_tree_pages>).
struct TreePage {
  /// A kind of page, by its first byte.
  enum Kind: UInt8 {
    case indexInterior = 2
    case tableInterior = 5
    case indexLeaf = 10
    case tableLeaf = 13

    var isLeaf: Bool { self == .indexLeaf || self == .tableLeaf }
    /// Whether it belongs to a tree of keys, as those of indexes and of tables without row ids.
    var isOfIndex: Bool { self == .indexLeaf || self == .indexInterior }
  }

  /// A cell: a row or a key, and what leads to those before it.
  struct Cell {
    /// The page of what comes before; on interior pages.
    var child: Int?
    /// The row id; in trees of tables.
    var rowID: Int64?
    /// The bytes of the whole record; 0 where there is none.
    var byteCount = 0
    /// The part of the record that lies on the page.
    var local: Range<Int> = 0..<0
    /// The page on which the record goes on.
    var overflow: Int?
  }

  let number: Int
  let kind: Kind
  let bytes: [UInt8]
  /// The page of what comes after the last cell; on interior pages.
  let rightChild: Int?
  /// The places where cells begin, in their order, as far as that is on the page.
  let places: [Int]
  /// Whether some of the places lead nowhere.
  let isPartly: Bool

  /// Reads the head of a page; `nil` if it is none of a tree.
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

  /// Whether all of its cells are on it, and fill it to its end: a half of a page, or two pages taken for one, do not.
  var isWellFilled: Bool {
    guard !isPartly, let last = places.max(), last > bytes.count / 2 else { return false }
    return places.allSatisfy { cell(at: $0) != nil }
  }

  /// Reads the cell at a place; `nil` if it is none.
  func cell(at place: Int) -> Cell? { cell(at: place, kind) }

  /// Reads what would be the cell of a leaf of keys, at any place.
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

  /// More bytes than a record of ours has.
  private static let maxRecord: Int64 = 1 << 30

  /// Returns how many bytes of a record lie on its page.
  private static func localCount(of count: Int, _ kind: Kind, pageSize: Int) -> Int {
    let most = kind.isOfIndex ? (pageSize - 12) * 64 / 255 - 23 : pageSize - 35
    guard count > most else { return count }
    let least = (pageSize - 12) * 32 / 255 - 23
    let fitting = least + (count - least) % (pageSize - 4)
    return fitting <= most ? fitting : least
  }
}

extension [UInt8] {
  /// Reads a number of one to nine bytes and goes behind it; `nil` if it does not end before `end`.
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

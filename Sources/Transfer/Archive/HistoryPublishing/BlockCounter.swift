internal import MessageModel
internal import MessagePostgres

struct BlockCounter {
  private(set) var blocks: [UInt8] = []
  private(set) var superblocks: [UInt8] = []
  private var parts: [Part] = []
  private var number: Int64
  private var block = Span()
  private var superblock = Span()
  private var facets: [Int64: Int64] = [:]

  /// The length of a new block in messages, and of a new super-block in blocks; both are split at twice that
  /// length.
  static let blockLength: Int64 = 512
  static let superblockLength: Int64 = 32

  private struct Part {
    var number: Int64
    var facet: Int64
    var first: Int64
    var last: Int64
    var count: Int64
  }

  private struct Span {
    var first: Int64 = 0
    var last: Int64 = 0
    var count: Int64 = 0
    var blockCount: Int64 = 0
  }

  init(_ number: Int64) { self.number = number }

  var isFull: Bool { parts.count >= 100_000 }

  mutating func add(_ id: Int64, sender: Int64?, kind: Int64, features: Int64) {
    if block.count == 0 { block.first = id }
    block.last = id
    block.count += 1
    if let sender { facets[ArchiveFacet.sender(sender), default: 0] += 1 }
    facets[kind * 8 + 2, default: 0] += 1
    if features != 0 {
      for bit in ArchiveFacet.countedFeatures where features & bit != 0 {
        facets[ArchiveFacet.feature(bit), default: 0] += 1
      }
    }
    if block.count == Self.blockLength { endBlock() }
  }

  mutating func begin(_ number: Int64) {
    guard number != self.number else { return }
    finish()
    self.number = number
  }

  mutating func finish() {
    endBlock()
    endSuperblock()
  }

  private mutating func endBlock() {
    guard block.count > 0 else { return }
    Self.append([number, block.first, block.last, block.count], to: &blocks)
    for (facet, count) in facets {
      parts.append(Part(number: number, facet: facet, first: block.first, last: block.last, count: count))
    }
    if superblock.count == 0 { superblock.first = block.first }
    superblock.last = block.last
    superblock.count += block.count
    superblock.blockCount += 1
    facets.removeAll(keepingCapacity: true)
    block = Span()
    if superblock.blockCount == Self.superblockLength { endSuperblock() }
  }

  private mutating func endSuperblock() {
    guard superblock.count > 0 else { return }
    Self.append([number, superblock.first, superblock.last, superblock.count], to: &superblocks)
    superblock = Span()
  }

  /// Removes and returns the lines of the table `part`, sorted by key: the server then inserts at
  /// neighbouring places.
  mutating func takeParts() -> [UInt8] {
    parts.sort { ($0.number, $0.facet, $0.first) < ($1.number, $1.facet, $1.first) }
    var lines: [UInt8] = []
    lines.reserveCapacity(parts.count * 64)
    for part in parts {
      Self.append([part.number, part.facet, part.first, part.last, part.count], to: &lines)
    }
    parts.removeAll(keepingCapacity: true)
    return lines
  }

  mutating func takeBlocks() -> (blocks: [UInt8], superblocks: [UInt8]) {
    defer { (blocks, superblocks) = ([], []) }
    return (blocks, superblocks)
  }

  private static func append(_ numbers: [Int64], to lines: inout [UInt8]) {
    for (place, number) in numbers.enumerated() {
      lines.append(contentsOf: String(number).utf8)
      lines.append(place == numbers.count - 1 ? 0x0A : 0x09)
    }
  }
}

struct FirstLoad {
  private(set) var lines: [UInt8] = []
  private(set) var records = 0
  var moved: [Message.ID] = []
  private(set) var counts: [Int64: Int] = [:]
  var counter = BlockCounter(0)

  private static let mostRecords = 10_000
  private static let mostBytes = 8 << 20

  var isEmpty: Bool { records == 0 }
  var isFull: Bool { records >= Self.mostRecords || lines.count >= Self.mostBytes }

  mutating func add(_ line: ArchiveLine) {
    lines += line.bytes
    records += 1
    counts[line.conversation, default: 0] += 1
    counter.begin(line.conversation)
    counter.add(line.id, sender: line.sender, kind: line.kind, features: line.features)
  }
}

internal import MessageModel
internal import MessagePostgres

/// Counts messages block by block as they pass in the order of time, as lines of COPY for the tables of counts.
struct BlockCounter {
  /// The lines of the table `block`.
  private(set) var blocks: [UInt8] = []
  /// The lines of the table `superblock`.
  private(set) var superblocks: [UInt8] = []
  private var parts: [Part] = []
  /// The conversation that is counted, or the number of a whole store.
  private var number: Int64
  private var block = Span()
  private var superblock = Span()
  private var facets: [Int64: Int64] = [:]

  /// The number of messages in a new block, and of blocks in a new super-block; when they have grown to twice as many they are
  /// parted.
  static let blockLength: Int64 = 512
  static let superblockLength: Int64 = 32

  /// A part of a block.
  private struct Part {
    var number: Int64
    var facet: Int64
    var first: Int64
    var last: Int64
    var count: Int64
  }

  /// Neighbouring messages.
  private struct Span {
    var first: Int64 = 0
    var last: Int64 = 0
    var count: Int64 = 0
    /// The number of blocks that they are in.
    var blockCount: Int64 = 0
  }

  init(_ number: Int64) { self.number = number }

  /// Whether there is so much that it should be sent.
  var isFull: Bool { parts.count >= 100_000 }

  /// Counts a message, which is newer than those of the same conversation before it.
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

  /// Begins another conversation.
  mutating func begin(_ number: Int64) {
    guard number != self.number else { return }
    finish()
    self.number = number
  }

  /// Ends the last block.
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

  /// Takes the lines of the table `part` out, in the order of its key: so the server finds each place beside the last one.
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

  /// Takes the lines of blocks and super-blocks out.
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

/// Messages of conversations of which the archive has none yet, on their way there together with their counts.
struct FirstLoad {
  /// The lines of messages.
  private(set) var lines: [UInt8] = []
  private(set) var records = 0
  /// The ids of those that were moved.
  var moved: [Message.ID] = []
  /// The number of messages of each conversation.
  private(set) var counts: [Int64: Int] = [:]
  var counter = BlockCounter(0)

  /// The most messages of a transaction, and about how many bytes of text.
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

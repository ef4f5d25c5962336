internal import CChecksum

/// Compresses to gzip (RFC 1952) with the fixed codes of DEFLATE (RFC 1951, section 3.2.6), to about a third.
///
/// Meant for texts of some ten thousand bytes that are compressed once.
package enum Gzip {
  /// The farthest reference back, and the lengths of references, in bytes.
  private static let windowSize = 32_768
  private static let lengths = 3...258
  /// The maximum number of earlier places compared, newest first.
  private static let maxChain = 128
  private static let hashBits = 15

  /// - Complexity: O(bytes × 128) at most.
  package static func packed(_ content: [UInt8]) -> [UInt8] {
    var bits = BitWriter()
    bits.put(0b011, 3)  // The one block, of fixed codes.
    pack(content, to: &bits)
    bits.putSymbol(256)
    // No file name, no time, and an unknown system.
    var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + bits.finished()
    let checksum = content.withUnsafeBytes { cchecksum_crc32(0, $0.baseAddress, $0.count) }
    for number in [checksum, UInt32(truncatingIfNeeded: content.count)] {
      withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
    return bytes
  }

  private static func pack(_ content: [UInt8], to bits: inout BitWriter) {
    var index = ChainedPlaces(content)
    var place = 0
    while place < content.count {
      guard let match = index.longestMatch(at: place) else {
        bits.putSymbol(Int(content[place]))
        index.add(place)
        place += 1
        continue
      }
      bits.put(length: match.length, distance: match.distance)
      for each in place..<(place + match.length) { index.add(each) }
      place += match.length
    }
  }

  /// The places in the content, by a hash of the three bytes there.
  private struct ChainedPlaces {
    private let content: [UInt8]
    /// The last place of each hash, and for each place the one before it with the same hash; -1 for none.
    private var last: [Int32]
    private var before: [Int32]

    init(_ content: [UInt8]) {
      self.content = content
      last = Array(repeating: -1, count: 1 << hashBits)
      before = Array(repeating: -1, count: content.count)
    }

    private func hash(at place: Int) -> Int {
      let three = UInt32(content[place]) | UInt32(content[place + 1]) << 8 | UInt32(content[place + 2]) << 16
      return Int((three &* 2_654_435_761) >> UInt32(32 - hashBits))
    }

    private func isWhole(_ place: Int) -> Bool { place + lengths.lowerBound <= content.count }

    mutating func add(_ place: Int) {
      guard isWhole(place) else { return }
      let hash = hash(at: place)
      before[place] = last[hash]
      last[hash] = Int32(place)
    }

    /// The longest earlier occurrence of the bytes at a place; of several the nearest.
    func longestMatch(at place: Int) -> (length: Int, distance: Int)? {
      guard isWhole(place) else { return nil }
      let most = min(lengths.upperBound, content.count - place)
      var found: (length: Int, distance: Int)?
      var candidate = Int(last[hash(at: place)])
      for _ in 0..<maxChain {
        guard candidate >= 0, place - candidate <= windowSize else { break }
        var length = 0
        while length < most, content[candidate + length] == content[place + length] { length += 1 }
        if length >= lengths.lowerBound, length > found?.length ?? 0 { found = (length, place - candidate) }
        if length == most { break }
        candidate = Int(before[candidate])
      }
      return found
    }
  }
}

/// The lowest bit of a byte comes first.
private struct BitWriter {
  private var bytes: [UInt8] = []
  private var held: UInt32 = 0
  private var heldCount: UInt32 = 0

  mutating func put(_ value: UInt32, _ count: UInt32) {
    held |= value << heldCount
    heldCount += count
    while heldCount >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: held))
      held >>= 8
      heldCount -= 8
    }
  }

  private mutating func put(code: UInt32, _ count: UInt32) {
    for bit in (0..<count).reversed() { put((code >> bit) & 1, 1) }
  }

  /// Writes a literal byte (up to 255), the end of the block (256), or a length code.
  mutating func putSymbol(_ symbol: Int) {
    let symbol = UInt32(symbol)
    switch symbol {
    case ..<144: put(code: 0x30 + symbol, 8)
    case ..<256: put(code: 0x190 + symbol - 144, 9)
    case ..<280: put(code: symbol - 256, 7)
    default: put(code: 0xC0 + symbol - 280, 8)
    }
  }

  /// Writes a reference: `length` bytes that stood `distance` bytes back.
  mutating func put(length: Int, distance: Int) {
    // The greatest length has its own code.
    let (lengthClass, lengthRest, lengthBits) =
      length == 258 ? (28, 0, 0) : Self.part(length - 3, linearBits: 2)
    putSymbol(257 + lengthClass)
    put(UInt32(lengthRest), UInt32(lengthBits))
    let (distanceClass, distanceRest, distanceBits) = Self.part(distance - 1, linearBits: 1)
    put(code: UInt32(distanceClass), 5)
    put(UInt32(distanceRest), UInt32(distanceBits))
  }

  /// Splits a number into its code and its extra bits, where codes grow with the logarithm of the number.
  ///
  /// - Parameter linearBits: The base-2 logarithm of the number of codes between two powers of two.
  private static func part(_ number: Int, linearBits: Int) -> (class: Int, rest: Int, bits: Int) {
    let width = Int.bitWidth - number.leadingZeroBitCount
    let bits = max(0, width - 1 - linearBits)
    return (bits << linearBits + number >> bits, number & (1 << bits - 1), bits)
  }

  mutating func finished() -> [UInt8] {
    if heldCount > 0 { put(0, 8 - heldCount) }
    return bytes
  }
}

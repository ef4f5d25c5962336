package import MessageModel

extension PictureGenerator {
  /// Makes a black picture as a lossless WebP in which each block has a set of prefix codes of its own: a few bits of the
  /// file for each, and kilobytes of memory in a decoder (RFC 9649, 3.7).
  ///
  /// - Parameter blockBits: The side of a block is 2 to the power of so many pixels, 2 to 9. There are at most 65,536 sets.
  /// - Complexity: O(blocks) in time and bytes.
  package static func losslessWebP(_ size: PixelSize, blockBits: Int) -> [UInt8] {
    let side = 1 << blockBits
    let blocks = (size.width + side - 1) / side * ((size.height + side - 1) / side)
    var bits = BitStream(.lowestFirst)
    bits.write(0x2F, 8)
    bits.write(size.width - 1, 14)
    bits.write(size.height - 1, 14)
    bits.write(0, 4)  // Opacity and the version.
    bits.write(0, 2)  // No transform and no cache of colours.
    bits.write(1, 1)
    bits.write(blockBits - 2, 3)
    bits.write(0, 1)
    writeFlatCode(unused: 24, to: &bits)
    writeFlatCode(unused: 0, to: &bits)
    for _ in 0..<3 { writeSingleCode(to: &bits) }
    for block in 0..<blocks { writeNumber(block & 0xFFFF, to: &bits) }
    for _ in 0..<(5 * min(blocks, 65_536)) { writeSingleCode(to: &bits) }
    bits.finish()
    return container(bits.bytes)
  }

  private static func container(_ stream: [UInt8]) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    let padded = stream + Array(repeating: 0, count: stream.count % 2)
    return Array("RIFF".utf8) + number(padded.count + 12) + Array("WEBPVP8L".utf8) + number(stream.count)
      + padded
  }

  /// A code of one symbol, 0, which takes no bits.
  private static func writeSingleCode(to bits: inout BitStream) { bits.write(0b0001, 4) }

  /// A code of 256 words of eight bits. Of the lengths there are two, 8 and, for the others, 18: a bit each.
  private static func writeFlatCode(unused: Int, to bits: inout BitStream) {
    bits.write(0, 1)
    bits.write(12 - 4, 4)
    for length in [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] { bits.write(length, 3) }
    bits.write(0, 1)
    for _ in 0..<256 { bits.write(0, 1) }
    guard unused > 0 else { return }
    bits.write(1, 1)
    bits.write(unused - 11, 7)
  }

  /// A pixel of a block image: its low byte is green, its high byte red. Words begin with their highest bit.
  private static func writeNumber(_ value: Int, to bits: inout BitStream) {
    for byte in [value & 0xFF, value >> 8] {
      bits.write((0..<8).reduce(0) { $0 | (byte >> $1 & 1) << (7 - $1) }, 8)
    }
  }
}

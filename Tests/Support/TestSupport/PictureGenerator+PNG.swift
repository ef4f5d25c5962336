package import MessageModel

extension PictureGenerator {
  /// The properties of a PNG.
  package struct Screenshot: Hashable, Sendable {
    /// It comes in seven passes (Adam7).
    package var isInterlaced: Bool
    /// It has opacity, as much of it as of brightness.
    package var hasTransparency: Bool

    /// Creates a style.
    package init(isInterlaced: Bool = false, hasTransparency: Bool = false) {
      self.isInterlaced = isInterlaced
      self.hasTransparency = hasTransparency
    }
  }

  /// Makes a picture of grey bands, each of one brightness from side to side, as a PNG.
  ///
  /// - Complexity: O(pixels ÷ 80) in time and bytes.
  package static func png(_ size: PixelSize, seed: UInt64, _ screenshot: Screenshot = Screenshot()) -> [UInt8]
  {
    let channels = screenshot.hasTransparency ? 4 : 3
    var packer = RunPacker()
    for pass in screenshot.isInterlaced ? passes : [Pass(x: 0, dx: 1, y: 0, dy: 1)] {
      let columns = pass.x < size.width ? (size.width - pass.x + pass.dx - 1) / pass.dx : 0
      guard columns > 0 else { continue }
      for y in stride(from: pass.y, to: size.height, by: pass.dy) {
        packer.add(0, count: 1)
        packer.add(brightness(ofRow: y, seed: seed), count: columns * channels)
      }
    }
    let header =
      bigEndian(size.width) + bigEndian(size.height)
      + [8, screenshot.hasTransparency ? 6 : 2, 0, 0, screenshot.isInterlaced ? 1 : 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
      + chunk("IDAT", packer.finished()) + chunk("IEND", [])
  }

  /// Packs a run of one byte with zlib: a thousandth of its length.
  package static func packed(_ byte: UInt8, count: Int) -> [UInt8] {
    var packer = RunPacker()
    packer.add(byte, count: count)
    return packer.finished()
  }

  /// The brightness of a row of ``png(_:seed:_:)``.
  package static func brightness(ofRow row: Int, seed: UInt64) -> UInt8 {
    UInt8(truncatingIfNeeded: 40 + (UInt64(row / 64) &* 17 &+ seed &* 29) % 200)
  }

  private struct Pass {
    var x, dx, y, dy: Int
  }

  private static let passes = [
    Pass(x: 0, dx: 8, y: 0, dy: 8), Pass(x: 4, dx: 8, y: 0, dy: 8), Pass(x: 0, dx: 4, y: 4, dy: 8),
    Pass(x: 2, dx: 4, y: 0, dy: 4), Pass(x: 0, dx: 2, y: 2, dy: 4), Pass(x: 1, dx: 2, y: 0, dy: 2),
    Pass(x: 0, dx: 1, y: 1, dy: 2),
  ]

  /// A chunk with its checksum.
  package static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    return bigEndian(content.count) + body + bigEndian(Int(checksum(body)))
  }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// CRC-32 as in <https://www.w3.org/TR/png/#D-CRCAppendix>.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    let table = (0..<256).map { (index: UInt32) -> UInt32 in
      var value = index
      for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
      return value
    }
    var sum = UInt32.max
    for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8) }
    return ~sum
  }
}

/// Packs runs of equal bytes as zlib does, with the fixed codes of Deflate (RFC 1951, 3.2.6).
private struct RunPacker {
  private var bits = BitStream(.lowestFirst)
  private var (low, high) = (1, 0)

  init() {
    bits.write(0x0178, 16)
    bits.write(0b011, 3)
  }

  mutating func add(_ byte: UInt8, count: Int) {
    addToChecksum(Int(byte), count)
    var left = count
    literal(Int(byte))
    left -= 1
    while left > 0 {
      let length = min(left, 258)
      if length < 3 {
        for _ in 0..<length { literal(Int(byte)) }
      } else {
        match(length)
      }
      left -= length
    }
  }

  /// Adler-32 of a run at once (RFC 1950, 8.2).
  private mutating func addToChecksum(_ byte: Int, _ count: Int) {
    high = (high + count % 65_521 * low + byte * (count * (count + 1) / 2 % 65_521)) % 65_521
    low = (low + byte * count) % 65_521
  }

  private mutating func literal(_ byte: Int) {
    if byte < 144 { code(0x30 + byte, 8) } else { code(0x190 + byte - 144, 9) }
  }

  /// Repeats the last byte.
  private mutating func match(_ length: Int) {
    let rest = length - 3
    if length == 258 {
      code(0xC5, 8)
    } else if rest < 8 {
      code(1 + rest, 7)
    } else {
      let extra = Int.bitWidth - rest.leadingZeroBitCount - 3
      let symbol = 257 + 4 * extra + (rest >> extra)
      if symbol < 280 { code(symbol - 256, 7) } else { code(0xC0 + symbol - 280, 8) }
      bits.write(rest, extra)
    }
    code(0, 5)
  }

  /// Codes begin with their highest bit, all else with its lowest.
  private mutating func code(_ value: Int, _ count: Int) {
    var turned = 0
    for place in 0..<count { turned |= ((value >> place) & 1) << (count - 1 - place) }
    bits.write(turned, count)
  }

  mutating func finished() -> [UInt8] {
    code(0, 7)
    bits.finish()
    return bits.bytes + [high >> 8, high & 0xFF, low >> 8, low & 0xFF].map { UInt8($0) }
  }
}

package import MessageModel
import MessageSourceTesting

/// Makes up pictures of any size without decoding or encoding any: photographs as JPEG, screenshots as PNG. The same
/// arguments always give the same bytes.
///
/// A photograph is a field of flat squares, a fiftieth of a real one in bytes unless it has detail. The squares of a
/// size are made once; what sets one seed apart from another are the tables that give the squares their colours.
package struct PictureGenerator: Sendable {
  /// The way in which a photograph is packed.
  package struct Style: Hashable, Sendable {
    /// Coefficients come in several scans, so that a decoder must hold them all.
    package var isProgressive: Bool
    /// Noise in each square, as much as in a real photograph: about a byte for six pixels.
    package var hasDetail: Bool

    /// Creates a style.
    package init(isProgressive: Bool = false, hasDetail: Bool = false) {
      self.isProgressive = isProgressive
      self.hasDetail = hasDetail
    }
  }

  private struct Key: Hashable {
    var size: PixelSize
    var style: Style
  }

  private var scans: [Key: [UInt8]] = [:]

  /// Creates a generator.
  package init() {}

  /// Makes a photograph.
  ///
  /// - Parameter orientation: How it was held, as EXIF counts; 0 leaves EXIF out.
  package mutating func jpeg(
    _ size: PixelSize, seed: UInt64, style: Style = Style(), orientation: UInt8 = 0
  ) -> [UInt8] {
    let scan = squares(size, style)
    var file: [UInt8] = [0xFF, 0xD8]
    file.reserveCapacity(scan.count + 1_024)
    if orientation > 0 { file += Self.exif(orientation) }
    file += Self.segment(0xFE, Array("made up \(seed)".utf8))
    var dice = SeededGenerator(seed: seed)
    for table in 0..<3 {
      // What one step of a square's brightness or colour is worth.
      let step = UInt8(table == 0 ? 6 + dice.below(12) : 1 + dice.below(40))
      file += Self.segment(0xDB, [UInt8(table), step] + Array(repeating: 2, count: 63))
    }
    file += Self.frame(size, style) + Self.huffmanTables()
    let last: UInt8 = style.isProgressive ? 0 : 63
    file += Self.segment(0xDA, [3, 1, 0x00, 2, 0x00, 3, 0x00, 0, last, 0])
    file += scan
    file += [0xFF, 0xD9]
    return file
  }

  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    let length = content.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
  }

  private static func exif(_ orientation: UInt8) -> [UInt8] {
    let directory: [UInt8] = [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
    return segment(0xE1, Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8] + directory)
  }

  /// Brightness in full size, colours in half of it, as cameras do.
  private static func frame(_ size: PixelSize, _ style: Style) -> [UInt8] {
    segment(
      style.isProgressive ? 0xC2 : 0xC0,
      [
        8, UInt8(size.height >> 8), UInt8(size.height & 0xFF), UInt8(size.width >> 8),
        UInt8(size.width & 0xFF), 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 2,
      ])
  }

  /// For mean values the table that the standard proposes (ITU T.81, K.3); for the rest three codes: the end of a
  /// square, a step, and a value of four bits.
  private static func huffmanTables() -> [UInt8] {
    let counts: [UInt8] = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
    let means = [0x00] + counts + Array(0...11)
    let rest: [UInt8] = [0x10, 1, 1, 1] + Array(repeating: 0, count: 13) + [0x00, 0x01, 0x04]
    return segment(0xC4, means + rest)
  }

  // MARK: Squares

  private mutating func squares(_ size: PixelSize, _ style: Style) -> [UInt8] {
    let key = Key(size: size, style: style)
    if let known = scans[key] { return known }
    let made = Self.scan(columns: (size.width + 15) / 16, rows: (size.height + 15) / 16, style)
    scans[key] = made
    return made
  }

  /// Sixteen pixels square at a time: four of brightness, one of each colour; hills with a few bright spots.
  private static func scan(columns: Int, rows: Int, _ style: Style) -> [UInt8] {
    var bits = BitStream(.highestFirst)
    var dice = SeededGenerator(seed: UInt64(columns << 16 | rows))
    var before = [0, 0, 0]
    for row in 0..<rows {
      for column in 0..<columns {
        let spot = dice.oneIn(40) ? 20 : 0
        let values = [
          (column * 60 / columns + row * 60 / rows) % 80 - 40 + spot, column * 20 / columns - 10,
          row * 20 / rows - 10,
        ]
        for (part, value) in values.enumerated() {
          writeMean(value - before[part], to: &bits)
          writeRest(style, to: &bits, &dice)
          before[part] = value
          for _ in 0..<(part == 0 ? 3 : 0) {
            writeMean(0, to: &bits)
            writeRest(style, to: &bits, &dice)
          }
        }
      }
    }
    bits.finish()
    return bits.bytes
  }

  private static func writeMean(_ difference: Int, to bits: inout BitStream) {
    let size = Int.bitWidth - abs(difference).leadingZeroBitCount
    switch size {
    case 0: bits.write(0b00, 2)
    case 1...5: bits.write(size + 1, 3)
    default: bits.write((1 << (size - 2)) - 2, size - 2)
    }
    if size > 0 { bits.write(difference > 0 ? difference : difference - 1, size) }
  }

  private static func writeRest(_ style: Style, to bits: inout BitStream, _ dice: inout SeededGenerator) {
    guard !style.isProgressive else { return }
    if style.hasDetail {
      var noise = dice.next()
      for _ in 0..<12 {
        bits.write(0b110, 3)
        bits.write(Int(noise & 0xF), 4)
        noise >>= 4
      }
    }
    bits.write(0b0, 1)
  }
}

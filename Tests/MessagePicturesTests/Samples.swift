import MessageModel
import TestSupport

/// Small pictures of each format, and others that are not what they say.
enum Samples {
  static func jpeg(
    _ width: Int, _ height: Int, seed: UInt64 = 1, _ style: PictureGenerator.Style = .init(),
    orientation: UInt8 = 0
  ) -> [UInt8] {
    var generator = PictureGenerator()
    return generator.jpeg(
      PixelSize(width: width, height: height), seed: seed, style: style, orientation: orientation)
  }

  static func png(_ width: Int, _ height: Int, _ screenshot: PictureGenerator.Screenshot = .init()) -> [UInt8]
  {
    PictureGenerator.png(PixelSize(width: width, height: height), seed: 3, screenshot)
  }

  /// Two colours in columns, the second transparent if it is said so. Each pixel is a code of its own: the table of codes
  /// is cleared before it can grow.
  static func gif(_ width: Int, _ height: Int, isInterlaced: Bool = false, hasTransparency: Bool = false)
    -> [UInt8]
  {
    func number(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
    var bits: [Bool] = []
    for index in 0..<(width * height) {
      if index % 2 == 0 { bits += [false, false, true] }  // 4 clears.
      bits += [index % width % 2 == 1, false, false]
    }
    bits += [true, false, true]  // 5 ends.
    var codes = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
    for (index, bit) in bits.enumerated() where bit { codes[index / 8] |= 1 << (index % 8) }
    var file = Array("GIF89a".utf8) + number(width) + number(height) + [0x80, 0, 0]
    file += [200, 100, 50, 10, 20, 30]
    file += [0x21, 0xF9, 4, hasTransparency ? 1 : 0, 0, 0, 1, 0]
    file += [0x2C, 0, 0, 0, 0] + number(width) + number(height) + [isInterlaced ? 0x40 : 0, 2]
    for start in stride(from: 0, to: codes.count, by: 255) {
      let block = codes[start..<min(codes.count, start + 255)]
      file += [UInt8(block.count)] + block
    }
    return file + [0, 0x3B]
  }

  /// A black picture, packed in blocks of 512 pixels.
  static func losslessWebP(_ width: Int, _ height: Int) -> [UInt8] {
    PictureGenerator.losslessWebP(PixelSize(width: width, height: height), blockBits: 9)
  }
}

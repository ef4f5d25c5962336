/// The width and height of a picture in pixels, from its header.
public struct PixelSize: Hashable, Sendable, Codable {
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int

  /// Creates a size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The number of pixels, clamped to `Int.max`.
  package var pixelCount: Int {
    let (product, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? .max : product
  }

  /// Reads the size from the beginning of a file; `nil` for an unknown format, or if the size is not within
  /// `bytes`.
  ///
  /// - Parameter bytes: The first bytes. Thirty suffice for PNG, GIF and WebP; a JPEG has its size after the
  ///   metadata, mostly within the first 64 KiB.
  /// - Complexity: O(segments before the size) for a JPEG, else O(1).
  package init?(header bytes: [UInt8]) {
    let size: PixelSize?
    switch PictureFormat(sniffing: bytes) {
    case .png: size = Self.png(bytes)
    case .gif: size = Self.gif(bytes)
    case .webp: size = Self.webp(bytes)
    case .jpeg: size = Self.jpeg(bytes)
    case nil: size = nil
    }
    guard let size, size.width > 0, size.height > 0 else { return nil }
    self = size
  }

  /// <https://www.w3.org/TR/png/#11IHDR>
  private static func png(_ bytes: [UInt8]) -> PixelSize? {
    guard let width = bytes.bigEndian(at: 16, count: 4), let height = bytes.bigEndian(at: 20, count: 4) else {
      return nil
    }
    return PixelSize(width: width, height: height)
  }

  /// <https://www.w3.org/Graphics/GIF/spec-gif89a.txt>, logical screen descriptor.
  private static func gif(_ bytes: [UInt8]) -> PixelSize? {
    guard let width = bytes.littleEndian(at: 6, count: 2), let height = bytes.littleEndian(at: 8, count: 2)
    else {
      return nil
    }
    return PixelSize(width: width, height: height)
  }

  /// <https://developers.google.com/speed/webp/docs/riff_container>: each of three encodings has its own
  /// header.
  private static func webp(_ bytes: [UInt8]) -> PixelSize? {
    guard bytes.count >= 30 else { return nil }
    switch Array(bytes[12..<16]) {
    case Array("VP8X".utf8):
      guard let width = bytes.littleEndian(at: 24, count: 3),
        let height = bytes.littleEndian(at: 27, count: 3)
      else { return nil }
      return PixelSize(width: width + 1, height: height + 1)
    case Array("VP8L".utf8):
      guard bytes[20] == 0x2F, let packed = bytes.littleEndian(at: 21, count: 4) else { return nil }
      return PixelSize(width: packed & 0x3FFF + 1, height: packed >> 14 & 0x3FFF + 1)
    case Array("VP8 ".utf8):
      guard let width = bytes.littleEndian(at: 26, count: 2),
        let height = bytes.littleEndian(at: 28, count: 2)
      else { return nil }
      return PixelSize(width: width & 0x3FFF, height: height & 0x3FFF)
    default: return nil
    }
  }

  /// Follows segments up to the start of a frame (ITU T.81, B.1.1.3).
  private static func jpeg(_ bytes: [UInt8]) -> PixelSize? {
    var place = 2
    while place + 4 <= bytes.count, bytes[place] == 0xFF {
      let marker = bytes[place + 1]
      if marker == 0xFF {
        place += 1
        continue
      }
      guard let length = bytes.bigEndian(at: place + 2, count: 2), length >= 2 else { return nil }
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        guard let height = bytes.bigEndian(at: place + 5, count: 2),
          let width = bytes.bigEndian(at: place + 7, count: 2)
        else { return nil }
        return PixelSize(width: width, height: height)
      }
      place += 2 + length
    }
    return nil
  }
}

extension [UInt8] {
  fileprivate func bigEndian(at index: Int, count: Int) -> Int? {
    index + count <= self.count ? self[index..<(index + count)].reduce(0) { $0 << 8 | Int($1) } : nil
  }

  fileprivate func littleEndian(at index: Int, count: Int) -> Int? {
    index + count <= self.count
      ? self[index..<(index + count)].reversed().reduce(0) { $0 << 8 | Int($1) } : nil
  }
}

internal import MessageModel

/// What is known of a picture before it is decoded: read from its container alone.
struct PictureHeader {
  /// The format, told by the first bytes.
  let format: PictureFormat
  /// How it was held when it was taken, as EXIF counts: 1 is upright.
  private(set) var orientation = 1
  /// The first picture of an animated WebP: where its bytes are.
  private(set) var frame: Range<Int>?
  /// Whether a WebP holds its pixels unchanged.
  private(set) var isLossless = false
  /// Whether the first picture of an animated WebP has transparent parts, and its size.
  private(set) var frameHasAlpha = false
  private(set) var frameSize = PixelSize(width: 0, height: 0)

  /// A container has fewer parts than this before the walk through them ends.
  private static let mostParts = 1_024
  /// Metadata is at most this long, or not looked at.
  private static let mostMetadata = 65_536

  /// Reads what there is; `nil` if the format is unknown.
  ///
  /// - Complexity: O(parts of the container), at most 1,024 of them.
  init?(of input: PictureInput) {
    guard let format = PictureFormat(sniffing: input.bytes(at: 0, count: 12)) else { return nil }
    self.format = format
    switch format {
    case .jpeg: walkJPEG(input)
    case .png: walkPNG(input)
    case .webp: walkWebP(input)
    case .gif: break
    }
  }

  /// Segments up to the first scan (ITU T.81, B.1.1.3); EXIF is in the one APP1 that begins so.
  private mutating func walkJPEG(_ input: PictureInput) {
    var place = 2
    for _ in 0..<Self.mostParts {
      let head = input.bytes(at: place, count: 10)
      guard head.count == 10, head[0] == 0xFF, head[1] != 0xDA else { return }
      if head[1] == 0xFF {
        place += 1
        continue
      }
      let length = Int(head[2]) << 8 | Int(head[3])
      guard length >= 2 else { return }
      if head[1] == 0xE1, head[4...].elementsEqual(Array("Exif\0\0".utf8)) {
        return readOrientation(input, at: place + 10, count: length - 8)
      }
      place += 2 + length
    }
  }

  /// Chunks: length, name, content, checksum (<https://www.w3.org/TR/png/#5Chunk-layout>).
  private mutating func walkPNG(_ input: PictureInput) {
    var place = 8
    for _ in 0..<Self.mostParts {
      let head = input.bytes(at: place, count: 8)
      guard head.count == 8 else { return }
      let length = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
      if head[4...].elementsEqual("eXIf".utf8) {
        return readOrientation(input, at: place + 8, count: length)
      }
      place += 12 + length
    }
  }

  /// Chunks: name, length, content, a byte if the length is odd.
  /// <https://developers.google.com/speed/webp/docs/riff_container>
  private mutating func walkWebP(_ input: PictureInput) {
    var place = 12
    for _ in 0..<Self.mostParts {
      let head = input.bytes(at: place, count: 8)
      guard head.count == 8 else { return }
      let length = head[4...].reversed().reduce(0) { $0 << 8 | Int($1) }
      switch String(decoding: head[..<4], as: UTF8.self) {
      case "VP8L": isLossless = true
      case "ANMF" where frame == nil: readFrame(input, at: place + 8, count: length)
      case "EXIF":
        // Some writers keep the beginning that it has in a JPEG.
        let hasPrefix = input.bytes(at: place + 8, count: 4) == Array("Exif".utf8)
        return readOrientation(
          input, at: place + (hasPrefix ? 14 : 8), count: length - (hasPrefix ? 6 : 0))
      default: break
      }
      place += 8 + length + length % 2
    }
  }

  private mutating func readFrame(_ input: PictureInput, at place: Int, count: Int) {
    let head = input.bytes(at: place, count: 24)
    guard head.count == 24, count >= 24 else { return }
    frame = (place + 16)..<(place + count)
    frameSize = PixelSize(
      width: 1 + head[6..<9].reversed().reduce(0) { $0 << 8 | Int($1) },
      height: 1 + head[9..<12].reversed().reduce(0) { $0 << 8 | Int($1) })
    let name = String(decoding: head[16..<20], as: UTF8.self)
    isLossless = name == "VP8L"
    frameHasAlpha = name != "VP8 "
  }

  // MARK: EXIF

  /// The tag 0x0112 of the first directory of a TIFF (EXIF 2.3, 4.6.4).
  private mutating func readOrientation(_ input: PictureInput, at place: Int, count: Int) {
    guard count >= 8 else { return }
    let tiff = input.bytes(at: place, count: min(count, Self.mostMetadata))
    let isLittle = tiff.starts(with: Array("II*\0".utf8))
    guard isLittle || tiff.starts(with: Array("MM\0*".utf8)) else { return }
    func number(_ offset: Int, _ size: Int) -> Int? {
      guard offset >= 0, offset + size <= tiff.count else { return nil }
      let bytes = tiff[offset..<(offset + size)]
      return isLittle
        ? bytes.reversed().reduce(0) { $0 << 8 | Int($1) } : bytes.reduce(0) { $0 << 8 | Int($1) }
    }
    guard let directory = number(4, 4), let entries = number(directory, 2) else { return }
    for entry in 0..<entries {
      let offset = directory + 2 + 12 * entry
      guard let tag = number(offset, 2) else { return }
      if tag == 0x0112, let value = number(offset + 8, 2), (1...8).contains(value) { orientation = value }
    }
  }
}

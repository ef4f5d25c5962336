internal import MessageModel

/// The facts that a picture's container gives without decoding.
struct PictureHeader {
  let format: PictureFormat
  /// The EXIF orientation: 1 is upright.
  private(set) var orientation = 1
  /// The bytes of an animated WebP's first frame.
  private(set) var frame: Range<Int>?
  /// The lossless part of a WebP: its pixels, or the opacity of lossy ones.
  private(set) var lossless: LosslessWebP?
  private(set) var hasPixels = false
  /// Whether the first frame of an animated WebP has transparency, and its size.
  private(set) var frameHasAlpha = false
  private(set) var frameSize = PixelSize(width: 0, height: 0)

  private static let mostParts = 1_024
  /// Longer metadata is ignored.
  private static let mostMetadata = 65_536

  /// `nil` for an unknown format. O(parts of the container), at most 1,024 of them.
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

  /// Segments up to the first scan (ITU T.81, B.1.1.3); EXIF is in an APP1 that begins with "Exif".
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

  private struct Chunk {
    var name: String
    var content: Range<Int>
  }

  /// A chunk: name, length, content, and a padding byte if the length is odd.
  /// <https://developers.google.com/speed/webp/docs/riff_container>
  private func chunk(_ input: PictureInput, at place: Int) -> Chunk? {
    let head = input.bytes(at: place, count: 8)
    guard head.count == 8 else { return nil }
    let length = head[4...].reversed().reduce(0) { $0 << 8 | Int($1) }
    return Chunk(
      name: String(decoding: head[..<4], as: UTF8.self), content: (place + 8)..<(place + 8 + length))
  }

  private mutating func walkWebP(_ input: PictureInput) {
    var place = 12
    var canvas: PixelSize?
    for part in 0..<Self.mostParts {
      // libwebp takes anything else for pixels without a container.
      guard let chunk = chunk(input, at: place), part > 0 || ["VP8X", "VP8L", "VP8 "].contains(chunk.name)
      else {
        return
      }
      switch chunk.name {
      case "VP8X": canvas = Self.size(input.bytes(at: chunk.content.lowerBound + 4, count: 6))
      case "EXIF": readOrientation(input, chunk.content)
      case "ANMF" where frame == nil && !hasPixels: readFrame(input, chunk.content)
      default: if frame == nil { note(chunk, input, canvas) }
      }
      place = chunk.content.upperBound + chunk.content.count % 2
    }
  }

  private mutating func note(_ chunk: Chunk, _ input: PictureInput, _ size: PixelSize?) {
    guard !hasPixels else { return }
    let start = chunk.content.lowerBound
    switch chunk.name {
    case "VP8L": lossless = LosslessWebP(place: start, size: nil)
    case "ALPH":
      let isPacked = (input.bytes(at: start, count: 1).first ?? 0) & 3 == 1
      lossless = isPacked ? LosslessWebP(place: start + 1, size: size) : nil
    default: break
    }
    hasPixels = chunk.name == "VP8L" || chunk.name == "VP8 "
  }

  private mutating func readFrame(_ input: PictureInput, _ content: Range<Int>) {
    let head = input.bytes(at: content.lowerBound, count: 24)
    guard head.count == 24, content.count >= 24 else { return }
    frame = (content.lowerBound + 16)..<content.upperBound
    frameSize = Self.size(Array(head[6..<12])) ?? frameSize
    frameHasAlpha = String(decoding: head[16..<20], as: UTF8.self) != "VP8 "
    var place = content.lowerBound + 16
    for _ in 0..<Self.mostParts where place < content.upperBound {
      guard let chunk = chunk(input, at: place) else { return }
      note(chunk, input, frameSize)
      place = chunk.content.upperBound + chunk.content.count % 2
    }
  }

  /// Width and height minus one, three bytes each.
  private static func size(_ bytes: [UInt8]) -> PixelSize? {
    guard bytes.count == 6 else { return nil }
    return PixelSize(
      width: 1 + bytes[..<3].reversed().reduce(0) { $0 << 8 | Int($1) },
      height: 1 + bytes[3...].reversed().reduce(0) { $0 << 8 | Int($1) })
  }

  /// Some writers keep the header "Exif\0\0" of JPEGs.
  private mutating func readOrientation(_ input: PictureInput, _ content: Range<Int>) {
    let skipped = input.bytes(at: content.lowerBound, count: 4) == Array("Exif".utf8) ? 6 : 0
    readOrientation(input, at: content.lowerBound + skipped, count: content.count - skipped)
  }

  /// Tag 0x0112 of the first directory of a TIFF (EXIF 2.3, 4.6.4).
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

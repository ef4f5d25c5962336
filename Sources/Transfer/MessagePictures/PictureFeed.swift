#if Pictures
  internal import MessageModel

  final class PictureFeed {
    private let input: PictureInput
    private let prefix: [UInt8]
    private let range: Range<Int>
    private var position = 0

    init(_ input: PictureInput, prefix: [UInt8] = [], range: Range<Int>? = nil) {
      self.input = input
      self.prefix = prefix
      self.range = range ?? 0..<Int.max
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
      if position < prefix.count {
        let piece = prefix[position..<min(prefix.count, position + buffer.count)]
        piece.withUnsafeBytes { buffer.copyMemory(from: $0) }
        position += piece.count
        return piece.count
      }
      let place = range.lowerBound + position - prefix.count
      let count = min(buffer.count, range.upperBound - place)
      guard count > 0 else { return 0 }
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
      guard let got = input.read(at: place, into: room) else { return -1 }
      position += got
      return got
    }
  }

  extension PictureFeed {
    convenience init(_ input: PictureInput, _ header: PictureHeader) {
      guard let frame = header.frame else {
        self.init(input)
        return
      }
      func number(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      }
      var prefix = Array("RIFF".utf8) + number(frame.count + 22, 4) + Array("WEBPVP8X".utf8) + number(10, 4)
      prefix += number(header.frameHasAlpha ? 0x10 : 0, 4)
      prefix += number(header.frameSize.width - 1, 3) + number(header.frameSize.height - 1, 3)
      self.init(input, prefix: prefix, range: frame)
    }
  }
#endif

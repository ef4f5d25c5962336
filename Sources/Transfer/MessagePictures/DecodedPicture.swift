#if Pictures
  internal import CPictures
  internal import MessageModel

  final class DecodedPicture {
    private(set) var image: cpictures_image

    private init(_ image: cpictures_image) { self.image = image }

    deinit { cpictures_free(&image) }

    var pixelSize: PixelSize { PixelSize(width: Int(image.width), height: Int(image.height)) }

    /// Decodes a picture upright, shrunk to a longest side, within a memory limit; also returns the upright
    /// original size.
    static func decode(
      _ input: PictureInput, side: Int, memoryByteCount: Int
    ) throws(PictureRefusal) -> (picture: DecodedPicture, originalSize: PixelSize) {
      guard let header = PictureHeader(of: input) else { throw .unknownFormat }
      let codes = try header.codesByteCount(in: input, memoryByteCount: memoryByteCount)
      let limits = cpictures_limits(
        side: UInt32(clamping: max(1, side)), memory: max(0, memoryByteCount - codes))
      var image = cpictures_image()
      let feed = PictureFeed(input, header)
      try check(run(header, Unmanaged.passUnretained(feed).toOpaque(), limits, &image))
      withExtendedLifetime(feed) {}
      let picture = DecodedPicture(image)
      var original = PixelSize(width: Int(image.original_width), height: Int(image.original_height))
      if header.orientation > 4 { original = PixelSize(width: original.height, height: original.width) }
      try check(cpictures_turn(&picture.image, Int32(header.orientation)))
      return (picture, original)
    }

    private static func run(
      _ header: PictureHeader, _ feed: UnsafeMutableRawPointer, _ limits: cpictures_limits,
      _ image: inout cpictures_image
    ) -> cpictures_status {
      let read: cpictures_read = { feed, bytes, count in
        guard let feed else { return -1 }
        let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: count)
        return Unmanaged<PictureFeed>.fromOpaque(feed).takeUnretainedValue().read(into: buffer)
      }
      return switch header.format {
      case .jpeg: cpictures_decode_jpeg(read, feed, limits, &image)
      case .png: cpictures_decode_png(read, feed, limits, &image)
      case .gif: cpictures_decode_gif(read, feed, limits, &image)
      case .webp: cpictures_decode_webp(read, feed, limits, &image)
      }
    }

    private static func check(_ status: cpictures_status) throws(PictureRefusal) {
      switch status {
      case CPICTURES_DONE: return
      case CPICTURES_TOO_LARGE: throw .tooLarge
      case CPICTURES_UNREADABLE: throw .unreadable
      case CPICTURES_UNKNOWN: throw .unknownFormat
      default: throw .damaged
      }
    }

    func shrunk(side: Int) throws(PictureRefusal) -> DecodedPicture {
      var smaller = cpictures_image()
      try Self.check(cpictures_shrink(&image, UInt32(clamping: max(1, side)), &smaller))
      return DecodedPicture(smaller)
    }

    func encoded(quality: Int) throws(PictureRefusal) -> PictureRendition {
      var count = 0
      let isWebP = image.has_transparency
      let start =
        isWebP
        ? cpictures_encode_webp(&image, Float(quality), &count)
        : cpictures_encode_jpeg(&image, Int32(quality), &count)
      guard let start else { throw .tooLarge }
      defer { cpictures_free_bytes(start) }
      return PictureRendition(
        pixelSize: pixelSize, mediaType: isWebP ? "image/webp" : "image/jpeg",
        bytes: Array(UnsafeBufferPointer(start: start, count: count)))
    }
  }

  extension PictureHeader {
    /// Returns libwebp's memory for prefix codes, which the picture's size does not determine.
    fileprivate func codesByteCount(
      in input: PictureInput, memoryByteCount: Int
    ) throws(PictureRefusal) -> Int {
      guard format == .webp else { return 0 }
      guard hasPixels else { throw .damaged }
      return try lossless?.codesByteCount(in: input, memoryByteCount: memoryByteCount) ?? 0
    }
  }

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

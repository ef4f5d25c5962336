#if Pictures
  import CPictures
  import Foundation
  import MessageModel
  import MessageSourceTesting
  import TestSupport
  import Testing

  @testable import MessagePictures

  @Suite struct PictureShrinkerTests {
    private func pictures(of bytes: [UInt8], limits: PictureLimits = PictureLimits()) throws
      -> PictureRenditions
    {
      try PictureShrinker().pictures(of: .bytes(bytes), limits: limits)
    }

    private func decoded(_ bytes: [UInt8], side: Int = 5_000) throws -> DecodedPicture {
      try DecodedPicture.decode(PictureInput(.bytes(bytes)), side: side, memoryByteCount: 72 << 20).picture
    }

    private func pixels(_ picture: DecodedPicture) -> [UInt8] {
      let image = picture.image
      return Array(UnsafeBufferPointer(start: image.pixels, count: Int(image.width * image.height) * 4))
    }

    @Test func `a photograph becomes a preview and a thumbnail in its own ratio`() throws {
      let made = try pictures(of: Samples.jpeg(4_000, 3_000))
      #expect(made.pixelSize == PixelSize(width: 4_000, height: 3_000))
      #expect(made.thumbnail.pixelSize == PixelSize(width: 320, height: 240))
      #expect(made.preview?.pixelSize == PixelSize(width: 1_280, height: 960))
      #expect(made.thumbnail.mediaType == "image/jpeg")
      #expect(PixelSize(header: made.thumbnail.bytes) == made.thumbnail.pixelSize)
      #expect(made.preview.flatMap { PixelSize(header: $0.bytes) } == PixelSize(width: 1_280, height: 960))
    }

    @Test func `a small picture is not enlarged and has no preview beside its thumbnail`() throws {
      let made = try pictures(of: Samples.png(40, 30))
      #expect(made.thumbnail.pixelSize == PixelSize(width: 40, height: 30))
      #expect(made.preview == nil)
    }

    @Test func `a picture a pixel high keeps a pixel`() throws {
      let made = try pictures(of: Samples.png(100_000, 1))
      #expect(made.thumbnail.pixelSize == PixelSize(width: 320, height: 1))
    }

    @Test(arguments: 1...8)
    func `a photograph stands upright however it was held`(orientation: Int) throws {
      let held = try decoded(Samples.jpeg(64, 32))
      let made = try pictures(of: Samples.jpeg(64, 32, orientation: UInt8(orientation)))
      let size = orientation > 4 ? PixelSize(width: 32, height: 64) : PixelSize(width: 64, height: 32)
      #expect(made.pixelSize == size)
      #expect(made.thumbnail.pixelSize == size)
      let upright = try decoded(Samples.jpeg(64, 32, orientation: UInt8(orientation)))
      // Where the first pixel of the file goes (EXIF 2.3, 4.6.4): first or last column, first or last row.
      let corner = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0), (1, 0), (1, 1), (0, 1)][orientation - 1]
      let place = (corner.1 * (size.height - 1) * size.width + corner.0 * (size.width - 1)) * 4
      #expect(pixels(upright)[place..<(place + 4)] == pixels(held)[0..<4])
    }

    @Test func `nothing of the metadata is kept`() throws {
      let original = Samples.jpeg(640, 480, orientation: 6)
      #expect(original.contains("Exif"))
      let made = try pictures(of: original)
      #expect(!made.thumbnail.bytes.contains("Exif") && !made.thumbnail.bytes.contains("made up"))
      #expect(made.preview?.bytes.contains("Exif") == false)
    }

    @Test func `a picture with transparent parts keeps them`() throws {
      let made = try pictures(of: Samples.png(640, 480, .init(hasTransparency: true)))
      #expect(made.thumbnail.mediaType == "image/webp")
      let image = try decoded(made.thumbnail.bytes)
      #expect(image.image.has_transparency)
      #expect(image.pixelSize == PixelSize(width: 320, height: 240))
    }

    @Test(arguments: [
      PixelSize(width: 1, height: 1), .init(width: 3, height: 5), .init(width: 301, height: 203),
    ])
    func `an interlaced picture is the same as one that is not`(size: PixelSize) throws {
      let plain = try decoded(Samples.png(size.width, size.height), side: 100)
      let interlaced = try decoded(Samples.png(size.width, size.height, .init(isInterlaced: true)), side: 100)
      #expect(pixels(plain) == pixels(interlaced))
      #expect(pixels(plain)[0] == PictureGenerator.brightness(ofRow: 0, seed: 3))
    }

    @Test(arguments: [false, true])
    func `the first picture of a GIF is taken, interlaced or not`(isInterlaced: Bool) throws {
      let image = try decoded(Samples.gif(8, 9, isInterlaced: isInterlaced))
      #expect(pixels(image).prefix(8) == [200, 100, 50, 255, 10, 20, 30, 255])
      let clear = try decoded(Samples.gif(8, 9, isInterlaced: isInterlaced, hasTransparency: true))
      #expect(clear.image.has_transparency)
      #expect(pixels(clear).prefix(8) == [200, 100, 50, 255, 0, 0, 0, 0])
    }

    @Test(arguments: UInt64(0)..<40)
    func `a small pixel is the mean of the pixels that fall on it`(seed: UInt64) throws {
      var dice = Dice(state: seed)
      let (width, height) = (1 + dice.below(40), 1 + dice.below(40))
      let side = 1 + dice.below(40)
      var source = (0..<(width * height * 4)).map { _ in UInt8(dice.below(256)) }
      let small = try source.withUnsafeMutableBufferPointer { buffer in
        var image = cpictures_image()
        image.pixels = buffer.baseAddress
        (image.width, image.height) = (UInt32(width), UInt32(height))
        var small = cpictures_image()
        try #require(cpictures_shrink(&image, UInt32(side), &small) == CPICTURES_DONE)
        return small
      }
      defer { free(small.pixels) }
      #expect(max(small.width, small.height) == min(side, max(width, height)))
      for y in 0..<Int(small.height) {
        for x in 0..<Int(small.width) {
          let wanted = mean(source, width, height, x, y, Int(small.width), Int(small.height))
          for channel in 0..<4 {
            let found = Double(small.pixels[(y * Int(small.width) + x) * 4 + channel])
            #expect(abs(found - wanted[channel]) <= 0.51)
          }
        }
      }
    }

    /// The obvious way: each pixel by the area that it has in common with the small one.
    private func mean(
      _ source: [UInt8], _ width: Int, _ height: Int, _ x: Int, _ y: Int, _ smallWidth: Int,
      _ smallHeight: Int
    ) -> [Double] {
      func shared(_ place: Int, _ length: Int, _ small: Int, _ smallLength: Int) -> Double {
        let scale = Double(length) / Double(smallLength)
        return max(
          0, min(Double(place + 1), Double(small + 1) * scale) - max(Double(place), Double(small) * scale))
      }
      var (sums, area, opacity) = ([0.0, 0, 0], 0.0, 0.0)
      for row in 0..<height {
        for column in 0..<width {
          let part = shared(column, width, x, smallWidth) * shared(row, height, y, smallHeight)
          let place = (row * width + column) * 4
          let visible = part * Double(source[place + 3])
          area += part
          opacity += visible
          for channel in 0..<3 { sums[channel] += visible * Double(source[place + channel]) }
        }
      }
      return sums.map { opacity > 0 ? $0 / opacity : 0 } + [opacity / area]
    }
  }

  extension [UInt8] {
    /// Whether the text is somewhere in the bytes.
    fileprivate func contains(_ text: String) -> Bool {
      let wanted = Array(text.utf8)
      return indices.contains { self[$0...].starts(with: wanted) }
    }
  }

  /// SeededGenerator: <https://prng.di.unimi.it/splitmix64.c>.
  struct Dice {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return Int((mixed ^ (mixed >> 31)) >> 33) % bound
    }
  }
#endif

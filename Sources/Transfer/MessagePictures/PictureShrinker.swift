#if Pictures
  package import MessageModel

  /// Makes thumbnails and previews with libjpeg-turbo, libpng, libwebp and giflib, in bounded memory.
  ///
  /// The decoded original is never in memory as a whole. JPEGs are decoded at a reduced size, down to an
  /// eighth. PNGs and GIFs, including interlaced ones, are shrunk row by row. libwebp scales WebPs.
  ///
  /// Pictures of more than 268 million pixels are refused as too large. So are progressive JPEGs, lossless
  /// WebPs and WebPs with transparency if their decoder needs more memory than the limit. Colours are taken
  /// as sRGB. All metadata is dropped, including locations.
  package struct PictureShrinker: PictureMaker {
    /// The part of the memory limit reserved for the rest of the process.
    static let memoryOfProcess = 20 << 20
    private static let quality = 82

    package init() {}

    package func pictures(
      of source: PictureSource, limits: PictureLimits
    ) throws(PictureRefusal) -> PictureRenditions {
      let (picture, originalSize) = try DecodedPicture.decode(
        PictureInput(source), side: max(limits.previewSide, limits.thumbnailSide),
        memoryByteCount: limits.memoryByteCount - Self.memoryOfProcess)
      let thumbnail = try picture.shrunk(side: limits.thumbnailSide)
      return PictureRenditions(
        pixelSize: originalSize, thumbnail: try thumbnail.encoded(quality: Self.quality),
        preview: picture.pixelSize == thumbnail.pixelSize ? nil : try picture.encoded(quality: Self.quality))
    }
  }

  extension PictureShrinker {
    /// Returns all pixels at full size, four bytes each, for measuring lists without thumbnails.
    package static func pixels(of source: PictureSource) throws(PictureRefusal) -> [UInt8] {
      let picture = try DecodedPicture.decode(PictureInput(source), side: .max, memoryByteCount: .max).picture
      let count = picture.pixelSize.pixelCount * 4
      return Array(UnsafeBufferPointer(start: picture.image.pixels, count: count))
    }
  }
#endif

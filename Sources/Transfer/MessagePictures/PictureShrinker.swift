#if Pictures
  package import MessageModel

  /// Makes thumbnails and previews with libjpeg-turbo, libpng, libwebp and giflib, in bounded memory.
  ///
  /// The original is never held whole: a JPEG is decoded at an eighth of its size or more, the rows of a PNG or GIF are
  /// shrunk as they come, interlaced ones too; a WebP is scaled by its library. What is refused as too large: more
  /// than 268 million pixels; progressive JPEG, lossless WebP, and WebP with transparency whose own needs exceed the
  /// limit. Colours are taken as sRGB. No metadata is kept, so no place either.
  package struct PictureShrinker: PictureMaker {
    /// The part of the limit that is left to the rest of the process.
    static let memoryOfProcess = 20 << 20
    private static let quality = 82

    /// Creates a maker.
    package init() {}

    /// Makes the thumbnail and the preview of a picture; see ``PictureMaker/pictures(of:limits:)``.
    ///
    /// - Throws: ``PictureRefusal`` of each kind; nothing is left behind.
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
#endif

public import MessageModel

/// Makes the thumbnail of a picture for lists, and a preview for a closer look.
///
/// The store declares what it needs without an implementation; `MessagePictures` has one, and an app may
/// bring its own. The store calls it once per content, in one task at a time, and never while a reader waits.
public protocol PictureMaker: Sendable {
  /// Makes an upright thumbnail and preview without metadata.
  ///
  /// - Parameters:
  ///   - source: The picture's bytes or file. It may be hostile: damaged, of any claimed size, disappearing
  ///     or changing meanwhile.
  ///   - limits: The longest sides, and the memory for decoding.
  /// - Throws: ``PictureRefusal`` if there can be none. In any case, no file is left behind.
  func pictures(of source: PictureSource, limits: PictureLimits) throws(PictureRefusal) -> PictureRenditions
}

/// A picture's bytes.
public enum PictureSource: Sendable {
  /// Bytes in memory, for small pictures from the store's database.
  case bytes([UInt8])
  /// A file, which must not be written to.
  case file(path: String)
}

/// The sizes of thumbnails and previews, and the memory for making them.
public struct PictureLimits: Hashable, Sendable {
  /// The longest side of a thumbnail in pixels.
  public var thumbnailSide: Int
  /// The longest side of a preview in pixels.
  public var previewSide: Int
  /// The most memory for decoding, in bytes; a picture that needs more is refused.
  public var memoryByteCount: Int

  /// Creates limits.
  public init(thumbnailSide: Int = 320, previewSide: Int = 1280, memoryByteCount: Int = 96 << 20) {
    self.thumbnailSide = thumbnailSide
    self.previewSide = previewSide
    self.memoryByteCount = memoryByteCount
  }
}

/// The thumbnail and preview of a picture.
public struct PictureRenditions: Hashable, Sendable {
  /// The size of the original, upright.
  public var pixelSize: PixelSize
  /// The thumbnail, of at most ``PictureLimits/thumbnailSide`` and never larger than the original.
  public var thumbnail: PictureRendition
  /// The preview, of at most ``PictureLimits/previewSide``; `nil` if it would not be larger than the
  /// thumbnail.
  public var preview: PictureRendition?

  /// Creates a pair of pictures.
  public init(pixelSize: PixelSize, thumbnail: PictureRendition, preview: PictureRendition?) {
    self.pixelSize = pixelSize
    self.thumbnail = thumbnail
    self.preview = preview
  }
}

/// A picture as the bytes of a file.
public struct PictureRendition: Hashable, Sendable {
  /// Its size in pixels.
  public var pixelSize: PixelSize
  /// The media type, for example `image/jpeg`, or `image/png` with transparency.
  public var mediaType: String
  /// The bytes of its file.
  public var bytes: [UInt8]

  /// Creates an encoded picture.
  public init(pixelSize: PixelSize, mediaType: String, bytes: [UInt8]) {
    self.pixelSize = pixelSize
    self.mediaType = mediaType
    self.bytes = bytes
  }
}

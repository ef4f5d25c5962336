/// Makes the small pictures that stand for a large one: a thumbnail for the list, a preview for a closer look.
///
/// The store declares what it needs and knows nobody who can do it; `MessagePictures` can, and an app may bring its
/// own. The store calls it once per content, never on the path of a reader, from one task at a time.
public protocol PictureMaker: Sendable {
  /// Makes the thumbnail and the preview of a picture, upright and without metadata.
  ///
  /// - Parameters:
  ///   - source: The picture's bytes, or the file where they lie. Hostile: it may be damaged, claim any size, vanish
  ///     or change meanwhile.
  ///   - limits: The longest sides, and the memory that decoding may take.
  /// - Throws: ``PictureRefusal`` when there can be none. Whatever happens, nothing is left behind.
  func pictures(of source: PictureSource, limits: PictureLimits) throws(PictureRefusal) -> PictureRenditions
}

/// The place of a picture's bytes.
public enum PictureSource: Sendable {
  /// In memory: small pictures, which the store keeps in its database.
  case bytes([UInt8])
  /// In a file, which is to be read and never written.
  case file(path: String)
}

/// The size of derived pictures, and the memory that making them may take.
public struct PictureLimits: Hashable, Sendable {
  /// The longest side of a thumbnail in pixels.
  public var thumbnailSide: Int
  /// The longest side of a preview in pixels.
  public var previewSide: Int
  /// The most memory that decoding may take, in bytes; a picture that needs more is refused.
  public var memoryByteCount: Int

  /// Creates limits.
  public init(thumbnailSide: Int = 320, previewSide: Int = 1280, memoryByteCount: Int = 96 << 20) {
    self.thumbnailSide = thumbnailSide
    self.previewSide = previewSide
    self.memoryByteCount = memoryByteCount
  }
}

/// The small pictures made of one.
public struct PictureRenditions: Hashable, Sendable {
  /// The size of the original as it is looked at, upright.
  public var pixelSize: PixelSize
  /// Of at most ``PictureLimits/thumbnailSide``; never larger than the original.
  public var thumbnail: PictureRendition
  /// Of at most ``PictureLimits/previewSide``; `nil` if it would be no larger than the thumbnail.
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
  /// The media type, for example `image/jpeg`, or `image/png` where there is transparency.
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

/// The state of a picture's thumbnail and preview.
public enum PictureState: Hashable, Sendable {
  /// They have not been made yet.
  case pending
  /// They are there.
  case made
  /// There can be none.
  case refused(PictureRefusal)

  /// The word for it in a store.
  package var word: String {
    switch self {
    case .pending: "pending"
    case .made: "made"
    case .refused(let reason): reason.rawValue
    }
  }

  /// The state that a store has a word for, or `nil`.
  package init?(word: String) {
    switch word {
    case "pending": self = .pending
    case "made": self = .made
    default:
      guard let reason = PictureRefusal(rawValue: word) else { return nil }
      self = .refused(reason)
    }
  }
}

/// A reason for which a picture has no thumbnail and no preview. The raw values are stored.
public enum PictureRefusal: String, Error, Hashable, Sendable, CaseIterable {
  /// It is of no format that can be decoded here.
  case unknownFormat = "unknown format"
  /// It ends early or contradicts itself.
  case damaged
  /// Decoding it would take more memory than ``PictureLimits/memoryByteCount``.
  case tooLarge = "too large"
  /// The file is gone or cannot be read. The store does not keep this reason: it asks again later.
  case unreadable
}

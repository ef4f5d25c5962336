/// The state of a picture's thumbnail and preview.
public enum PictureState: Hashable, Sendable {
  /// They have not been made yet.
  case pending
  /// They exist.
  case made
  /// They cannot be made.
  case refused(PictureRefusal)

  package var word: String {
    switch self {
    case .pending: "pending"
    case .made: "made"
    case .refused(let reason): reason.rawValue
    }
  }

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

/// Why a picture has no thumbnail and no preview. The raw values are stored.
public enum PictureRefusal: String, Error, Hashable, Sendable, CaseIterable {
  /// Its format cannot be decoded here.
  case unknownFormat = "unknown format"
  /// It is incomplete or contradictory.
  case damaged
  /// Decoding it would take more memory than allowed.
  case tooLarge = "too large"
  /// The file is missing or unreadable. The store does not record this reason and tries again later.
  case unreadable
}

/// A kind of small picture.
public enum PictureKind: Int, Hashable, Sendable, CaseIterable {
  /// For lists: longest side 320 pixels.
  case thumbnail = 0
  /// For a closer look: longest side 1280 pixels.
  case preview = 1
}

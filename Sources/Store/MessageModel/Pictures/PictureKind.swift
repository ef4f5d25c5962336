/// A kind of small picture.
public enum PictureKind: Int, Hashable, Sendable, CaseIterable {
  /// For lists: longest side 320 pixels.
  case thumbnail = 0
  /// For a closer look: longest side 1280 pixels.
  case preview = 1
}

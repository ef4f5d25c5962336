/// A small picture of a large one.
public enum PictureKind: Int, Hashable, Sendable, CaseIterable {
  /// For the list: longest side 320 pixels.
  case thumbnail = 0
  /// For a closer look: longest side 1280 pixels.
  case preview = 1
}

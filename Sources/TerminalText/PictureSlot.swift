internal import MessageModel
public import MessageStorage

/// Which picture is drawn, and how large.
public struct PictureKey: Hashable, Sendable {
  /// The content that the picture was attached as.
  public var sha256: String
  public var kind: PictureKind
  /// The field of cells that it fills.
  public var columns: Int
  public var rows: Int
}

/// A row of a picture's field. What is drawn there comes when the row is in view.
public struct PictureSlot: Hashable, Sendable {
  public var key: PictureKey
  /// Which row of the field it is.
  public var row: Int
  /// The column in which the field begins.
  public var column = 0
  /// What to write there; `nil` as long as it is not drawn.
  public var strip: String?
}

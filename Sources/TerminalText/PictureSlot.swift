internal import MessageModel
package import MessageStorage

/// Which picture is drawn, and how large.
package struct PictureKey: Hashable, Sendable {
  /// The content that the picture was attached as.
  package var sha256: String
  package var kind: PictureKind
  /// The field of cells that it fills.
  package var columns: Int
  package var rows: Int
}

/// A row of a picture's field. What is drawn there comes when the row is in view.
package struct PictureSlot: Hashable, Sendable {
  package var key: PictureKey
  /// Which row of the field it is.
  package var row: Int
  /// The column in which the field begins.
  package var column = 0
  /// What to write there; `nil` as long as it is not drawn.
  package var strip: String?
}

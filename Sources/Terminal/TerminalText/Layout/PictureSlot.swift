package import MessageModel

/// The key of a drawn picture: its content and its size.
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
  /// The index of the row in the field.
  package var row: Int
  /// The column in which the field begins.
  package var column = 0
  /// The bytes to write there; `nil` as long as it is not drawn.
  package var strip: String?
}

package import MessageModel

/// The identity of a drawn picture: its content and its size in cells.
package struct PictureKey: Hashable, Sendable {
  package var sha256: String
  package var kind: PictureKind
  package var columns: Int
  package var rows: Int
}

/// A row of a picture's field, drawn when the row is in view.
package struct PictureSlot: Hashable, Sendable {
  package var key: PictureKey
  package var row: Int
  package var column = 0
  /// The output that draws the row; `nil` until drawn.
  package var strip: String?
}

package import MessageModel

/// Draws pictures for a terminal.
package protocol PictureDrawer: Sendable {
  /// The size of a character cell in pixels, or what stands for it where only the ratio of its sides counts.
  var cell: PixelSize { get }
  /// The sequence that takes the picture away from the cell at which the cursor is; empty where writing over it does.
  var erasing: String { get }

  /// Draws a picture over a field of cells.
  ///
  /// - Parameter file: The picture as the bytes of a file: a thumbnail or a preview.
  /// - Throws: ``PictureRefusal`` if the bytes are of no picture.
  func draw(_ file: [UInt8], columns: Int, rows: Int) throws(PictureRefusal) -> DrawnPicture
}

/// A picture as a terminal is told to show it: a string for each row of cells, so that each can be scrolled away.
///
/// A string is written with the cursor at the first cell of its row; it may leave the cursor anywhere. It holds
/// nothing of the picture's file but its pixels.
package struct DrawnPicture: Hashable, Sendable {
  /// The rows, from the top.
  package var rows: [String]

  /// Creates a picture of rows.
  package init(rows: [String]) { self.rows = rows }

  /// About how many bytes of memory this value holds.
  package var byteCost: Int { rows.reduce(64) { $0 + $1.utf8.count + 32 } }
}

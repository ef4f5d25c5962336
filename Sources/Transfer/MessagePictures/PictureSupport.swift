package import MessageModel

/// This build's support for pictures.
public enum PictureSupport {
  /// Makes thumbnails and previews; `nil` in a build without the trait `Pictures`.
  public static var maker: (any PictureMaker)? {
    #if Pictures
      PictureShrinker()
    #else
      nil
    #endif
  }

  /// Draws pictures in this terminal; `nil` in a build without the trait `TerminalPictures`.
  ///
  /// - Parameters:
  ///   - environment: The terminal's variables: `TERM`, `COLORTERM`, `TERM_PROGRAM`, `SCROLLBACK_PICTURES` and others.
  ///   - cell: The size of a character cell in pixels; if `nil`, only half blocks are drawn.
  package static func drawer(environment: [String: String], cell: PixelSize?) -> (any PictureDrawer)? {
    #if TerminalPictures
      TerminalPictures(environment: environment, cell: cell)
    #else
      nil
    #endif
  }
}

/// Draws pictures for a terminal.
package protocol PictureDrawer: Sendable {
  /// The size of a character cell in pixels; only the ratio matters for half blocks.
  var cell: PixelSize { get }
  /// Empty if overwriting suffices.
  var erasing: String { get }

  /// - Parameter file: The bytes of a picture file: a thumbnail or a preview.
  func draw(_ file: [UInt8], columns: Int, rows: Int) throws(PictureRefusal) -> DrawnPicture
}

/// A picture as terminal output: a string per row of cells, so that each row can scroll by itself.
///
/// A string is written with the cursor at the first cell of its row and may leave the cursor anywhere. It
/// contains nothing of the picture's file but pixels.
package struct DrawnPicture: Hashable, Sendable {
  package var rows: [String]

  package init(rows: [String]) { self.rows = rows }

  /// The approximate memory of this value.
  package var byteCost: Int { rows.reduce(64) { $0 + $1.utf8.count + 32 } }
}

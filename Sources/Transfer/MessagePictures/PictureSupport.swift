public import MessageModel

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
  ///   - environment: The terminal's variables: `TERM`, `COLORTERM`, `TERM_PROGRAM` and others.
  ///   - cell: The size of a character cell in pixels; if `nil`, only half blocks are drawn.
  package static func drawer(environment: [String: String], cell: PixelSize?) -> (any PictureDrawer)? {
    #if TerminalPictures
      TerminalPictures(environment: environment, cell: cell)
    #else
      nil
    #endif
  }
}

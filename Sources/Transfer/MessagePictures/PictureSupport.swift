public import MessageModel

/// The support of this build for pictures.
public enum PictureSupport {
  /// Makes thumbnails and previews; `nil` in a build without the trait `Pictures`.
  public static var maker: (any PictureMaker)? {
    #if Pictures
      PictureShrinker()
    #else
      nil
    #endif
  }

  /// Draws pictures in the terminal of this environment; `nil` in a build without the trait `TerminalPictures`.
  ///
  /// - Parameters:
  ///   - environment: Of the terminal: `TERM`, `COLORTERM`, `TERM_PROGRAM` and what terminals call themselves.
  ///   - cell: The size of a character cell in pixels; `nil` if the terminal does not tell. Only half blocks are
  ///     drawn then.
  package static func drawer(environment: [String: String], cell: PixelSize?) -> (any PictureDrawer)? {
    #if TerminalPictures
      TerminalPictures(environment: environment, cell: cell)
    #else
      nil
    #endif
  }
}

internal import Foundation
internal import MessageModel

enum TerminalCell {
  /// `nil` if the terminal does not report it.
  static func size(of descriptor: Int32) -> PixelSize? {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0, window.ws_col > 0 else {
      return nil
    }
    let size = PixelSize(
      width: Int(window.ws_xpixel / window.ws_col), height: Int(window.ws_ypixel / window.ws_row))
    return (4...256).contains(size.width) && (4...256).contains(size.height) ? size : nil
  }
}

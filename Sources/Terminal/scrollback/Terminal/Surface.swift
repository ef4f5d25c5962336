internal import CReadline
internal import ChatSession
internal import Foundation
internal import MessageModel

/// Where a loop shows a session: a full screen or flowing lines.
@MainActor
protocol Surface: AnyObject {
  associatedtype R: Reader
  /// Whether lines are executed before readline shows the next prompt.
  var takesLinesAtOnce: Bool { get }

  func draw(_ shown: R.Shown, isWorking: Bool)
  func carryingOut(_ body: () -> Void)
  func goToLine()
  func copy(_ text: String)
  func willResize()
  func didResize(_ session: SessionThread<R>, rows: Int, columns: Int, _ input: any LineInput)
  func repaint(_ input: any LineInput)
  func suspend(_ input: any LineInput)
  func resume(_ input: any LineInput)
  func leave(_ input: any LineInput, isInLine: Bool, keepsHistory: Bool)
}

@MainActor
func terminalSize() -> (rows: Int, columns: Int) {
  var rows: Int32 = 24
  var columns: Int32 = 80
  creadline_get_size(&rows, &columns)
  return (Int(rows), Int(columns))
}

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

struct TerminalWriter {
  let descriptor: Int32

  func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = Foundation.write(descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
        if count > 0 {
          sent += count
        } else if errno == EAGAIN {
          var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&ready, 1, 1_000)
        } else if errno != EINTR {
          return
        }
      }
    }
  }
}

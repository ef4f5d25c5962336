internal import Foundation

/// Sequences that take over the terminal and restore it.
package enum TerminalSequences {
  /// Switches to the alternate screen.
  ///
  /// Disables mode 1007, in which the wheel sends the cursor keys of the line; `wheel` enables xterm's mouse
  /// reports (1000, 1006) instead.
  package static func enter(wheel: Bool) -> String {
    "\u{1B}[?1049h\u{1B}[?1007l\u{1B}[2J\u{1B}[H" + (wheel ? "\u{1B}[?1000h\u{1B}[?1006h" : "")
  }

  /// Restores the terminal from any state, also after a crash.
  package static let leave =
    "\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2026l\u{1B}[?7h\u{1B}[r\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

  /// Row 1 is the top.
  package static func moveToRow(_ row: Int) -> String { "\u{1B}[\(row);1H" }

  package static let eraseToEndOfLine = "\u{1B}[K"

  /// Copies to the clipboard in terminals that allow it (OSC 52).
  package static func copy(_ text: String) -> String {
    "\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}"
  }
}

internal import Foundation

/// The sequences that take a terminal over and give it back.
package enum TerminalSequences {
  /// Goes to the alternate screen, with reports of the mouse wheel as keys.
  ///
  /// Mode 1007 makes the wheel send cursor keys, which belong to the line; so the wheel is asked for as mouse reports
  /// of xterm (1000, 1006) only if `wheel` says so.
  package static func enter(wheel: Bool) -> String {
    "\u{1B}[?1049h\u{1B}[?1007l\u{1B}[2J\u{1B}[H" + (wheel ? "\u{1B}[?1000h\u{1B}[?1006h" : "")
  }

  /// Gives back the screen that was there before, whatever state the terminal is in: after a crash, too.
  package static let leave =
    "\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2026l\u{1B}[?7h\u{1B}[r\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

  /// Moves the cursor to the beginning of a row, 1 being the top.
  package static func moveToRow(_ row: Int) -> String { "\u{1B}[\(row);1H" }

  /// Erases the row the cursor is in, from the cursor on.
  package static let eraseToEndOfLine = "\u{1B}[K"

  /// Puts a text into the clipboard of a terminal that allows it (OSC 52); others take no notice.
  package static func copy(_ text: String) -> String {
    "\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}"
  }
}

internal import CReadline
internal import Foundation

/// Prints above the typed line, which is hidden before the first output.
@MainActor
final class RowsAboveLine {
  private let terminal = TerminalWriter(descriptor: STDOUT_FILENO)
  private var isHidden = false
  /// Whether the typed line is shown: not before the first prompt, and not while a finished line is executed.
  var hasLine = false

  func write(_ text: String) {
    if hasLine, !isHidden {
      creadline_hide_line()
      isHidden = true
    }
    terminal.write(text)
  }

  func showLine(_ prompt: String, before: String) {
    guard hasLine else { return creadline_set_prompt(prompt) }
    if prompt != before, !isHidden { creadline_hide_line() }
    creadline_set_prompt(prompt)
    if isHidden || prompt != before { creadline_show_line() }
    isHidden = false
  }
}

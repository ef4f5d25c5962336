internal import CReadline
internal import Foundation

/// Prints above the line being typed, which steps aside as soon as there is something to print.
@MainActor
final class RowsAboveLine {
  private let terminal = TerminalWriter(descriptor: STDOUT_FILENO)
  private var isHidden = false
  /// Whether there is a line: not before the first prompt, and not while a finished one is carried out.
  var hasLine = false

  /// Prints text in whole lines.
  func write(_ text: String) {
    if hasLine, !isHidden {
      creadline_hide_line()
      isHidden = true
    }
    terminal.write(text)
  }

  /// Shows the line again, behind the prompt that there is now.
  func showLine(_ prompt: String, before: String) {
    guard hasLine else { return creadline_set_prompt(prompt) }
    if prompt != before, !isHidden { creadline_hide_line() }
    creadline_set_prompt(prompt)
    if isHidden || prompt != before { creadline_show_line() }
    isHidden = false
  }
}

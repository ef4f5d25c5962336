internal import ChatSession

extension ProgressMeter {
  /// Shows the line on a terminal.
  init(_ console: Console) { self.init { console.redraw($0) } }
}

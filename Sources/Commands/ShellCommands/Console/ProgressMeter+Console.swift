internal import ChatSession

extension ProgressMeter {
  init(_ console: Console) { self.init { console.redraw($0) } }
}

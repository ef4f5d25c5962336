internal import Foundation

/// A line that redraws itself on a terminal while work takes longer than half a second.
struct ProgressMeter {
  private let console: Console
  private let start = ContinuousClock.now
  private var last = ContinuousClock.now
  private var isShown = false

  init(_ console: Console) { self.console = console }

  /// Shows how far the work has come, at most ten times a second.
  mutating func show(_ count: Int, unit: String, done: Int64, of total: Int64?) {
    let now = ContinuousClock.now
    guard now - start > .milliseconds(500), now - last > .milliseconds(100) else { return }
    last = now
    isShown = true
    let seconds = (now - start) / .seconds(1)
    var parts = [
      "\(NumberText.grouped(count)) \(unit)", "\(NumberText.grouped(Int(Double(count) / seconds)))/s",
    ]
    if let total, total > 0, done > 0 {
      let part = min(Double(done) / Double(total), 1)
      let left = Int(seconds / part - seconds)
      parts.append("\(Int(part * 100)) %")
      parts.append("\(left / 60):\(NumberText.twoDigits(left % 60)) left")
    }
    console.redraw(parts.joined(separator: " · "))
  }

  /// Takes the line away.
  mutating func clear() {
    if isShown { console.redraw("") }
    isShown = false
  }
}

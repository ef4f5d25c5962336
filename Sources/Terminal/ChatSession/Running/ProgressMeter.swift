internal import Foundation
internal import TerminalText

/// A line that redraws itself on a terminal while work takes longer than half a second.
package struct ProgressMeter {
  private let redraw: (String) -> Void
  private let start = ContinuousClock.now
  private var last = ContinuousClock.now
  private var isShown = false

  /// Has the line drawn anew by `redraw`; an empty one takes it away.
  package init(redraw: @escaping (String) -> Void) { self.redraw = redraw }

  /// Shows how far the work has come, at most ten times a second.
  package mutating func show(_ count: Int, unit: String, done: Int64, of total: Int64?) {
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
    redraw(parts.joined(separator: " · "))
  }

  /// Shows what is done now, if the work has taken long.
  package mutating func show(_ doing: String) {
    guard ContinuousClock.now - start > .milliseconds(500) else { return }
    isShown = true
    redraw(doing)
  }

  /// Takes the line away.
  package mutating func clear() {
    if isShown { redraw("") }
    isShown = false
  }
}

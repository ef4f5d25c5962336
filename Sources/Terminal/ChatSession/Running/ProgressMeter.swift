internal import Foundation
internal import TerminalText

/// A line that shows progress on a terminal after half a second.
package struct ProgressMeter {
  private let redraw: (String) -> Void
  private let start = ContinuousClock.now
  private var last = ContinuousClock.now
  private var isShown = false

  /// - Parameter redraw: Replaces the line; an empty one removes it.
  package init(redraw: @escaping (String) -> Void) { self.redraw = redraw }

  /// Updates the line, at most ten times a second.
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

  package mutating func show(_ doing: String) {
    guard ContinuousClock.now - start > .milliseconds(500) else { return }
    isShown = true
    redraw(doing)
  }

  /// Removes the line.
  package mutating func clear() {
    if isShown { redraw("") }
    isShown = false
  }
}

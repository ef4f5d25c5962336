internal import ChatSession
internal import Foundation
internal import Synchronization
internal import TerminalText

enum LongWork {
  /// Runs `work`, which reports the number of messages done and learns whether to continue.
  static func run<Value>(
    _ console: Console, _ work: ((Int) -> Bool) throws -> Value
  ) throws -> Value {
    var meter = ProgressMeter(console)
    defer { meter.clear() }
    return try work { count in
      meter.show(count, unit: "messages", done: 0, of: nil)
      return !Interruption.isAskedFor
    }
  }

  /// Runs `work`, which reports each step and learns whether to continue. Another thread draws the line with
  /// the elapsed time, since one call of SQLite may take minutes.
  static func run<Value>(
    _ console: Console, _ doing: String, _ work: ((String) -> Bool) throws -> Value
  ) rethrows -> Value {
    let line = WorkLine(doing, console)
    defer { line.end() }
    return try work { step in
      line.tell(step)
      return !Interruption.isAskedFor
    }
  }
}

private final class WorkLine: Sendable {
  private let step = Mutex("")
  private let ending = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  private let isShown: Bool

  init(_ doing: String, _ console: Console) {
    isShown = console.errorsAreTerminal && !console.isQuiet
    guard isShown else { return }
    let start = ContinuousClock.now
    Thread.detachNewThread { [self] in
      var wait = DispatchTimeInterval.milliseconds(500)
      while ending.wait(timeout: .now() + wait) == .timedOut {
        let seconds = Int((.now - start) / .seconds(1))
        let time = "\(seconds / 60):\(NumberText.twoDigits(seconds % 60))"
        console.redraw([doing, step.withLock { $0 }, time].filter { !$0.isEmpty }.joined(separator: " · "))
        wait = .milliseconds(200)
      }
      console.redraw("")
      ended.signal()
    }
  }

  func tell(_ text: String) { step.withLock { $0 = text } }

  func end() {
    guard isShown else { return }
    ending.signal()
    ended.wait()
  }
}

extension ProgressMeter {
  init(_ console: Console) { self.init { console.redraw($0) } }
}

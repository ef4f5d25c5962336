internal import ChatSession
internal import Foundation
internal import Synchronization
internal import TerminalText

/// Work that may take long: it shows on a terminal, from half a second on, what it does, and Ctrl-C stops it.
enum LongWork {
  /// Runs `work` on many messages, which tells how many messages it has done and is answered whether to go on.
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

  /// Runs `work`, which tells what it does as it comes to it.
  ///
  /// The line is drawn by another thread, with the time that has passed: a step may take minutes in one call of SQLite.
  ///
  /// - Parameters:
  ///   - doing: What all of it is: `checking`.
  ///   - work: Tells a step, and is answered whether to go on.
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

/// The line of a terminal that says what is being done, and for how long.
private final class WorkLine: Sendable {
  private let step = Mutex("")
  private let ending = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  private let isShown: Bool

  /// Begins to be shown in half a second.
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

  /// Takes the line away, before anything else is written.
  func end() {
    guard isShown else { return }
    ending.signal()
    ended.wait()
  }
}

internal import ChatSession
internal import Foundation
internal import MessageModel
internal import Synchronization

/// A shell command that receives each message as a line of JSON on its standard input. Nothing of a message
/// is in its arguments or environment. Its output goes where this program prints. If it ends, it is
/// restarted, after a pause that grows from a second to a minute, and first receives the lines that the last
/// one did not take. A command that the shell cannot find or run is not restarted: see ``failure``.
final class MessageCommand: Sendable {
  private struct State {
    /// Unwritten lines, oldest first.
    var waiting: [[UInt8]] = []
    var waitingBytes = 0
    var lostCount = 0
    var hasEnded = false
    var child: ShellChild?
    var failure: UsageError?

    mutating func take() -> [[UInt8]] {
      defer { (waiting, waitingBytes) = ([], 0) }
      return waiting
    }

    mutating func putBack(_ lines: ArraySlice<[UInt8]>) {
      waiting = lines + waiting
      waitingBytes += lines.reduce(0) { $0 + $1.count }
    }
  }

  private let command: String
  private let complain: @Sendable (String) -> Void
  private let fails: @Sendable () -> Void
  /// How long to wait for the command after its input has ended, and again after SIGTERM.
  private let patience: (end: Duration, farewell: Duration)
  private let state = Mutex(State())
  private let hasMore = DispatchSemaphore(value: 0)
  private let isDone = DispatchSemaphore(value: 0)

  /// The most unwritten bytes; beyond that the oldest lines are dropped, which is reported.
  private static let mostWaitingBytes = 16 << 20
  /// The run time after which the restart pause is short again.
  private static let longRun = Duration.seconds(60)
  private static let longestPauseSeconds = 60.0
  private static let causes: [Int32: String] = [
    127: "the shell found no such command (status 127)", 126: "it may not be run (status 126)",
  ]

  /// `fails` is called on any thread when ``failure`` is set; `complain` receives warnings, on any thread.
  init(
    _ command: String, patience: (end: Duration, farewell: Duration) = (.seconds(10), .seconds(2)),
    fails: @escaping @Sendable () -> Void = {}, complain: @escaping @Sendable (String) -> Void
  ) {
    self.command = command
    self.patience = patience
    self.fails = fails
    self.complain = complain
    Thread.detachNewThread { [self] in
      work()
      isDone.signal()
    }
  }

  /// Queues lines, each with its line feed; never blocks.
  func give(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) + [UInt8(ascii: "\n")] }
    guard !lines.isEmpty else { return }
    let lost = state.withLock { state in
      state.waiting += lines
      state.waitingBytes += lines.reduce(0) { $0 + $1.count }
      var lost = 0
      while state.waitingBytes > Self.mostWaitingBytes, lost + 1 < state.waiting.count {
        state.waitingBytes -= state.waiting[lost].count
        lost += 1
      }
      state.waiting.removeFirst(lost)
      let isFirst = lost > 0 && state.lostCount == 0
      state.lostCount += lost
      return isFirst ? lost : 0
    }
    if lost > 0 { complain("the command of --exec is too slow: messages are dropped") }
    hasMore.signal()
  }

  var failure: UsageError? { state.withLock { $0.failure } }

  /// Waits briefly for the command to take the remaining lines and end; then ends it and everything that it
  /// started.
  func finish() {
    state.withLock { $0.hasEnded = true }
    hasMore.signal()
    if !waitsForEnd(patience.end) {
      complain("the command of --exec does not end: it gets SIGTERM")
      end(by: SIGTERM)
      if !waitsForEnd(patience.farewell) {
        end(by: SIGKILL)
        _ = waitsForEnd(patience.farewell)
      }
    }
    let lost = state.withLock { $0.lostCount + $0.waiting.count }
    if lost > 0 { complain("the command of --exec was not given \(lost) messages") }
  }

  private func waitsForEnd(_ time: Duration) -> Bool {
    isDone.wait(timeout: .now() + .milliseconds(Int(time / .milliseconds(1)))) == .success
  }

  private func end(by signal: Int32) { state.withLock { $0.child }?.end(by: signal) }

  private func work() {
    var pause = 1.0
    while true {
      let begin = ContinuousClock.now
      let outcome: Outcome
      do throws(UsageError) { outcome = try runOnce() } catch {
        return fail(error)
      }
      if let cause = Self.causes[outcome.status] {
        return fail(
          UsageError(
            "cannot run the command of --exec: \(VisibleText.of(command))", cause: cause,
            remedy: .words("its whole path, or chmod +x"), status: .noSuchFile))
      }
      if state.withLock({ $0.hasEnded && $0.waiting.isEmpty }) { return }
      if ContinuousClock.now - begin > Self.longRun { pause = 1 }
      complain("the command of --exec \(outcome.text); it is started again in \(Int(pause)) s")
      if waits(pause) { return }
      pause = min(pause * 2, Self.longestPauseSeconds)
    }
  }

  /// Returns whether ``finish()`` was called during the wait.
  private func waits(_ seconds: Double) -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
      if state.withLock({ $0.hasEnded }) { return true }
      usleep(50_000)
    }
    return false
  }

  private func fail(_ error: UsageError) {
    state.withLock { $0.failure = error }
    fails()
  }

  private struct Outcome {
    /// The exit status; 128 + *n* for signal *n*.
    let status: Int32

    var text: String {
      status > 128 ? "was ended by signal \(status - 128)" : "ended with status \(status)"
    }
  }

  private func runOnce() throws(UsageError) -> Outcome {
    let pipe = Pipe()
    let child = try ShellChild(command, input: pipe.fileHandleForReading.fileDescriptor)
    state.withLock { $0.child = child }
    defer { state.withLock { $0.child = nil } }
    try? pipe.fileHandleForReading.close()
    let input = pipe.fileHandleForWriting
    var isBroken = false
    while child.status == nil, !isBroken {
      let lines = state.withLock { $0.take() }
      if lines.isEmpty {
        if state.withLock({ $0.hasEnded }) { break }
        // Wake regularly to see whether the command still runs.
        _ = hasMore.wait(timeout: .now() + .milliseconds(200))
      }
      var count = 0
      while count < lines.count, !isBroken {
        if Self.write(lines[count], to: input.fileDescriptor) { count += 1 } else { isBroken = true }
      }
      state.withLock { $0.putBack(lines[count...]) }
    }
    try? input.close()
    while true {
      if let status = child.status { return Outcome(status: status) }
      usleep(5_000)
    }
  }

  /// Writes a line and returns whether it was taken. SIGPIPE is blocked: a reader that has gone must not end
  /// this process.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var block = sigset_t()
    sigemptyset(&block)
    sigaddset(&block, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &block, nil)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
    }
    return true
  }
}

@preconcurrency internal import Dispatch
internal import Foundation
internal import GRDB
internal import MessageModel
internal import Synchronization

/// Looks at a store's file for commits, whoever made them, and reports the counters after each.
///
/// A file event on the log comes within a millisecond of a commit, while `data_version` may lag behind it by a few
/// more: after the last event it is looked at every millisecond for 20. All of it runs on one queue.
final class ChangeSensor: Sendable {
  private let connection: DatabaseQueue
  private let queue: DispatchQueue
  private let report: @Sendable (SourceVersion) -> Void
  private let timer: any DispatchSourceTimer
  private let files: LogFileEvents
  private let state = Mutex(State())

  private struct State {
    /// What `data_version` was when it was looked at last.
    var dataVersion: Int64 = -1
    /// How often to look again.
    var looksLeft = 0
  }

  /// The poll to fall back on where file events are not to be had.
  static let interval = DispatchTimeInterval.milliseconds(200)

  /// Creates a sensor, or returns `nil` if the file cannot be read.
  init?(path: String, queue: DispatchQueue, report: @escaping @Sendable (SourceVersion) -> Void) {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(0.05)
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -64; PRAGMA mmap_size = 0") }
    guard let connection = try? DatabaseQueue(path: path, configuration: configuration) else { return nil }
    self.connection = connection
    self.queue = queue
    self.report = report
    timer = DispatchSource.makeTimerSource(queue: queue)
    files = LogFileEvents(path: path + "-wal", queue: queue)
    timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(20))
    timer.setEventHandler { [weak self] in
      self?.look()
      self?.files.watch()
    }
    timer.activate()
    files.onChange { [weak self] in self?.startLooking() }
    files.watch()
  }

  /// Stops looking.
  func cancel() {
    timer.cancel()
    files.cancel()
  }

  /// Looks once, and reports if there was a commit since the last look. Answers whether there was.
  @discardableResult
  func look() -> Bool {
    // Without a transaction of its own it is one cached statement: it is asked a thousand times a second while others
    // write.
    let found: (Int64, SourceVersion)?? = try? connection.unsafeRead { db in
      guard let now = try RawStatement.number(db, "PRAGMA data_version") else { return nil }
      if state.withLock({ $0.dataVersion == now }) { return nil }
      return (now, try SourceVersion(of: 0, in: db))
    }
    guard case (let now, let version)?? = found else { return false }
    state.withLock { $0.dataVersion = now }
    report(version)
    return true
  }

  /// Looks every millisecond for a while. An event that comes meanwhile has it go on longer, not more often.
  private func startLooking() {
    let isLooking = state.withLock { state in
      defer { state.looksLeft = 20 }
      return state.looksLeft > 0
    }
    if !isLooking { lookAgain() }
  }

  private func lookAgain() {
    look()
    let goesOn = state.withLock { state in
      state.looksLeft -= 1
      return state.looksLeft > 0
    }
    if goesOn { queue.asyncAfter(deadline: .now() + .milliseconds(1)) { [weak self] in self?.lookAgain() } }
  }
}

@preconcurrency internal import Dispatch
internal import Foundation
internal import GRDB
internal import MessageModel
internal import Synchronization

/// Detects commits to a store's file by any process, and reports the counters after each. A file event comes
/// within a millisecond of a commit, while `data_version` may lag behind it: it is polled every millisecond
/// for 20 ms after the last event. Everything runs on one queue.
final class ChangeSensor: Sendable {
  private let connection: DatabaseQueue
  private let queue: DispatchQueue
  private let place: StorePlace
  private let displaced: @Sendable () -> Void
  private let report: @Sendable (SourceVersion) -> Void
  private let timer: any DispatchSourceTimer
  private let files: LogFileEvents
  private let state = Mutex(State())

  private struct State {
    var dataVersion: Int64 = -1
    var looksLeft = 0
    var isDisplaced = false
  }

  /// The interval of polls where there are no file events.
  static let interval = DispatchTimeInterval.milliseconds(200)

  /// `nil` if the file cannot be read. Calls `displaced` once, when the file was moved or deleted, and
  /// `report` after each commit.
  init?(
    _ file: StoreFile, _ place: StorePlace, queue: DispatchQueue, displaced: @escaping @Sendable () -> Void,
    report: @escaping @Sendable (SourceVersion) -> Void
  ) {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(0.05)
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -64; PRAGMA mmap_size = 0") }
    guard
      let connection = (try? DatabaseQueue(path: file.readingPath, configuration: configuration))
        ?? (try? DatabaseQueue(path: file.addressWithoutIndex, configuration: configuration))
    else { return nil }
    self.place = place
    self.displaced = displaced
    self.connection = connection
    self.queue = queue
    self.report = report
    timer = DispatchSource.makeTimerSource(queue: queue)
    files = LogFileEvents(path: file.path + "-wal", queue: queue)
    timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(20))
    timer.setEventHandler { [weak self] in
      self?.look()
      self?.lookForFile()
      self?.files.watch()
    }
    timer.activate()
    files.onChange { [weak self] in self?.startLooking() }
    files.watch()
  }

  func cancel() {
    timer.cancel()
    files.cancel()
  }

  func close() { try? connection.close() }

  @discardableResult
  func look() -> Bool {
    // A single cached statement without a transaction of its own, since it may run a thousand times a second.
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

  private func lookForFile() {
    do { try place.check() } catch {
      let isNews = state.withLock { state in
        defer { state.isDisplaced = true }
        return !state.isDisplaced
      }
      if isNews { displaced() }
    }
  }

  /// Polls every millisecond for a while; further events prolong it.
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

internal import MessageModel
internal import Synchronization

/// Counts selections under arbitrary filters, which the ordinal index cannot. Meanwhile pages have estimates.
/// A count starts at most every two seconds, for the last selection asked for, while a listener for changes
/// exists. Listeners are notified at its end.
final class BackgroundCounts: Sendable {
  private let state = Mutex(State())
  /// Counting waits for the disk and for other writers.
  private let lane = WorkLanes("counts", count: 1, qos: .utility)

  private struct State {
    var known: [(selection: Selection, counts: ScannedCounts)] = []
    var running: (selection: Selection, task: Task<Void, Never>)?
    var lastStart: ContinuousClock.Instant?
    var startCount = 0
  }

  /// The number of remembered selections; each takes 16 bytes a block.
  private static let limit = 4
  private static let interval = Duration.seconds(2)

  /// Perhaps of an older state of the store.
  func known(of selection: Selection) -> ScannedCounts? {
    state.withLock { $0.known.first { $0.selection == selection }?.counts }
  }

  func begin(_ selection: Selection, in store: SynchronousMessageStore) {
    state.withLock { state in
      guard state.running?.selection != selection else { return }
      state.running?.task.cancel()
      let start = max(ContinuousClock.now, (state.lastStart ?? .now - Self.interval) + Self.interval)
      state.lastStart = start
      state.startCount += 1
      let task = Task.detached(priority: .utility) { [weak self, weak store, lane] in
        try? await Task.sleep(until: start, clock: .continuous)
        let filter = try? await lane.run { [weak store] () throws(StoreError) in
          try store?.uncountedFilter(of: selection)
        }
        if let filter = filter ?? nil {
          await Self.count(filter, on: lane) { store }
          self?.finish(selection, tell: store?.watcher)
          return
        }
        let counts = await Self.scan(selection, on: lane) { store }
        self?.finish(selection, counts, tell: store?.watcher)
      }
      state.running = (selection, task)
    }
  }

  var startCount: Int { state.withLock { $0.startCount } }

  func stop() {
    state.withLock { state in
      state.running?.task.cancel()
      state.running = nil
    }
  }

  private static func scan(
    _ selection: Selection, on lane: WorkLanes, in store: () -> SynchronousMessageStore?
  ) async -> ScannedCounts? {
    var scan = SelectionScan(selection)
    while !Task.isCancelled, let store = store() {
      let step = try? await lane.run { [scan] () throws(StoreError) in
        try store.reading("") { db in
          var next = scan
          try next.advance(in: db, store.senderNames.beginnings)
          return (next, next.result)
        }
      }
      guard let (next, result) = step else { return nil }
      if let result { return result }
      scan = next
      await Task.yield()
    }
    return nil
  }

  private static func count(
    _ filter: String, on lane: WorkLanes, in store: () -> SynchronousMessageStore?
  ) async {
    while !Task.isCancelled, let store = store() {
      let isStopped = try? await lane.run { () throws(StoreError) in
        var isStopped = false
        let isDone =
          (try? store.countMessages(ofFilter: filter) { _, _ in
            isStopped = true
            return false
          }) != nil
        return !isDone && isStopped
      }
      guard isStopped == true else { return }
      // Lets others write in between.
      try? await Task.sleep(for: .milliseconds(1))
    }
  }

  private func finish(_ selection: Selection, tell watcher: ChangeWatcher?) {
    state.withLock { state in
      if state.running?.selection == selection { state.running = nil }
    }
    watcher?.announce()
  }

  private func finish(_ selection: Selection, _ counts: ScannedCounts?, tell watcher: ChangeWatcher?) {
    let isNew = state.withLock { state in
      if state.running?.selection == selection { state.running = nil }
      guard let counts else { return false }
      state.known.removeAll { $0.selection == selection }
      if state.known.count >= Self.limit { state.known.removeFirst() }
      state.known.append((selection, counts))
      return true
    }
    if isNew { watcher?.announce() }
  }
}

internal import Dispatch
internal import Synchronization

/// Compares the search indexes with the texts on its own thread and connection, beside the faster rest of a
/// check. It may see a later state of the store.
final class SearchComparison: Sendable {
  private let outcome = Mutex<Result<[SearchTable], any Error>?>(nil)
  private let ending = DispatchGroup()
  private let stop = CancellationFlag()

  init?(of store: SynchronousMessageStore) {
    guard store.readsAtOnce else { return nil }
    let outer = SynchronousMessageStore.isCancelled
    let isCancelled = { @Sendable [stop] in stop.isRaised || outer?() == true }
    ending.enter()
    DispatchQueue.global().async { [self] in
      let result = Result { try Self.differences(in: store, isCancelled) }
      outcome.withLock { $0 = result }
      ending.leave()
    }
  }

  func differences() throws -> [SearchTable] {
    ending.wait()
    return try outcome.withLock { try $0?.get() ?? [] }
  }

  func cancel() {
    stop.raise()
    ending.wait()
  }

  private static func differences(
    in store: SynchronousMessageStore, _ isCancelled: @escaping @Sendable () -> Bool
  ) throws -> [SearchTable] {
    try SynchronousMessageStore.whileCancellable(by: isCancelled) {
      // Reading would replace SQLite's errors, which the check needs to recognise damage.
      try store.reading("cannot check '\(store.path)'") { db in
        Result { try SearchTable.allCases.filter { try !SearchCheck(db: db, table: $0).isTrue() } }
      }.get()
    }
  }
}

internal import Dispatch
internal import Synchronization

/// A comparison of the search indexes with the texts on a thread and a connection of its own, beside the rest of a check,
/// which takes less time than it does.
///
/// It may see a later state of the store than the rest: each compares what one state holds.
final class SearchComparison: Sendable {
  private let outcome = Mutex<Result<[SearchTable], any Error>?>(nil)
  private let ending = DispatchGroup()
  private let stop = CancellationFlag()

  /// Begins the comparison; `nil` if the store has one connection for everything.
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

  /// Returns the indexes that differ from the texts, as soon as that is known.
  ///
  /// - Throws: What SQLite threw, and ``StoreError`` as reading does.
  func differences() throws -> [SearchTable] {
    ending.wait()
    return try outcome.withLock { try $0?.get() ?? [] }
  }

  /// Stops it, and waits until it has let go of its connection.
  func cancel() {
    stop.raise()
    ending.wait()
  }

  private static func differences(
    in store: SynchronousMessageStore, _ isCancelled: @escaping @Sendable () -> Bool
  ) throws -> [SearchTable] {
    try SynchronousMessageStore.whileCancellable(by: isCancelled) {
      // The check has to know SQLite's own errors, of damage, from those of reading.
      try store.reading("cannot check '\(store.path)'") { db in
        Result { try SearchTable.allCases.filter { try !SearchCheck(db: db, table: $0).isTrue() } }
      }.get()
    }
  }
}

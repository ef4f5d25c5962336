internal import Dispatch
internal import GRDB
public import MessageModel
internal import Synchronization

extension SynchronousMessageStore {
  /// Releases the file and all locks on it until ``resume()``: for a process that the system will suspend.
  /// iOS ends suspended processes that hold a lock on a shared file (`0xdead10cc`).
  ///
  /// Calls in progress on other threads may continue for `patience` and are interrupted then; an interrupted
  /// write is rolled back. Waiting for another process's lock ends at once. When this returns, the store
  /// holds no file and no lock. Until ``resume()``, all calls throw a ``StoreError`` of kind `suspended` at
  /// once, and so do interrupted ones. Earlier snapshots have ended (`invalidRequest`). Streams of changes
  /// continue after ``resume()``.
  ///
  /// Closing the file checkpoints its log, usually at most 16 MB, which may take a moment. A store that is
  /// suspended or closed already stays so.
  ///
  /// - Parameter patience: How long calls in progress may continue.
  public func suspend(interruptingAfter patience: Duration = .seconds(1)) {
    let milliseconds = patience / .milliseconds(1)
    gate.suspend(after: .milliseconds(Int(min(max(milliseconds, 0), 3_600_000)))) { [database] in
      database.interrupt()
    } _: {
      backgroundCounts.stop()
      watcher.suspend()
      snapshots.end()
      (database as? DatabasePool)?.invalidateReadOnlyConnections()
      senderNames.counts.forget()
      try? database.close()
      forget()
    }
  }

  /// Reopens the file that ``suspend(interruptingAfter:)`` has released, and makes listeners for changes read
  /// again. Does nothing unless suspended.
  ///
  /// - Throws: ``StoreError`` as opening does, and of kind `displaced` if another file is there now; the
  ///   store stays suspended then, and the call can be repeated.
  public func resume() throws(StoreError) {
    let doing = "cannot open '\(path)' again"
    do {
      try gate.resume {
        var options = options
        // A missing file is not created again.
        if options.access == .create { options.access = .readWrite }
        guard let known = identity, FileIdentity(path: file.path) == known else {
          throw StoreError(
            .displaced, doing, cause: "its file was moved or deleted",
            remedy: "opening it as another store")
        }
        let opening = try StoreOpening(path: path, options: options, costly: costlyMessages, gate: gate)
        try opening.checkPath()
        let opened = try opening.open()
        guard opened.unexpectedObject == unexpectedObject else {
          try? opened.database.close()
          throw StoreError(
            .readOnly, doing,
            cause: opened.unexpectedObject.map {
              "it holds the \($0) now, which does not match Scrollback's schema"
            }
              ?? "its schema has changed", remedy: "opening it as another store")
        }
        connections.withLock { $0 = Connections(database: opened.database, place: opened.place) }
        remember()
        watcher.resume(at: opened.place)
      }
    } catch {
      throw StoreError(error, doing: doing)
    }
  }

  /// Whether the store is suspended.
  package var isSuspended: Bool { gate.isSuspended }
}

extension SynchronousMessageStore {
  /// The connections to the file, and its place when they were opened; replaced after a suspension.
  struct Connections {
    var database: any DatabaseReader
    var place: StorePlace
  }
}

/// The snapshots in use, which end with the store's connections.
final class OpenSnapshots: Sendable {
  private struct Reference {
    weak var snapshot: StoreSnapshot?
  }

  private let references = Mutex<[Reference]>([])

  func add(_ snapshot: StoreSnapshot) {
    references.withLock { references in
      references.removeAll { $0.snapshot == nil }
      references.append(Reference(snapshot: snapshot))
    }
  }

  func end() {
    for snapshot in references.withLock({ $0.compactMap(\.snapshot) }) { snapshot.end() }
  }
}

extension MessageStore {
  /// Releases the file and all locks on it until ``resume()``: for an app that the system will suspend.
  ///
  /// Calls in progress may continue for `patience` and are interrupted then; waiting ones throw. Until
  /// ``resume()``, all calls throw a ``StoreError`` of kind `suspended` at once. See
  /// ``SynchronousMessageStore/suspend(interruptingAfter:)``, which a synchronous handler calls (by
  /// ``synchronous``).
  ///
  /// ```swift
  /// let task = UIApplication.shared.beginBackgroundTask()
  /// await store.suspend()
  /// UIApplication.shared.endBackgroundTask(task)
  /// ```
  ///
  /// - Parameter patience: How long calls in progress may continue.
  public nonisolated(nonsending) func suspend(interruptingAfter patience: Duration = .seconds(1)) async {
    await withCheckedContinuation { continuation in
      // On a thread of its own: the store's threads are busy.
      gatekeeper.add { [synchronous] in
        synchronous.suspend(interruptingAfter: patience)
        continuation.resume()
      }
    }
  }

  /// Reopens the file that ``suspend(interruptingAfter:)`` has released.
  ///
  /// - Throws: As ``SynchronousMessageStore/resume()``, and `CancellationError`; the store stays suspended
  ///   then.
  public nonisolated(nonsending) func resume() async throws {
    try await gatekeeper.run { [synchronous] in
      try synchronous.resume()
    }
  }
}

internal import Dispatch
internal import GRDB
public import MessageModel
internal import Synchronization

extension SynchronousMessageStore {
  /// Lets go of the file, with all locks on it, until ``resume()``: for a process that the system will stop, which ends
  /// those on iOS that hold a lock on a shared file meanwhile (`0xdead10cc`).
  ///
  /// What other threads have begun may go on for as long as `patience` says and is interrupted then: a write that was is
  /// taken back whole. Waiting for another process's lock ends at once. When this returns nothing of the store is
  /// open: not even the lock is held that every connection to a file with a log has. Until ``resume()``, all that is asked
  /// of the store throws a ``StoreError`` of kind `suspended`, at once; what was interrupted throws the same. Snapshots
  /// that were taken before have ended (`invalidRequest`). Streams of changes go on after it.
  ///
  /// Closing a file takes its log into it, which may take a moment where much was written (the log is 16 MB at most as a
  /// rule). A store that is suspended or closed already stays so.
  ///
  /// - Parameter patience: How long what was begun may go on.
  public func suspend(interruptingAfter patience: Duration = .seconds(1)) {
    let milliseconds = patience / .milliseconds(1)
    gate.suspend(after: .milliseconds(Int(min(max(milliseconds, 0), 3_600_000)))) { [database] in
      database.interrupt()
    } _: {
      backgroundCounts.stop()
      watcher.suspend()
      snapshots.end()
      (database as? DatabasePool)?.invalidateReadOnlyConnections()
      // They are known by their connections.
      senderNames.counts.forget()
      try? database.close()
      forget()
    }
  }

  /// Opens the file again that ``suspend(interruptingAfter:)`` has let go of. Whoever listens is told to look again. A store
  /// that is not suspended stays as it is.
  ///
  /// - Throws: ``StoreError`` as opening does, and of kind `displaced` if another file lies there now; the store stays
  ///   suspended then, and this may be tried again.
  public func resume() throws(StoreError) {
    let doing = "cannot open '\(path)' again"
    do {
      try gate.resume {
        var options = options
        // A file that is gone is not made anew.
        if options.access == .create { options.access = .readWrite }
        guard let known = identity, FileIdentity(path: file.path) == known else {
          throw StoreError(
            .displaced, doing, cause: "the file that it was opened with is not there any more",
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
              "it holds the \($0) now, which is not as Scrollback makes it"
            }
              ?? "it is another than it was", remedy: "opening it as another store")
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
  public var isSuspended: Bool { gate.isSuspended }
}

extension SynchronousMessageStore {
  /// The connections to the file, and where it lay when they were opened. Others take their place after a suspension.
  struct Connections {
    var database: any DatabaseReader
    var place: StorePlace
  }
}

/// The snapshots of a store that somebody holds: they end with its connections.
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

  /// Ends them, and what is being read from them.
  func end() {
    for snapshot in references.withLock({ $0.compactMap(\.snapshot) }) { snapshot.end() }
  }
}

extension MessageStore {
  /// Lets go of the file, with all locks on it, until ``resume()``: for an app that the system is about to stop.
  ///
  /// What has been begun may go on for as long as `patience` says and is interrupted then; what waits for its turn throws.
  /// Until ``resume()`` all that is asked of the store throws a ``StoreError`` of kind `suspended`, at once. See
  /// ``SynchronousMessageStore/suspend(interruptingAfter:)``, which a handler that may not await calls (by ``synchronous``).
  ///
  /// ```swift
  /// let task = UIApplication.shared.beginBackgroundTask()
  /// await store.suspend()
  /// UIApplication.shared.endBackgroundTask(task)
  /// ```
  ///
  /// - Parameter patience: How long what was begun may go on.
  public nonisolated(nonsending) func suspend(interruptingAfter patience: Duration = .seconds(1)) async {
    await withCheckedContinuation { continuation in
      // On a thread of its own: those of the store are at work.
      gatekeeper.add { [synchronous] in
        synchronous.suspend(interruptingAfter: patience)
        continuation.resume()
      }
    }
  }

  /// Opens the file again that ``suspend(interruptingAfter:)`` has let go of.
  ///
  /// - Throws: As ``SynchronousMessageStore/resume()``, and `CancellationError`; the store stays suspended then.
  public nonisolated(nonsending) func resume() async throws {
    try await gatekeeper.run { [synchronous] in
      try synchronous.resume()
    }
  }
}

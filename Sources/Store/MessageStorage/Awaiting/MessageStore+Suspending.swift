internal import MessageModel

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

/// A synchronous source as an asynchronous one: the awaiting task reads it, off the caller's actor.
///
/// Use it for sources in memory, or in programs with threads to spare: a source that waits for a lock or a
/// disk blocks one of the few threads that all tasks share.
public struct AwaitedSource: MessageSource {
  /// The source that is read.
  public let base: any SynchronousMessageSource

  /// Wraps a synchronous source.
  public init(_ base: any SynchronousMessageSource) { self.base = base }

  /// Returns the requested messages.
  ///
  /// - Throws: What ``base`` throws; `CancellationError` if the task was cancelled.
  @concurrent public func page(_ request: PageRequest) async throws -> Page {
    do { return try base.page(request) } catch { throw error.awaited }
  }

  public func changes() -> AsyncStream<SourceChange> { base.changes() }
}

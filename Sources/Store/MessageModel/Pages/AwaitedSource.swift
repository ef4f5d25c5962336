/// A source that answers at once, as one that is awaited: it is read off the caller's actor, by the task that waits.
///
/// For sources in memory, and for programs that have threads to spare: a source that waits for a lock or a disk keeps
/// one of the few threads of all tasks waiting.
public struct AwaitedSource: MessageSource {
  /// The source that is read.
  public let base: any SynchronousMessageSource

  /// Creates an awaited source over another one.
  public init(_ base: any SynchronousMessageSource) { self.base = base }

  /// Returns the messages that `request` asks for.
  ///
  /// - Throws: What ``base`` throws; `CancellationError` if it was cancelled.
  @concurrent public func page(_ request: PageRequest) async throws -> Page {
    do { return try base.page(request) } catch { throw error.awaited }
  }

  public func changes() -> AsyncStream<SourceChange> { base.changes() }
}

/// Anything that messages can be read from by pages and awaited: a store, a cache over a network, a model in a test.
///
/// Whoever asks, from the main actor too, keeps their thread: a source reads elsewhere. One that reads on the thread of
/// its caller is a ``SynchronousMessageSource``, which is no `MessageSource`: `await` before it would change nothing.
public protocol MessageSource: Sendable {
  /// Returns the messages that `request` asks for, with their place in the selection, read in one transaction.
  ///
  /// The page holds exactly `fetchLimit` messages or, at an end, all there are; fewer only with a `nextAnchor`.
  /// `hasOlder` and `hasNewer` are exact. In an empty page they tell of what lies on both sides of its place: at limit 0
  /// around a message, that message counts as newer.
  ///
  /// A page is not longer and not shorter for its order: which messages it holds depends on the anchor, the offset and the
  /// share, as told at each (``PageAnchor``, ``PageRequest``). `checkMessageSource` of MessageSourceTesting holds a source to
  /// all of it.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` if the request makes no sense (a negative limit), `CancellationError` if the
  ///   task was cancelled, and any error if the source cannot be read; the source is unharmed and the same request may be made again.
  func page(_ request: PageRequest) async throws -> Page

  /// Returns a stream that yields at once, and then after each commit that may have changed something, also of another process.
  ///
  /// Commits in quick succession may be told of at once, and there may be nothing new. Whoever reads after each element
  /// has seen all that was committed before it. The stream ends when the source is closed.
  func changes() -> AsyncStream<SourceChange>
}

/// A source that answers at once, on the caller's thread.
public protocol SynchronousMessageSource: Sendable {
  /// Returns the messages that `request` asks for, as ``MessageSource/page(_:)`` does.
  ///
  /// - Throws: ``StoreError`` if the request makes no sense or the source cannot be read.
  func page(_ request: PageRequest) throws(StoreError) -> Page

  /// Returns a stream of notices, as ``MessageSource/changes()`` does.
  func changes() -> AsyncStream<SourceChange>
}

/// A notice that a source may have changed; ``Page/version`` tells whether what was read is of an earlier state.
public struct SourceChange: Hashable, Sendable {
  /// Creates a notice.
  public init() {}
}

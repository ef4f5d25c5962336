/// A source of messages that is read by pages, asynchronously: a store, a cache of a server, a model in a
/// test.
///
/// Sources never block the caller's thread, which may be the main one. A ``SynchronousMessageSource`` reads
/// on the caller's thread and is therefore not a `MessageSource`.
public protocol MessageSource: Sendable {
  /// Returns the requested messages with their place in the selection, read in one transaction.
  ///
  /// The page has exactly `fetchLimit` messages or, at an end, all there are; fewer only with a `nextAnchor`.
  /// `hasOlder` and `hasNewer` are exact. In an empty page they describe both sides of its place: with a
  /// limit of 0 around a message, that message counts as newer.
  ///
  /// The order does not affect which messages a page has: these depend on anchor, offset and share, as
  /// described at ``PageAnchor`` and ``PageRequest``. `checkMessageSource` of MessageSourceTesting checks all
  /// of this.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` for an invalid request (a negative limit),
  ///   `CancellationError` if the task was cancelled, and any error if the source cannot be read. The same
  ///   request may be made again.
  func page(_ request: PageRequest) async throws -> Page

  /// Returns a stream with an element at once, and then after each commit that may have changed something, by
  /// any process.
  ///
  /// Quick commits may share an element, and an element may come without changes. Reading after each element
  /// shows everything committed before it. The stream ends when the source is closed.
  func changes() -> AsyncStream<SourceChange>
}

/// A source that is read on the caller's thread.
public protocol SynchronousMessageSource: Sendable {
  /// Returns the requested messages, as ``MessageSource/page(_:)`` does.
  func page(_ request: PageRequest) throws(StoreError) -> Page

  /// Returns a stream of changes, as ``MessageSource/changes()`` does.
  func changes() -> AsyncStream<SourceChange>
}

/// A notice that a source may have changed; ``Page/version`` shows whether a page is outdated.
public struct SourceChange: Hashable, Sendable {
  /// Creates a notice.
  public init() {}
}

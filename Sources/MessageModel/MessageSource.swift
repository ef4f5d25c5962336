/// Anything that messages can be read from by pages: a store, a cache over a network, a model in a test.
public protocol MessageSource: Sendable {
  /// Returns the messages that `request` asks for, with their place in the selection, read in one transaction.
  ///
  /// The page holds exactly `fetchLimit` messages or, at an end, all there are; fewer only with a `resumption`.
  /// `hasOlder` and `hasNewer` are exact.
  ///
  /// - Throws: ``StoreError`` if the request makes no sense (a negative limit) or the source cannot be read; the
  ///   source is unharmed and the same request may be made again.
  func page(_ request: PageRequest) async throws(StoreError) -> Page

  /// Returns a stream that yields after each commit that may have changed something, also of another process.
  ///
  /// Commits in quick succession may be told of at once. The stream ends when the source is closed.
  func changes() -> AsyncStream<SourceChange>
}

/// A source that answers at once, on the caller's thread.
public protocol SynchronousMessageSource: MessageSource {
  /// As ``MessageSource/page(_:)``, on the caller's thread.
  ///
  /// - Throws: As ``MessageSource/page(_:)``.
  func page(_ request: PageRequest) throws(StoreError) -> Page
}

/// A notice that a source may have changed; ``Page/version`` tells whether what was read is of an earlier state.
public struct SourceChange: Hashable, Sendable {
  /// Creates a notice.
  public init() {}
}

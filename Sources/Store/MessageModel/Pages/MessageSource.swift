/// A source of messages that is read by pages, asynchronously: a store, a cache of a server, a model in a
/// test.
///
/// Sources never block the caller's thread, which may be the main one. A ``SynchronousMessageSource`` reads
/// on the caller's thread and is therefore not a `MessageSource`.
public protocol MessageSource: Sendable {
  /// Returns the requested messages with their place in the selection, read in one transaction.
  ///
  /// The page has exactly `fetchLimit` messages or, at an end, all there are; fewer only with a `nextAnchor`.
  /// `hasOlder` and `hasNewer` are exact. In an empty page they describe both sides of the anchor: with a
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
  func changes() -> AsyncStream<Void>
}

/// A source that is read on the caller's thread.
public protocol SynchronousMessageSource: Sendable {
  /// Returns the requested messages, as ``MessageSource/page(_:)`` does.
  func page(_ request: PageRequest) throws(StoreError) -> Page

  /// Returns a stream of changes, as ``MessageSource/changes()`` does.
  func changes() -> AsyncStream<Void>
}

/// A synchronous source as an asynchronous one: the awaiting task reads it, off the caller's actor.
///
/// Use it for sources in memory, or in programs with threads to spare: a source that waits for a lock or a
/// disk blocks one of the few threads that all tasks share.
public struct AwaitedSource: MessageSource {
  /// The source that is read.
  package let base: any SynchronousMessageSource

  /// Wraps a synchronous source.
  public init(_ base: any SynchronousMessageSource) { self.base = base }

  /// Returns the requested messages.
  ///
  /// - Throws: What the wrapped source throws; `CancellationError` if the task was cancelled.
  @concurrent public func page(_ request: PageRequest) async throws -> Page {
    do { return try base.page(request) } catch { throw error.awaited }
  }

  public func changes() -> AsyncStream<Void> { base.changes() }
}

/// The changes of a store's messages, or of some conversations, since an earlier version of the store.
///
/// A client with a copy removes the deleted messages and reads the inserted and edited ones; if everything
/// may be different, it starts over.
public struct MessageChanges: Hashable, Sendable {
  /// The version of the whole store after these changes, to continue from.
  public var version: SourceVersion
  /// Whether there may be unlisted changes. No changes are listed then, and everything must be read again.
  ///
  /// This is the case after an import, after more changes than one call lists or the store keeps, and for a
  /// version of another store.
  public var isEverything = false
  /// Messages that exist now and did not exist before, in ascending order.
  public var inserted: [Message.ID] = []
  /// Messages that existed before, exist now and were changed, in ascending order.
  public var edited: [Message.ID] = []
  /// Messages that no longer exist, in ascending order, including those that came and went in between, which
  /// a client may have read.
  public var deleted: [Message.ID] = []
  /// The new ids of moved messages, by former ids, which are in ``deleted``. A list can move the row instead
  /// of replacing it.
  public var moved: [Message.ID: Message.ID] = [:]
  /// The conversations with any of these changes, and those that were made, renamed or deleted, or that have
  /// other gaps.
  public var conversations: Set<Conversation.ID> = []
  /// The conversations whose gaps have changed (``MessageGap``).
  public var withOtherGaps: Set<Conversation.ID> = []

  /// Creates empty changes up to a version.
  package init(to version: SourceVersion, isEverything: Bool = false) {
    self.version = version
    self.isEverything = isEverything
  }

  /// Whether there are no changes.
  public var isEmpty: Bool { !isEverything && conversations.isEmpty }
}

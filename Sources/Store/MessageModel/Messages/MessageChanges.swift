/// The changes of a store's messages, or of some conversations, since an earlier version of the store.
///
/// A client with a copy removes the deleted messages and reads the inserted and edited ones; if everything
/// may be different, it starts over.
public struct MessageChanges: Hashable, Sendable {
  /// The version of the whole store after these changes, to continue from.
  public var version: SourceVersion
  /// Whether there may be unlisted changes. No changes are listed then, and everything must be read again.
  ///
  /// This is so after an import, after more changes than are listed at once or kept, and if the earlier
  /// version is not one of the store.
  public var isEverything = false
  /// Messages that exist now and did not before, in ascending order.
  public var inserted: [Message.ID] = []
  /// Messages that existed before, exist now and were changed, in ascending order.
  public var edited: [Message.ID] = []
  /// Messages that no longer exist, in ascending order, including those that came and went in between, which
  /// a client may have read.
  public var deleted: [Message.ID] = []
  /// The new ids of moved messages, by former ids, which are in ``deleted``. A list can move the row instead
  /// of replacing it.
  public var moved: [Message.ID: Message.ID] = [:]
  /// The conversations with any of these changes, and those that were made, renamed or deleted or whose gaps
  /// have changed.
  public var conversations: Set<Conversation.ID> = []
  /// The conversations whose gaps have changed (``MessageGap``).
  public var withOtherGaps: Set<Conversation.ID> = []

  /// Creates empty changes up to a version.
  public init(to version: SourceVersion, isEverything: Bool = false) {
    self.version = version
    self.isEverything = isEverything
  }

  /// Whether there are no changes.
  public var isEmpty: Bool { !isEverything && conversations.isEmpty }
}

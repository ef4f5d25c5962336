/// The changes to the messages of a store, or of some of its conversations, since an earlier version of the store.
///
/// A client that holds a copy lets go of what was deleted and reads anew what was inserted or edited; where all may be
/// different, it begins anew.
public struct MessageChanges: Hashable, Sendable {
  /// The version of the whole store that these lead to: where to go on from.
  public var version: SourceVersion
  /// Whether more may have happened than is told: it is told of none then, and all is to be read anew.
  ///
  /// So it is after an import, after more changes than are told of at once or kept, and where the version that was asked
  /// from does not belong to the store.
  public var isEverything = false
  /// The messages that are there now and were not, in ascending order.
  public var inserted: [Message.ID] = []
  /// The messages that were there, are there now and were changed meanwhile, in ascending order.
  public var edited: [Message.ID] = []
  /// The messages that are not there any more, in ascending order; also those that have only come since, for whoever read
  /// them meanwhile.
  public var deleted: [Message.ID] = []
  /// The ids that messages have now which were moved, by each of ``deleted`` that they had: a row of a list moves, where it
  /// would go and come.
  public var moved: [Message.ID: Message.ID] = [:]
  /// The conversations that any of this happened in, and those that were made, renamed or deleted or have other gaps.
  public var conversations: Set<Conversation.ID> = []
  /// The conversations that have other gaps (``MessageGap``).
  public var withOtherGaps: Set<Conversation.ID> = []

  /// Creates a description of what led to a version, of nothing at first.
  public init(to version: SourceVersion, isEverything: Bool = false) {
    self.version = version
    self.isEverything = isEverything
  }

  /// Whether nothing has happened.
  public var isEmpty: Bool { !isEverything && conversations.isEmpty }
}

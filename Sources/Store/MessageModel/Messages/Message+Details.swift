extension Message {
  /// What some messages have besides text, sender and time, as a server's page, an event or an export says.
  ///
  /// It says nothing of what is empty or `nil`: a message that the store has keeps that.
  public struct Details: Hashable, Sendable {
    /// The id of the sender on its platform.
    public var senderID: String?
    /// The origin of the message: its platform, and its id there, by which the store recognises it.
    public var source: Source?
    /// The message that it replies to.
    public var replyTo: Reference?
    /// The first message of its thread.
    public var thread: Reference?
    /// The earlier texts, oldest first.
    public var edits: [Edit] = []
    /// Whether its text was changed after it was written, even if earlier texts are unknown.
    public var isEdited = false
    /// When its text was last changed, according to its platform. Of two states of a message, the one with the
    /// later time is newer.
    public var editedAt: Timestamp?
    /// The reactions to it.
    public var reactions: [Reaction] = []
    /// Whether ``reactions`` are all that it has, as in a server's page: they replace those in the store, also
    /// if there are none. Otherwise reactions of the same state are added.
    public var hasAllReactions = false
    /// The facts of files attached to it.
    public var attachments: [Attachment] = []
    /// The origin of its words, if it was forwarded.
    public var forward: Forward?
    /// An app's progress in sending it.
    public var sendingState: SendingState?
    /// An app's data; the store does not interpret it.
    public var payload: [UInt8]?
    /// When it got a star.
    public var starredAt: Timestamp?
    /// By whom and when its contents were deleted, if they were. Such a message is written without contents,
    /// whatever else it has. A page or an event removes the contents of a message that is here, too; an import
    /// leaves them.
    public var deletion: Deletion?

    /// Creates empty details.
    public init() {}
  }

  /// A reference to another message.
  public enum Reference: Hashable, Sendable {
    /// By its id in the store; in an export, by the id in the store that it was exported from.
    case message(ID)
    /// By its id on the platform of the message that refers to it. It need not be in the store yet.
    case external(String)
  }
}

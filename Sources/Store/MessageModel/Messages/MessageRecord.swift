/// A message with everything that is known about it.
public struct MessageRecord: Hashable, Sendable {
  /// The message, with the whole of its text.
  public var message: Message
  /// The id of the sender on its platform.
  public var senderID: String?
  /// The texts it had before, oldest first.
  public var edits: [Message.Edit]
  /// The time when its text was last changed, if its platform told.
  public var editedAt: Timestamp?
  /// The origin of the message, if it brought an id or was kept as it was.
  public var source: Message.Source?
  /// The data that an app keeps with it.
  public var payload: [UInt8]?
  /// The key that the platform of its conversation knows that by.
  public var conversationIdentity: ConversationIdentity?
  /// The number of the import that brought it, where that was asked for.
  package var importNumber: Int64?

  /// Creates a record.
  public init(
    message: Message, senderID: String? = nil, edits: [Message.Edit] = [], editedAt: Timestamp? = nil,
    source: Message.Source? = nil, payload: [UInt8]? = nil
  ) {
    self.message = message
    self.senderID = senderID
    self.edits = edits
    self.editedAt = editedAt
    self.source = source
    self.payload = payload
  }
}

/// A message with all its details.
public struct MessageRecord: Hashable, Sendable {
  /// The message with its whole text.
  public var message: Message
  /// The id of the sender on its platform.
  public var senderID: String?
  /// The earlier texts, oldest first.
  public var edits: [Message.Edit]
  /// When its text was last changed, according to its platform.
  public var editedAt: Timestamp?
  /// The origin of the message, if it had an id or its record was kept.
  public var source: Message.Source?
  /// The app's data of the message.
  public var payload: [UInt8]?
  /// The platform's key of its conversation.
  public var conversationIdentity: ConversationIdentity?
  /// The number of its import, if requested.
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

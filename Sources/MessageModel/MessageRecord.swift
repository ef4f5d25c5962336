/// A message with everything that is known about it.
public struct MessageRecord: Hashable, Sendable {
  /// The message, with the whole of its text.
  public var message: Message
  /// The id of the sender on its platform.
  public var senderID: String?
  /// The texts it had before, oldest first.
  public var edits: [Message.Edit]
  /// When its text was changed last, if its platform said so.
  public var editedAt: Timestamp?
  /// Where it came from, if it brought an id or was kept as it was.
  public var source: Message.Source?

  /// Creates a record.
  public init(
    message: Message, senderID: String? = nil, edits: [Message.Edit] = [], editedAt: Timestamp? = nil,
    source: Message.Source? = nil
  ) {
    self.message = message
    self.senderID = senderID
    self.edits = edits
    self.editedAt = editedAt
    self.source = source
  }
}

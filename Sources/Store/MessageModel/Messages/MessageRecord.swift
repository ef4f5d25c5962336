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
  package init(
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

/// A row of a message with its text as bytes, for reading millions. It is valid only during the call that
/// receives it.
package struct RawMessage {
  package var id: Message.ID
  package var precision: TimePrecision
  /// The millisecond when it was written, if that is not the one of its place.
  package var writtenAt: Timestamp?
  package var sender: Sender?
  package var senderID: String?
  package var kind: Message.Kind
  /// The whole stored text: UTF-8, unless another program wrote it.
  package var text: UnsafeRawBufferPointer
  package var replyTo: Message.ID?
  package var thread: Message.ID?

  package init(
    id: Message.ID, precision: TimePrecision, sender: Sender?, senderID: String?, kind: Message.Kind,
    text: UnsafeRawBufferPointer, replyTo: Message.ID?, thread: Message.ID?
  ) {
    self.id = id
    self.precision = precision
    self.sender = sender
    self.senderID = senderID
    self.kind = kind
    self.text = text
    self.replyTo = replyTo
    self.thread = thread
  }

  package var time: Timestamp { (writtenAt ?? id.placeTime).rounded(to: precision) }
}

/// The number of replies in a thread.
package struct AnswerCount: Hashable, Sendable {
  /// The number of replies counted.
  package var total: Int
  /// The number of these that are unread.
  package var unread: Int
  /// Whether there are more than ``total``.
  package var isMore: Bool

  package init(total: Int, unread: Int = 0, isMore: Bool = false) {
    self.total = total
    self.unread = unread
    self.isMore = isMore
  }
}

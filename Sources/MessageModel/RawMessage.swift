/// A message of which there is nothing to know but its row, its text as bytes: for going through millions.
///
/// It lives no longer than the call that is given it.
public struct RawMessage {
  public var id: Message.ID
  public var precision: TimePrecision
  public var sender: Sender?
  /// The id of the sender on its platform.
  public var senderID: String?
  public var kind: Message.Kind
  /// The whole text as it is stored: UTF-8, unless somebody wrote something else into the file.
  public var text: UnsafeRawBufferPointer
  public var replyTo: Message.ID?
  public var thread: Message.ID?

  /// Creates a message.
  public init(
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

  /// The time when it was written: the id's millisecond, rounded down to the precision.
  public var time: Timestamp { id.time.rounded(to: precision) }
}

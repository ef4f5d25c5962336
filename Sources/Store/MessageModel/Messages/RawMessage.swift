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

/// A message of which there is nothing to know but its row, its text as bytes: for going through millions.
///
/// It lives no longer than the call that is given it.
package struct RawMessage {
  package var id: Message.ID
  package var precision: TimePrecision
  /// The millisecond when it was written, where that is not the one of its place.
  package var writtenAt: Timestamp?
  package var sender: Sender?
  /// The id of the sender on its platform.
  package var senderID: String?
  package var kind: Message.Kind
  /// The whole text as it is stored: UTF-8, unless somebody wrote something else into the file.
  package var text: UnsafeRawBufferPointer
  package var replyTo: Message.ID?
  package var thread: Message.ID?

  /// Creates a message.
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

  /// The time when it was written, rounded down to the precision.
  package var time: Timestamp { (writtenAt ?? id.placeTime).rounded(to: precision) }
}

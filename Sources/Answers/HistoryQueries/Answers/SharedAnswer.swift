public import MessageModel

/// Links, files or pictures, newest first.
public struct SharedAnswer: Codable, Hashable, Sendable {
  /// The things: all of a message or none, so that they may be more than were asked for.
  public var shared: [SharedThingAnswer]
  /// The message before which to go on; `nil` if there are no older ones.
  public var next: Message.ID?
}

/// A link or a file, and the message that has it.
public struct SharedThingAnswer: Codable, Hashable, Sendable {
  /// The id of the message.
  public var id: Message.ID
  /// The name of its conversation.
  public var conversation: String
  /// When it was written.
  public var time: Timestamp
  /// The precision of the time; `nil` to the millisecond.
  public var precision: TimePrecision?
  /// The name of the sender; `nil` if nobody wrote it.
  public var sender: String?
  /// The address; `nil` for a file.
  public var url: String?
  /// The line of the text that a link stands in, if there is more in it; with a file the first line of the text.
  public var text: String?
  /// The place of a file among those of its message, from 0.
  public var index: Int?
  /// The facts of a file.
  public var attachment: AttachmentAnswer?

  init(_ message: Message, conversation: String) {
    id = message.id
    self.conversation = conversation
    time = message.time
    precision = message.precision == .millisecond ? nil : message.precision
    sender = message.sender?.name
  }
}

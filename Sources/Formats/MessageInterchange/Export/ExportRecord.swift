package import MessageMarkup
public import MessageModel

/// A message on its way out, whole: with all of its text and the names instead of numbers.
public struct ExportRecord: Hashable, Sendable {
  /// Its id.
  public var id: Message.ID
  /// The millisecond when it was written, where that is not the one of its id (``Message/writtenAt``).
  public var writtenAt: Timestamp?
  /// The name of its conversation.
  public var conversation: String
  /// The identity of its conversation on its platform.
  public var conversationIdentity: ConversationIdentity?
  /// The precision of its time.
  public var precision: TimePrecision
  /// The name of the sender; `nil` if nobody wrote it.
  public var sender: String?
  /// The id of the sender on its platform.
  public var senderID: String?
  /// Its kind.
  public var kind: Message.Kind
  /// The whole text.
  public var text: String
  /// The message that it answers.
  public var replyTo: Message.ID?
  /// The first message of the thread that it belongs to.
  public var thread: Message.ID?
  /// The texts that it had before, oldest first.
  public var edits: [Message.Edit]
  /// Whether its text has been changed since it was written, also where the texts before are not known.
  public var isEdited: Bool
  /// The time when its text was last changed, if its platform told.
  public var editedAt: Timestamp?
  /// The emoji that it was answered with.
  public var reactions: [Message.Reaction]
  /// The files attached to it.
  public var attachments: [Message.Attachment]
  /// Its origin, if it was imported.
  public var source: Message.Source?
  /// The state of its sending by an app.
  public var sendingState: Message.SendingState?
  /// The payload that an app keeps with it.
  public var payload: [UInt8]?
  /// The time when it got a star. Only JSON Lines have it: it is the reader's, and nothing that was said.
  public var starredAt: Timestamp?
  /// The note on the assistant's session that its conversation is, with the first message of each. Only JSON Lines
  /// have it.
  package var session: SessionNote?
  /// The number of the import that brought it, where that is wanted. Only JSON Lines have it.
  package var importNumber: Int64?
  /// The manner in which its platform marks texts, for formats that show what is marked.
  package var dialect = MarkupDialect.none
  /// Whether the stored attachments have been written beside the export, where their paths say.
  public var hasFilesBeside = false

  /// Creates a record.
  public init(
    id: Message.ID, conversation: String, precision: TimePrecision = .millisecond, sender: String? = nil,
    senderID: String? = nil, kind: Message.Kind = .text, text: String, replyTo: Message.ID? = nil,
    thread: Message.ID? = nil, edits: [Message.Edit] = [], isEdited: Bool = false, editedAt: Timestamp? = nil,
    reactions: [Message.Reaction] = [], attachments: [Message.Attachment] = [], source: Message.Source? = nil
  ) {
    self.id = id
    self.conversation = conversation
    self.precision = precision
    self.sender = sender
    self.senderID = senderID
    self.kind = kind
    self.text = text
    self.replyTo = replyTo
    self.thread = thread
    self.edits = edits
    self.isEdited = isEdited || !edits.isEmpty || editedAt != nil
    self.editedAt = editedAt
    self.reactions = reactions
    self.attachments = attachments
    self.source = source
  }

  /// Creates a record of a message of a store.
  public init(_ record: MessageRecord, conversation: String) {
    let message = record.message
    self.init(
      id: message.id, conversation: conversation, precision: message.precision, sender: message.sender?.name,
      senderID: record.senderID, kind: message.kind, text: message.text, replyTo: message.replyTo,
      thread: message.thread, edits: record.edits, isEdited: message.isEdited, editedAt: record.editedAt,
      reactions: message.reactions, attachments: message.attachments, source: record.source)
    writtenAt = message.writtenAt
    sendingState = message.sendingState
    conversationIdentity = record.conversationIdentity
    payload = record.payload
    starredAt = message.starredAt
    importNumber = record.importNumber
  }

  /// The time when it was written, rounded down to the precision.
  public var time: Timestamp { moment.rounded(to: precision) }

  /// The millisecond when it was written.
  package var moment: Timestamp { writtenAt ?? id.placeTime }
}

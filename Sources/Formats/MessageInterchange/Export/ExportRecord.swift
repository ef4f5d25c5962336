internal import Foundation
package import MessageMarkup
public import MessageModel

/// A complete message to export, with names instead of numbers.
public struct ExportRecord: Hashable, Sendable {
  /// The message's id.
  public var id: Message.ID
  /// When it was written, if that differs from the time in its id (``Message/writtenAt``).
  public var writtenAt: Timestamp?
  /// The conversation's name.
  public var conversation: String
  /// The conversation's identity on its platform.
  public var conversationIdentity: ConversationIdentity?
  /// The precision of the time.
  public var precision: TimePrecision
  /// The sender's name; `nil` for messages of no sender.
  public var sender: String?
  /// The sender's id on its platform.
  public var senderID: String?
  /// The message's kind.
  public var kind: Message.Kind
  /// The whole text.
  public var text: String
  /// The message that it replies to.
  public var replyTo: Message.ID?
  /// The first message of its thread.
  public var thread: Message.ID?
  /// Its earlier texts, oldest first.
  public var edits: [Message.Edit]
  /// Whether its text was edited, even if the earlier texts are unknown.
  public var isEdited: Bool
  /// When its text was last edited, if known.
  public var editedAt: Timestamp?
  /// Reactions by emoji.
  public var reactions: [Message.Reaction]
  /// The files attached to it.
  public var attachments: [Message.Attachment]
  /// Where its words come from, if it was forwarded.
  public var forward: Message.Forward?
  /// By whom and when its contents were deleted, if they were.
  public var deletion: Message.Deletion?
  /// Its source, if it was imported.
  public var source: Message.Source?
  /// The state of sending, for messages that an app sends.
  public var sendingState: Message.SendingState?
  /// Data that an app stores with it.
  public var payload: [UInt8]?
  /// When the user starred it. Only JSON Lines contain it.
  public var starredAt: Timestamp?
  /// The description of the assistant's session, with each conversation's first message. Only JSON Lines
  /// contain it.
  package var session: SessionNote?
  /// The import that added it, if wanted. Only JSON Lines contain it.
  package var importNumber: Int64?
  /// The platform's markup, for formats that render it.
  package var dialect = MarkupDialect.none
  /// Whether the stored attachments were written beside the export, at their paths.
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

  /// Creates a record of a stored message.
  public init(_ record: MessageRecord, conversation: String) {
    let message = record.message
    self.init(
      id: message.id, conversation: conversation, precision: message.precision, sender: message.sender?.name,
      senderID: record.senderID, kind: message.kind, text: message.text, replyTo: message.replyTo,
      thread: message.thread, edits: record.edits, isEdited: message.isEdited, editedAt: record.editedAt,
      reactions: message.reactions, attachments: message.attachments, source: record.source)
    writtenAt = message.writtenAt
    forward = message.forward
    deletion = message.deletion
    sendingState = message.sendingState
    conversationIdentity = record.conversationIdentity
    payload = record.payload
    starredAt = message.starredAt
    importNumber = record.importNumber
  }

  /// The record for formats that only have texts: `[deleted by ada]` instead of a deleted one.
  var withVisibleDeletion: ExportRecord {
    guard let deletion else { return self }
    var record = self
    (record.text, record.dialect) = ("[\(deletion.line)]", .none)
    return record
  }

  /// When it was written, rounded down to the precision.
  public var time: Timestamp { moment.rounded(to: precision) }

  /// When it was written, to the millisecond.
  package var moment: Timestamp { writtenAt ?? id.placeTime }
}

struct ExportHeadings {
  private var clock: WallClock
  private var conversation: String?
  private var day: [UInt8] = []

  init(timeZone: TimeZone) { clock = WallClock(zone: timeZone) }

  var timeZone: TimeZone { clock.zone }

  /// The headings before a message, and its time to the second at most; empty if only the day is known.
  struct Position {
    var newConversation: String?
    var newDay: String?
    var timeOfDay: String
  }

  mutating func move(to record: ExportRecord) -> Position {
    // A day is not converted between zones.
    let civil = record.precision == .day ? record.time.utc : clock.civil(at: record.time)
    var date: [UInt8] = []
    ISO8601.writeDate(civil, to: &date)
    var time: [UInt8] = []
    ISO8601.writeTime(
      civil, precision: record.precision == .millisecond ? .second : record.precision, to: &time)
    let isNew = conversation != record.conversation
    let isNewDay = isNew || day != date
    (conversation, day) = (record.conversation, date)
    return Position(
      newConversation: isNew ? record.conversation : nil,
      newDay: isNewDay ? String(decoding: date, as: UTF8.self) : nil,
      timeOfDay: String(decoding: time, as: UTF8.self))
  }
}

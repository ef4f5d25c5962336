public import MessageModel

/// A message, with the keys and order of JSON Lines.
public struct MessageAnswer: HistoryAnswer, ServedAnswer {
  /// Its id, which is also its place in the history.
  public var id: Message.ID
  /// The name of its conversation.
  public var conversation: String
  /// The key of its conversation on its platform. Only in whole messages.
  public var conversationSource: SourceAnswer?
  /// When it was written, rounded down to its precision.
  public var time: Timestamp
  /// The precision of the time; `nil` for milliseconds.
  public var precision: TimePrecision?
  /// The name of the sender; `nil` if it has none.
  public var sender: String?
  /// The id of the sender on its platform. Only in whole messages.
  public var senderID: String?
  /// Its kind.
  public var kind: Message.Kind
  /// The text: complete in whole messages, else as much as a page carries; `nil` if it is empty.
  public var text: String?
  /// The formatting of ``text``, if asked for.
  public var marks: [MarkAnswer]?
  /// The message to which it replies.
  public var replyTo: Message.ID?
  /// The first message of its thread.
  public var thread: Message.ID?
  /// Whether and when its text was edited; `nil` if ``edits`` tells it, or if it was not edited.
  public var edited: EditMark?
  /// The former texts, oldest first. Only in whole messages.
  public var edits: [EditAnswer]?
  /// The reactions to it; `nil` if there are none.
  public var reactions: [ReactionAnswer]?
  /// The files attached to it; `nil` if there are none.
  public var attachments: [AttachmentAnswer]?
  /// Where its words come from; `nil` if it was not forwarded.
  public var forwarded: ForwardAnswer?
  /// By whom and when its contents were deleted; `nil` if they were not.
  public var deleted: DeletionAnswer?
  /// Its origin. Only in whole messages.
  public var source: SourceAnswer?
  /// The state of sending it, for messages of an app.
  public var sendingState: Message.SendingState?
  /// An app's data about it, in Base64. Only in whole messages.
  public var payload: String?
  /// When it was starred; `nil` if it is not.
  public var starred: Timestamp?
  /// The bytes of the whole text, if ``text`` is only its beginning.
  public var textBytes: Int?
  /// The number of its edits; `nil` for none, and in whole messages.
  public var revision: Int?

  /// Creates a whole message, with exactly what an export contains.
  public init(_ record: MessageRecord, conversation: String) {
    self.init(record.message, conversation: conversation)
    senderID = record.senderID
    conversationSource = record.conversationIdentity.map {
      SourceAnswer(Message.Source(platform: $0.platform, id: $0.key))
    }
    edits = record.edits.isEmpty ? nil : record.edits.map { EditAnswer(time: $0.time, text: $0.text) }
    edited =
      record.editedAt.map { .at($0) } ?? (record.message.isEdited && record.edits.isEmpty ? .unknown : nil)
    source = record.source.map { SourceAnswer($0) }
    payload = record.payload.map(Base64.text(of:))
    (textBytes, revision) = (nil, nil)
    attachments = attachments?.map(\.exported)
  }

  /// Creates a message as a page carries it.
  public init(_ message: Message, conversation: String) {
    id = message.id
    self.conversation = conversation
    time = message.time
    precision = message.precision == .millisecond ? nil : message.precision
    sender = message.sender?.name
    kind = message.kind
    text = message.text.isEmpty ? nil : message.text
    replyTo = message.replyTo
    thread = message.thread
    edited = message.isEdited ? .unknown : nil
    let reacted = message.reactions.map { ReactionAnswer($0) }
    reactions = reacted.isEmpty ? nil : reacted
    attachments = message.attachments.isEmpty ? nil : message.attachments.map { AttachmentAnswer($0) }
    forwarded = message.forward.map { ForwardAnswer($0) }
    deleted = message.deletion.map { DeletionAnswer($0) }
    sendingState = message.sendingState
    starred = message.starredAt
    textBytes = message.isTextCut ? message.textByteCount : nil
    revision = message.revision > 0 ? message.revision : nil
  }

  /// Writes it as docs/json.md describes.
  public func encode(to encoder: any Encoder) throws {
    let fields = AnswerFields<CodingKeys>(encoder)
    try fields.add(.id, id)
    try fields.add(.conversation, conversation)
    try fields.add(.conversationSource, parts: conversationSource)
    try fields.add(.time, time)
    try fields.add(.precision, precision)
    try fields.add(.sender, sender)
    try fields.add(.senderID, senderID)
    try fields.add(.kind, kind)
    try fields.add(.text, text)
    try fields.add(.marks, parts: marks)
    try fields.add(.replyTo, replyTo)
    try fields.add(.thread, thread)
    try fields.add(.edited, parts: edited)
    try fields.add(.edits, parts: edits)
    try fields.add(.reactions, parts: reactions)
    try fields.add(.attachments, parts: attachments)
    try fields.add(.forwarded, parts: forwarded)
    try fields.add(.deleted, parts: deleted)
    try fields.add(.source, parts: source)
    try fields.add(.sendingState, sendingState)
    try fields.add(.payload, payload)
    try fields.add(.starred, starred)
    try fields.add(.textBytes, textBytes)
    try fields.add(.revision, revision)
  }
}

/// An edit.
public enum EditMark: Codable, Hashable, Sendable {
  /// At this time, according to its platform.
  case at(Timestamp)
  /// At an unknown time. `true` in JSON.
  case unknown

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if (try? container.decode(Bool.self)) == true {
      self = .unknown
    } else {
      self = .at(try container.decode(Timestamp.self))
    }
  }

  /// Writes it as docs/json.md describes.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .at(let time): try container.encode(time)
    case .unknown: try container.encode(true)
    }
  }
}

/// A former text of a message.
public struct EditAnswer: Codable, Hashable, Sendable {
  /// When it was replaced.
  public var time: Timestamp
  /// The text as it was.
  public var text: String
}

/// An emoji, and the people who reacted with it.
public struct ReactionAnswer: Codable, Hashable, Sendable {
  /// The emoji.
  public var emoji: String
  /// The text to show if ``emoji`` is a name and marks were asked for: `👍` for `:+1:`.
  public var shown: String?
  /// The names of the people who reacted; `nil` if they are unknown.
  public var senders: [String]?

  init(_ reaction: Message.Reaction) {
    emoji = reaction.emoji
    senders = reaction.senders.isEmpty ? nil : reaction.senders
  }
}

/// The origin of a forwarded message; empty if the platform says only that it was forwarded.
public struct ForwardAnswer: Codable, Hashable, Sendable {
  /// The name of the author.
  public var from: String?
  /// The author's id on the platform.
  public var id: String?
  /// The name of the conversation that it was forwarded from.
  public var chat: String?
  /// When the author wrote it.
  public var time: Timestamp?
  /// `true` if the platform marks it as forwarded many times.
  public var often: Bool?
  /// `true` if the text begins with the sender's own words, and quotes what was forwarded.
  public var quoted: Bool?

  init(_ forward: Message.Forward) {
    from = forward.author
    id = forward.authorID
    chat = forward.chat
    time = forward.time
    often = forward.isFrequent ? true : nil
    quoted = forward.isQuoted ? true : nil
  }
}

/// The deletion of a message's contents.
public struct DeletionAnswer: Codable, Hashable, Sendable {
  /// When they were deleted.
  public var time: Timestamp
  /// The name of the person who deleted them, if known.
  public var by: String?
  /// The platform's id of that person.
  public var id: String?

  init(_ deletion: Message.Deletion) {
    time = deletion.time
    by = deletion.sender
    id = deletion.senderID
  }
}

/// The origin of an imported message.
public struct SourceAnswer: Codable, Hashable, Sendable {
  /// The platform, or the format: `slack`.
  public var platform: String
  /// Its id on the platform.
  public var id: String?
  /// The imported record, if it was kept.
  public var original: String?

  init(_ source: Message.Source) {
    platform = source.platform
    id = source.id
    original = source.original
  }
}

/// A file attached to a message.
public struct AttachmentAnswer: Codable, Hashable, Sendable {
  /// The name of the file.
  public var name: String
  /// The media type.
  public var type: String?
  /// Its size in bytes, if known.
  public var bytes: Int?
  /// The SHA-256 of the content, if known.
  public var sha256: String?
  /// The path of the file in the import.
  public var path: String?
  /// The width of a picture in pixels. Not in whole messages, like the following keys.
  public var width: Int?
  /// The height of a picture in pixels.
  public var height: Int?
  /// The duration of a sound or film in milliseconds.
  public var milliseconds: Int?
  /// `true` if the content is in the store.
  public var stored: Bool?
  /// The state of its thumbnail and preview.
  public var pictures: PictureState?

  init(_ file: Message.Attachment) {
    name = file.name
    type = file.mediaType
    bytes = file.byteCount
    sha256 = file.sha256
    path = file.path
    width = file.pixelSize?.width
    height = file.pixelSize?.height
    milliseconds = file.durationMilliseconds
    stored = file.isStored ? true : nil
    pictures = file.pictures
  }

  fileprivate var exported: AttachmentAnswer {
    var file = self
    (file.width, file.height, file.milliseconds, file.stored, file.pictures) = (nil, nil, nil, nil, nil)
    return file
  }
}

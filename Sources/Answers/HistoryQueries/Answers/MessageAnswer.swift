public import MessageModel

/// A message, by the keys and in the order of JSON Lines.
public struct MessageAnswer: HistoryAnswer, ServedAnswer {
  /// Its id: its place in the history.
  public var id: Message.ID
  /// The name of its conversation.
  public var conversation: String
  /// The key that the platform of its conversation knows that by. Only in whole messages.
  public var conversationSource: SourceAnswer?
  /// When it was written: the beginning of the interval that its precision tells.
  public var time: Timestamp
  /// The precision of the time; `nil` to the millisecond.
  public var precision: TimePrecision?
  /// The name of the sender; `nil` if it has none.
  public var sender: String?
  /// The id of the sender on its platform. Only in whole messages.
  public var senderID: String?
  /// Its kind.
  public var kind: Message.Kind
  /// The text: all of it in whole messages, else as much as a page carries; `nil` if it is empty.
  public var text: String?
  /// The looks that its writer wanted for parts of ``text``, if that was asked for.
  public var marks: [MarkAnswer]?
  /// The message that it answers.
  public var replyTo: Message.ID?
  /// The first message of the thread that it belongs to.
  public var thread: Message.ID?
  /// Whether and when its text was changed, where that is not told by ``edits``.
  public var edited: EditMark?
  /// The texts before, oldest first. Only in whole messages.
  public var edits: [EditAnswer]?
  /// The emoji that it was answered with; `nil` if there are none.
  public var reactions: [ReactionAnswer]?
  /// The files attached to it; `nil` if there are none.
  public var attachments: [AttachmentAnswer]?
  /// Its origin. Only in whole messages.
  public var source: SourceAnswer?
  /// The progress of an app in sending it.
  public var sendingState: Message.SendingState?
  /// The data that an app keeps with it, in Base64. Only in whole messages.
  public var payload: String?
  /// When it got a star; `nil` if it has none.
  public var starred: Timestamp?
  /// The bytes of the whole text, where ``text`` is only its beginning.
  public var textBytes: Int?
  /// The number of times that it was changed; `nil` if never, and in whole messages.
  public var revision: Int?

  /// Creates a whole message: what an export has of it, word for word.
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
    sendingState = message.sendingState
    starred = message.starredAt
    textBytes = message.isTextCut ? message.textByteCount : nil
    revision = message.revision > 0 ? message.revision : nil
  }

  /// Writes it as docs/json.md tells.
  ///
  /// - Throws: Any error of the encoder.
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
    try fields.add(.source, parts: source)
    try fields.add(.sendingState, sendingState)
    try fields.add(.payload, payload)
    try fields.add(.starred, starred)
    try fields.add(.textBytes, textBytes)
    try fields.add(.revision, revision)
  }
}

/// That a text was changed.
public enum EditMark: Codable, Hashable, Sendable {
  /// At this time, as its platform says.
  case at(Timestamp)
  /// At an unknown time. `true` in JSON.
  case unknown

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` if it is something else, or a part of it is.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if (try? container.decode(Bool.self)) == true {
      self = .unknown
    } else {
      self = .at(try container.decode(Timestamp.self))
    }
  }

  /// Writes it as docs/json.md tells.
  ///
  /// - Throws: Any error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .at(let time): try container.encode(time)
    case .unknown: try container.encode(true)
    }
  }
}

/// A text that a message had before.
public struct EditAnswer: Codable, Hashable, Sendable {
  /// When it was replaced.
  public var time: Timestamp
  /// The text as it was.
  public var text: String
}

/// An emoji, and who answered with it.
public struct ReactionAnswer: Codable, Hashable, Sendable {
  /// The emoji.
  public var emoji: String
  /// The text that is shown where ``emoji`` is a name, if marks were asked for: `👍` for `:+1:`.
  public var shown: String?
  /// The names of those who reacted; `nil` if they are not known.
  public var senders: [String]?

  init(_ reaction: Message.Reaction) {
    emoji = reaction.emoji
    senders = reaction.senders.isEmpty ? nil : reaction.senders
  }
}

/// The origin of an imported message.
public struct SourceAnswer: Codable, Hashable, Sendable {
  /// The platform, or the format: `slack`.
  public var platform: String
  /// The id that the platform gave it.
  public var id: String?
  /// The record as it stood in the import, if it was kept.
  public var original: String?

  init(_ source: Message.Source) {
    platform = source.platform
    id = source.id
    original = source.original
  }
}

/// The facts of a file that is attached to a message.
public struct AttachmentAnswer: Codable, Hashable, Sendable {
  /// The name of the file.
  public var name: String
  /// The media type.
  public var type: String?
  /// Its size in bytes, if that is known.
  public var bytes: Int?
  /// The SHA-256 of the content, if that is known.
  public var sha256: String?
  /// The path that the import gave the file.
  public var path: String?
  /// The size of a picture in pixels. Not in whole messages, as what follows.
  public var width: Int?
  /// The height of a picture in pixels.
  public var height: Int?
  /// The length of a sound or film in milliseconds.
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

  /// The attachment as an export has it.
  fileprivate var exported: AttachmentAnswer {
    var file = self
    (file.width, file.height, file.milliseconds, file.stored, file.pictures) = (nil, nil, nil, nil, nil)
    return file
  }
}

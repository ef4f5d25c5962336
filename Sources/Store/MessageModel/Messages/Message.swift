/// One message of a conversation, as a line of a list shows it.
///
/// A page carries the facts of what is heavy (the byte count of a long text, the names and sizes of attachments),
/// never the heavy things themselves: those are faults, loaded when they are looked at.
public struct Message: Identifiable, Hashable, Sendable, Codable {
  /// The id of the message, which is its place in the order of all.
  public var id: ID
  /// The conversation it belongs to.
  public var conversation: Conversation.ID
  /// The person who wrote it, with the name borne at that time; `nil` if nobody did (a notice of the system, a log line
  /// of unknown shape).
  public var sender: Sender?
  /// The kind of line that it is.
  public var kind: Kind
  /// The precision with which its time is known.
  public var precision: TimePrecision
  /// The millisecond when it was written, where that is not the one of its place: a message with a later time stood before it
  /// already. Else `nil`.
  public var writtenAt: Timestamp?
  /// The text: all of it if it is at most the preview limit long (4 KB unless the store says otherwise), else its
  /// beginning.
  public var text: String
  /// The length of the whole text in bytes of UTF-8.
  public var textByteCount: Int
  /// The message that this one answers.
  public var replyTo: ID?
  /// The first message of the thread that this one belongs to.
  public var thread: ID?
  /// 0 when written, one more at each change (an edit, a reaction, an attachment).
  public var revision: Int
  /// Whether its text has been changed since it was written.
  public var isEdited: Bool
  /// The reactions to it, in the order in which they came first.
  public var reactions: [Reaction]
  /// The files attached to it, as facts.
  public var attachments: [Attachment]
  /// The progress of an app in sending it; `nil` for a message that nothing is said of.
  public var sendingState: SendingState?
  /// The time when it got a star; `nil` for a message without one.
  public var starredAt: Timestamp?
  /// The data that an app keeps with it, in pages that were asked for with them (``PageRequest/wantsPayloads``); else `nil`.
  public var payload: [UInt8]?
  /// The id that it came with, if it has been moved to another place since; else `nil`.
  public var firstID: ID?

  /// Creates a message from its parts.
  public init(
    id: ID, conversation: Conversation.ID, sender: Sender? = nil, kind: Kind = .text,
    precision: TimePrecision = .millisecond, text: String, textByteCount: Int? = nil, replyTo: ID? = nil,
    thread: ID? = nil, revision: Int = 0, isEdited: Bool = false, reactions: [Reaction] = [],
    attachments: [Attachment] = [], sendingState: SendingState? = nil, starredAt: Timestamp? = nil
  ) {
    self.id = id
    self.conversation = conversation
    self.sender = sender
    self.kind = kind
    self.precision = precision
    self.text = text
    self.textByteCount = textByteCount ?? text.utf8.count
    self.replyTo = replyTo
    self.thread = thread
    self.revision = revision
    self.isEdited = isEdited
    self.reactions = reactions
    self.attachments = attachments
    self.sendingState = sendingState
    self.starredAt = starredAt
  }

  /// The time when it was written, rounded down to the precision.
  public var time: Timestamp { moment.rounded(to: precision) }

  /// The millisecond by which ranges of time include it.
  package var moment: Timestamp { writtenAt ?? id.placeTime }

  /// The id that it came with, which stays when it is moved: what a list knows its row by. Nowhere else is it needed.
  public var identity: ID { firstID ?? id }

  /// Whether ``text`` is only the beginning of the text.
  public var isTextCut: Bool { text.utf8.count < textByteCount }

  /// About how many bytes of memory this value holds: what a window's byte budget is kept in.
  public var byteCost: Int {
    var cost = 256 + text.utf8.count + (sender?.name.utf8.count ?? 0)
    for reaction in reactions { cost += 64 + 32 * reaction.senders.count }
    cost += 192 * attachments.count + (payload?.count ?? 0)
    return cost
  }
}

extension Message {
  /// A kind of message. The raw values are stored.
  public enum Kind: Int, Hashable, Sendable, CaseIterable {
    /// Something said.
    case text = 0
    /// An action, told in the third person (`/me waves`).
    case action = 1
    /// A notice, mostly of a bot or a server.
    case notice = 2
    /// Somebody came in.
    case join = 3
    /// Somebody left.
    case part = 4
    /// Somebody left the network.
    case quit = 5
    /// Somebody took another name.
    case nick = 6
    /// Rights or rules of the conversation were changed.
    case mode = 7
    /// The topic, name or picture of the conversation was changed.
    case topic = 8
    /// Somebody was thrown out.
    case kick = 9
    /// A call.
    case call = 10
    /// A line of the platform itself.
    case system = 11
    /// A line whose place in time is known and whose shape is not: kept as it stands.
    case unknown = 12
    /// A thought of an assistant before it answered.
    case thinking = 13
    /// A call of a tool by an assistant: its name, and what it was given.
    case tool = 14
    /// The result of a tool.
    case result = 15

    /// The word for it in JSON Lines and filters.
    public var name: String {
      switch self {
      case .text: "text"
      case .action: "action"
      case .notice: "notice"
      case .join: "join"
      case .part: "part"
      case .quit: "quit"
      case .nick: "nick"
      case .mode: "mode"
      case .topic: "topic"
      case .kick: "kick"
      case .call: "call"
      case .system: "system"
      case .unknown: "unknown"
      case .thinking: "thinking"
      case .tool: "tool"
      case .result: "result"
      }
    }

    /// The kind with this ``name``, or `nil` if there is none.
    public init?(name: some StringProtocol) {
      guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
      self = found
    }

    /// Whether it tells of something that happened (a join, a topic) rather than of something said.
    public var isEvent: Bool {
      switch self {
      case .text, .action, .notice, .unknown, .thinking, .tool, .result: false
      case .join, .part, .quit, .nick, .mode, .topic, .kick, .call, .system: true
      }
    }

    /// Whether it is a step of an assistant on the way to an answer, rather than something said: a window shows a line of
    /// it.
    public var isStep: Bool {
      switch self {
      case .thinking, .tool, .result: true
      case .text, .action, .notice, .unknown, .join, .part, .quit, .nick, .mode, .topic, .kick, .call,
        .system:
        false
      }
    }

    /// Whether its text may be marked: what a tool says is data, and what happened is nobody's text.
    package var mayBeMarked: Bool {
      switch self {
      case .text, .action, .notice, .thinking: true
      case .unknown, .tool, .result, .join, .part, .quit, .nick, .mode, .topic, .kick, .call, .system: false
      }
    }

    /// Whether its words are looked for: not those of who came and went.
    package var isSearched: Bool {
      switch self {
      case .text, .action, .notice, .topic, .system, .unknown, .thinking, .tool, .result: true
      case .join, .part, .quit, .nick, .mode, .kick, .call: false
      }
    }
  }

  /// The progress of an app in sending a message. The raw values are stored.
  public enum SendingState: Int, Hashable, Sendable, CaseIterable {
    /// It waits to be sent.
    case waiting = 1
    /// It is being sent.
    case sending = 2
    /// It could not be sent.
    case failed = 3
    /// The server has it.
    case sent = 4
    /// It has reached whom it is for.
    case delivered = 5
    /// Whom it is for has read it.
    case read = 6

    /// The word for it in JSON Lines.
    public var name: String {
      switch self {
      case .waiting: "waiting"
      case .sending: "sending"
      case .failed: "failed"
      case .sent: "sent"
      case .delivered: "delivered"
      case .read: "read"
      }
    }

    /// The state with this ``name``, or `nil` if there is none.
    public init?(name: some StringProtocol) {
      guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
      self = found
    }
  }

  /// An emoji, and those who answered a message with it.
  public struct Reaction: Hashable, Sendable, Codable {
    /// The emoji or, where a platform has its own, its name.
    public var emoji: String
    /// The names of those who reacted, in the order in which they did.
    public var senders: [String]
    /// The ids that they have on their platform, one for each of ``senders``; empty where none is known.
    public var senderIDs: [String?]

    /// Creates a reaction.
    public init(emoji: String, senders: [String], senderIDs: [String?] = []) {
      self.emoji = emoji
      self.senders = senders
      self.senderIDs = senderIDs
    }

    /// Those who reacted, by name and id.
    public var senderKeys: [SenderKey] {
      senders.indices.map { index in
        SenderKey(name: senders[index], externalID: index < senderIDs.count ? senderIDs[index] : nil)
      }
    }
  }

  /// A text that a message had before it was edited.
  public struct Edit: Hashable, Sendable, Codable {
    /// The time when that text was replaced.
    public var time: Timestamp
    /// The text until then.
    public var text: String

    /// Creates an edit.
    public init(time: Timestamp, text: String) {
      self.time = time
      self.text = text
    }
  }

  /// The facts of a file attached to a message; the bytes are a fault.
  public struct Attachment: Hashable, Sendable, Codable {
    /// The name of the file as it was given, for people; not a path to write to.
    public var name: String
    /// The media type, for example `image/jpeg`; `nil` if unknown.
    public var mediaType: String?
    /// The size in bytes; `nil` if unknown.
    public var byteCount: Int?
    /// The SHA-256 of the content in hexadecimal digits; `nil` if the content is not there.
    public var sha256: String?
    /// The path of the file, as the import gave it; `nil` if it gave none.
    public var path: String?
    /// The size of a picture, upright once it was decoded; `nil` if it is unknown or no picture.
    public var pixelSize: PixelSize?
    /// The duration of a sound or film in milliseconds.
    package var durationMilliseconds: Int?
    /// The duration of a sound or film, where that is cheap to know.
    public var duration: Duration? {
      get { durationMilliseconds.map { .milliseconds($0) } }
      set { durationMilliseconds = newValue.map { Int(clamping: $0.milliseconds) } }
    }
    /// Whether the content is in the store.
    public var isStored: Bool
    /// The state of its thumbnail and preview; `nil` for what is no picture.
    public var pictures: PictureState?

    /// Creates the facts of an attachment.
    public init(
      name: String, mediaType: String? = nil, byteCount: Int? = nil, sha256: String? = nil,
      path: String? = nil, pixelSize: PixelSize? = nil, duration: Duration? = nil,
      isStored: Bool = false,
      pictures: PictureState? = nil
    ) {
      self.pixelSize = pixelSize
      durationMilliseconds = duration.map { Int(clamping: $0.milliseconds) }
      self.isStored = isStored
      self.pictures = pictures
      self.name = name
      self.mediaType = mediaType
      self.byteCount = byteCount
      self.sha256 = sha256
      self.path = path
    }
  }

  /// The origin of an imported message.
  public struct Source: Hashable, Sendable, Codable {
    /// The platform, for example `slack`; ids of a platform are shared by all its export formats.
    public var platform: String
    /// The id that the platform gave it; `nil` if it gives none.
    public var id: String?
    /// The record as it stood in the import, if it was kept.
    public var original: String?

    /// Creates a source.
    public init(platform: String, id: String? = nil, original: String? = nil) {
      self.platform = platform
      self.id = id
      self.original = original
    }
  }
}

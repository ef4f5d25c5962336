/// A message of a conversation, as a list shows it.
///
/// A page has the facts about large data (the byte count of a long text, the names and sizes of attachments),
/// but not the data itself, which is loaded when needed.
public struct Message: Identifiable, Hashable, Sendable, Codable {
  /// The id of the message, which also determines its position in the order of all messages.
  public var id: ID
  /// The conversation that it belongs to.
  public var conversation: Conversation.ID
  /// The sender, with the name at that time; `nil` for system notices and log lines of unknown format.
  public var sender: Sender?
  /// The kind of message.
  public var kind: Kind
  /// The precision of its time.
  public var precision: TimePrecision
  /// When it was written, if that differs from the millisecond of its id, because an earlier message of the
  /// conversation has a later time.
  public var writtenAt: Timestamp?
  /// The text: all of it up to the preview limit (4 KB by default), else its beginning.
  public var text: String
  /// The length of the whole text in bytes of UTF-8.
  public var textByteCount: Int
  /// The message that it replies to.
  public var replyTo: ID?
  /// The platform's id of the message that it replies to, if that one is not in the store.
  public var awaitedReply: String?
  /// The first message of its thread.
  public var thread: ID?
  /// The number of its changes so far (edits, reactions, attachments).
  public var revision: Int
  /// Whether its text was changed after it was written.
  public var isEdited: Bool
  /// The reactions to it, in the order of their first use.
  public var reactions: [Reaction]
  /// The files attached to it, as facts.
  public var attachments: [Attachment]
  /// The origin of its words, if it was forwarded: its sender is not their author.
  public var forward: Forward?
  /// By whom and when its contents were deleted, if they were: it has no text any more, but keeps its place.
  public var deletion: Deletion?
  /// An app's progress in sending it, if any is known.
  public var sendingState: SendingState?
  /// When it got a star, if it has one.
  public var starredAt: Timestamp?
  /// The app's data of the message, if the request wants it (``PageRequest/wantsPayloads``).
  public var payload: [UInt8]?
  /// The id that it came with, if it has another id since.
  package var firstID: ID?

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

  package var moment: Timestamp { writtenAt ?? id.placeTime }

  /// The first id, which stays when a moved message gets another one: a list's identity of its row. Nothing
  /// else needs it.
  public var identity: ID { firstID ?? id }

  /// Whether ``text`` is only the beginning.
  public var isTextCut: Bool { text.utf8.count < textByteCount }

  /// About the bytes of memory that this value takes, for the limits of windows.
  public var byteCost: Int {
    var cost = 256 + text.utf8.count + (sender?.name.utf8.count ?? 0)
    for reaction in reactions { cost += 64 + 32 * reaction.senders.count }
    cost += 192 * attachments.count + (payload?.count ?? 0)
    if let forward { cost += 64 + forward.byteCount }
    if let deletion { cost += 64 + deletion.byteCount }
    return cost
  }
}

extension Message {
  /// The origin of a forwarded message, as far as its platform says; empty if it says only that the message was
  /// forwarded.
  public struct Forward: Hashable, Sendable, Codable {
    /// The name of the author.
    public var author: String?
    /// The author's id on the platform.
    public var authorID: String?
    /// The name of the conversation that it was forwarded from.
    public var chat: String?
    /// When the author wrote it.
    public var time: Timestamp?
    /// Whether the platform marks it as forwarded many times.
    public var isFrequent: Bool
    /// Whether the sender added words: the text begins with these words, and quotes the forwarded ones.
    public var isQuoted: Bool

    /// Creates an origin.
    public init(
      author: String? = nil, authorID: String? = nil, chat: String? = nil, time: Timestamp? = nil,
      isFrequent: Bool = false, isQuoted: Bool = false
    ) {
      self.author = author
      self.authorID = authorID
      self.chat = chat
      self.time = time
      self.isFrequent = isFrequent
      self.isQuoted = isQuoted
    }

    /// The names in it: of the author and of the conversation.
    package var names: [String] { [author, chat].compactMap { $0 }.filter { !$0.isEmpty } }

    /// The line to show above the text: `» Parish Council`, `» ada in general`, `» forwarded many times`;
    /// `nil` if the text itself names the origin of its parts.
    public var heading: String? { isQuoted ? nil : line }

    /// The origin as a line.
    package var line: String {
      let origin = names.joined(separator: " in ")
      return switch (origin.isEmpty, isFrequent) {
      case (true, false): "» forwarded"
      case (true, true): "» forwarded many times"
      case (false, false): "» \(origin)"
      case (false, true): "» \(origin), forwarded many times"
      }
    }

    fileprivate var byteCount: Int { [author, authorID, chat].reduce(0) { $0 + ($1?.utf8.count ?? 0) } }
  }
}

extension Message {
  /// The deletion of a message's contents, after which only its place, sender and time are left.
  public struct Deletion: Hashable, Sendable, Codable {
    /// When they were deleted.
    public var time: Timestamp
    /// The name of the person who deleted them, if known.
    public var sender: String?
    /// The platform's id of that person.
    public var senderID: String?

    /// Creates a deletion.
    public init(at time: Timestamp, by sender: SenderKey? = nil) {
      self.time = time
      self.sender = sender?.name
      senderID = sender?.externalID
    }

    /// The line to show in place of the text: `deleted by ada`, `deleted`.
    public var line: String { sender.map { "deleted by \($0)" } ?? "deleted" }

    fileprivate var byteCount: Int { (sender?.utf8.count ?? 0) + (senderID?.utf8.count ?? 0) }
  }
}

extension Message {
  /// A kind of message. The raw values are stored.
  public enum Kind: Int, Hashable, Sendable, CaseIterable {
    /// A text.
    case text = 0
    /// An action in the third person (`/me waves`).
    case action = 1
    /// A notice, mostly by a bot or a server.
    case notice = 2
    /// A person joined.
    case join = 3
    /// A person left.
    case part = 4
    /// A person left the network.
    case quit = 5
    /// A person changed their name.
    case nick = 6
    /// Rights or rules of the conversation were changed.
    case mode = 7
    /// The topic, name or picture of the conversation was changed.
    case topic = 8
    /// A person was removed.
    case kick = 9
    /// A call.
    case call = 10
    /// A line by the platform itself.
    case system = 11
    /// A line with a known time and an unknown format, kept unchanged.
    case unknown = 12
    /// A thought of an assistant before its reply.
    case thinking = 13
    /// A tool call by an assistant: its name and arguments.
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

    /// The kind with this ``name``, if there is one.
    package init?(name: some StringProtocol) {
      guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
      self = found
    }

    /// Whether it reports an event (a join, a topic) rather than something said.
    public var isEvent: Bool {
      switch self {
      case .text, .action, .notice, .unknown, .thinking, .tool, .result: false
      case .join, .part, .quit, .nick, .mode, .topic, .kick, .call, .system: true
      }
    }

    /// Whether it is an assistant's step towards a reply, which a window shows in one line.
    package var isStep: Bool {
      switch self {
      case .thinking, .tool, .result: true
      case .text, .action, .notice, .unknown, .join, .part, .quit, .nick, .mode, .topic, .kick, .call,
        .system:
        false
      }
    }

    /// Whether its text may have markup. Results of tools are data, and events have no author.
    package var mayBeMarked: Bool {
      switch self {
      case .text, .action, .notice, .thinking: true
      case .unknown, .tool, .result, .join, .part, .quit, .nick, .mode, .topic, .kick, .call, .system: false
      }
    }

    /// Whether its words are in the search index, unlike those of joins, departures and calls.
    package var isSearched: Bool {
      switch self {
      case .text, .action, .notice, .topic, .system, .unknown, .thinking, .tool, .result: true
      case .join, .part, .quit, .nick, .mode, .kick, .call: false
      }
    }
  }

  /// An app's progress in sending a message. The raw values are stored.
  public enum SendingState: Int, Hashable, Sendable, CaseIterable {
    /// It waits to be sent.
    case waiting = 1
    /// It is being sent.
    case sending = 2
    /// It could not be sent.
    case failed = 3
    /// It is on the server.
    case sent = 4
    /// It has reached its recipients.
    case delivered = 5
    /// Its recipients have read it.
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

    /// The state with this ``name``, if there is one.
    package init?(name: some StringProtocol) {
      guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
      self = found
    }
  }

  /// An emoji, and the senders who reacted with it.
  public struct Reaction: Hashable, Sendable, Codable {
    /// The emoji or the name of a platform's own one.
    public var emoji: String
    /// The names of the senders, in order.
    public var senders: [String]
    /// The platform's ids of ``senders``, one for each; empty if none is known.
    public var senderIDs: [String?]

    /// Creates a reaction.
    public init(emoji: String, senders: [String], senderIDs: [String?] = []) {
      self.emoji = emoji
      self.senders = senders
      self.senderIDs = senderIDs
    }

    /// The senders by name and id.
    public var senderKeys: [SenderKey] {
      senders.indices.map { index in
        SenderKey(name: senders[index], externalID: index < senderIDs.count ? senderIDs[index] : nil)
      }
    }
  }

  /// An earlier text of an edited message.
  public struct Edit: Hashable, Sendable, Codable {
    /// When that text was replaced.
    public var time: Timestamp
    /// The earlier text.
    public var text: String

    /// Creates an edit.
    public init(time: Timestamp, text: String) {
      self.time = time
      self.text = text
    }
  }

  /// The facts about an attached file; its bytes are read on demand.
  public struct Attachment: Hashable, Sendable, Codable {
    /// The file's name for people; not a path to write to.
    public var name: String
    /// The media type, for example `image/jpeg`; `nil` if unknown.
    public var mediaType: String?
    /// The size in bytes; `nil` if unknown.
    public var byteCount: Int?
    /// The SHA-256 of the content in hexadecimal digits; `nil` without content.
    public var sha256: String?
    /// The path of the file in the import, if it had one.
    public var path: String?
    /// The size of a decoded, upright picture, if known.
    public var pixelSize: PixelSize?
    package var durationMilliseconds: Int?
    /// The duration of a sound or film, if it is cheap to determine.
    public var duration: Duration? {
      get { durationMilliseconds.map { .milliseconds($0) } }
      set { durationMilliseconds = newValue.map { Int(clamping: $0.milliseconds) } }
    }
    /// Whether the content is in the store.
    public var isStored: Bool
    /// The state of its thumbnail and preview; `nil` unless it is a picture.
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
    /// The platform, for example `slack`; all export formats of a platform share its ids.
    public var platform: String
    /// The platform's id, if it has one.
    public var id: String?
    /// The original record of the import, if it was kept.
    public var original: String?

    /// Creates a source.
    public init(platform: String, id: String? = nil, original: String? = nil) {
      self.platform = platform
      self.id = id
      self.original = original
    }
  }
}

/// Messages on their way into a store, as an importer read them: without ids and, on the hot path, without a
/// `String`.
///
/// Texts and names lie in one run of bytes, and an entry is a few numbers that point into it: a million small strings
/// would cost more than all of the parsing. What few messages have (edits, reactions, ids of the platform) lies in
/// ``details``, by the index of the entry.
public struct ImportBatch: Sendable {
  /// A run of bytes in the batch.
  public struct Span: Hashable, Sendable {
    package var offset: Int32
    package var count: Int32

    /// Stands for no value at all, unlike an empty one.
    public static let none = Span(offset: 0, count: -1)

    /// Whether there is no value.
    public var isNone: Bool { count < 0 }
    /// Whether there are no bytes: of no value at all, or of an empty one.
    public var isEmpty: Bool { count <= 0 }
  }

  /// One message.
  public struct Entry: Sendable {
    /// The time when it was written, rounded down to the precision.
    public var time: Timestamp
    /// The precision of its time.
    public var precision: TimePrecision
    /// Its kind.
    public var kind: Message.Kind
    /// The index of its conversation in ``ImportBatch/conversations``.
    public var conversation: Int32
    /// The name of the sender as it was written; none for lines that nobody wrote.
    public var sender: Span
    /// The text in UTF-8.
    public var text: Span

    /// Creates a message whose sender and text lie in the batch already.
    public init(
      time: Timestamp, precision: TimePrecision, kind: Message.Kind, conversation: Int32,
      sender: Span = .none, text: Span
    ) {
      self.time = time
      self.precision = precision
      self.kind = kind
      self.conversation = conversation
      self.sender = sender
      self.text = text
    }
  }

  /// The names of the conversations in the batch.
  public private(set) var conversations: [String] = []
  /// Of each of them, whether its source says that it is between two people.
  public private(set) var isDirect: [Bool?] = []
  /// Of each of them, what to call it if it is made now: its name is then what the next import knows it by.
  public private(set) var titles: [String?] = []
  /// Of each of them, what its platform knows it by; `nil` where its name is all there is.
  public private(set) var identities: [ConversationIdentity?] = []
  /// Of each of them, what it lies in, for people: the name of a server, a workspace or a forum.
  public private(set) var places: [String?] = []
  /// Of each of them, what its program says of it as a session of an assistant; `nil` of all others.
  public private(set) var sessions: [SessionNote?] = []
  private var conversationIndices: [ConversationKey: Int32] = [:]
  /// The messages, in the order of their source.
  public private(set) var entries: [Entry] = []
  /// The details of the entries that have any, by their index.
  public var details: [Int: ImportDetails] = [:]

  private var bytes: [UInt8] = []

  /// Creates an empty batch.
  public init() {}

  /// The number of messages.
  public var count: Int { entries.count }
  /// Whether there are no messages.
  public var isEmpty: Bool { entries.isEmpty }
  /// The number of bytes of text and names, by which readers bound a batch.
  public var byteCount: Int { bytes.count }

  /// Forgets all messages and keeps the memory for the next ones.
  public mutating func removeAll() {
    conversations.removeAll(keepingCapacity: true)
    isDirect.removeAll(keepingCapacity: true)
    titles.removeAll(keepingCapacity: true)
    identities.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    sessions.removeAll(keepingCapacity: true)
    conversationIndices.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    details.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Takes out the entries for which `isUnwanted` holds; their bytes stay.
  ///
  /// - Complexity: O(entries).
  package mutating func removeDrafts(where isUnwanted: (Entry) -> Bool) {
    var kept: [Entry] = []
    var keptDetails: [Int: ImportDetails] = [:]
    for (index, entry) in entries.enumerated() where !isUnwanted(entry) {
      keptDetails[kept.count] = details[index]
      kept.append(entry)
    }
    entries = kept
    details = keptDetails
  }

  /// A key that tells a conversation from others: the one that its platform knows it by or, where that is not told, its name.
  public enum ConversationKey: Hashable, Sendable {
    /// The one that its platform knows it by.
    case identity(ConversationIdentity)
    /// Its name.
    case name(String)
  }

  /// Returns what tells a conversation of the batch from others.
  public func key(ofConversation index: Int) -> ConversationKey {
    identities[index].map { .identity($0) } ?? .name(conversations[index])
  }

  /// Returns the index of the conversation with this identity or, without one, with this name; it joins the list if it is
  /// new.
  ///
  /// - Parameters:
  ///   - name: The name, as its source has it.
  ///   - said: Whether its source says that it is between two people; `nil` if it does not say.
  ///   - title: What people call it, where its name is only an id: a store that has no conversation of that name makes one
  ///     of this title, with a number if there is one of it, and finds it by the name from then on.
  ///   - identity: What its platform knows it by: a store finds it by that from then on, whatever it is called.
  ///   - place: What it lies in, for people: of two that are called alike in a store, the second is `place > name`.
  /// - Complexity: O(1).
  public mutating func conversation(
    named name: String, isDirect said: Bool? = nil, title: String? = nil,
    identity: ConversationIdentity? = nil, place: String? = nil
  ) -> Int32 {
    let key = identity.map { ConversationKey.identity($0) } ?? .name(name)
    if let known = conversationIndices[key] {
      if said != nil { isDirect[Int(known)] = Conversation.isDirect(isDirect[Int(known)], and: said) }
      return known
    }
    let index = Int32(conversations.count)
    // A name that was taken from a path may have bytes in it that are no characters.
    conversations.append(PathBytes.shown(name))
    isDirect.append(said)
    titles.append(title.map(PathBytes.shown))
    identities.append(identity)
    places.append(place.map(PathBytes.shown))
    sessions.append(nil)
    conversationIndices[key] = index
    return index
  }

  /// Says what a conversation of the batch is as a session of an assistant; what was said before is replaced.
  public mutating func note(_ session: SessionNote, ofConversation conversation: Int32) {
    sessions[Int(conversation)] = session
  }

  /// Returns what people call a conversation of the batch.
  public func shownName(of conversation: Int) -> String {
    titles[conversation] ?? conversations[conversation]
  }

  /// Copies bytes into the batch.
  public mutating func store(_ value: UnsafeRawBufferPointer) -> Span {
    let offset = bytes.count
    bytes.append(contentsOf: value)
    return Span(offset: Int32(offset), count: Int32(value.count))
  }

  /// Copies a string into the batch.
  public mutating func store(_ value: some StringProtocol) -> Span {
    let offset = bytes.count
    // A string lends its bytes, which are copied at once then.
    if value.utf8.withContiguousStorageIfAvailable({ bytes.append(contentsOf: $0) }) == nil {
      bytes.append(contentsOf: value.utf8)
    }
    return Span(offset: Int32(offset), count: Int32(bytes.count - offset))
  }

  /// Adds a message and returns its index.
  @discardableResult
  public mutating func append(_ entry: Entry) -> Int {
    entries.append(entry)
    return entries.count - 1
  }

  /// Adds bytes to the text of the last message, which must be what was copied into the batch last.
  ///
  /// So a reader adds the lines of a long message one by one, without keeping it anywhere else.
  public mutating func extendLastText(with value: UnsafeRawBufferPointer) {
    guard let last = entries.indices.last else { preconditionFailure("There is no message to extend.") }
    let text = entries[last].text
    precondition(
      Int(text.offset) + Int(text.count) == bytes.count, "The text of the last message is not what came last."
    )
    bytes.append(contentsOf: value)
    entries[last].text.count += Int32(value.count)
  }

  /// Returns the string that a span stands for; `nil` for none. Invalid UTF-8 becomes U+FFFD.
  public func string(_ span: Span) -> String? {
    guard !span.isNone else { return nil }
    return withBytes(of: span) { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with the bytes of a span; none gives an empty buffer.
  @inlinable
  public func withBytes<Result>(
    of span: Span, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try withBytes { try body($0.slice(of: span)) }
  }

  /// Calls `body` with all bytes of the batch, of which `slice(of:)` gives a span's.
  @inlinable
  public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try contents.withUnsafeBytes(body)
  }

  @usableFromInline var contents: [UInt8] { bytes }
}

extension UnsafeRawBufferPointer {
  /// Returns the bytes of a span of the batch whose bytes these are; none gives an empty buffer.
  @usableFromInline package func slice(of span: ImportBatch.Span) -> UnsafeRawBufferPointer {
    span.count > 0
      ? UnsafeRawBufferPointer(rebasing: self[Int(span.offset)..<Int(span.offset + span.count)])
      : UnsafeRawBufferPointer(start: baseAddress, count: 0)
  }
}

/// The details that only some messages bring with them into a store.
public struct ImportDetails: Hashable, Sendable {
  /// The id that the message had in the store it was exported from.
  public var id: Message.ID?
  /// The id of the sender on its platform.
  public var senderID: String?
  /// The origin of the message.
  public var source: Message.Source?
  /// Whether the id of its source may be that of several messages, since no platform gave it or the file may not mean
  /// it so. Messages of other times are others, and so are those of one import that say different things, unless they were
  /// edited.
  public var hasDoubtfulID = false
  /// Whether a doubtful id is counted in its conversation alone: a message of another conversation that has it is another.
  public var hasLocalID = false
  /// The conversation whose branches and itself share ids, where another conversation may hold a copy of a message under the
  /// same id; `nil` where an id is that of one message of its platform. The key of a branch begins with that of what it
  /// left, and a slash.
  public var copiedWithin: ConversationIdentity?
  /// The message it answers.
  public var replyTo: Reference?
  /// The first message of its thread.
  public var thread: Reference?
  /// The texts that it had before, oldest first.
  public var edits: [Message.Edit] = []
  /// Whether its text was changed after it was written, also where the texts before are not known.
  public var isEdited = false
  /// The time when its text was last changed, if its platform tells.
  public var editedAt: Timestamp?
  /// The emoji that it was answered with.
  public var reactions: [Message.Reaction] = []
  /// The files attached to it.
  public var attachments: [Message.Attachment] = []
  /// The contents of attachments that the history itself holds, by their places among those.
  public var contents: [Int: [UInt8]] = [:]
  /// The progress of an app in sending it.
  public var sendingState: Message.SendingState?
  /// The data that an app keeps with it.
  public var payload: [UInt8]?
  /// The time when it got a star.
  public var starredAt: Timestamp?
  /// The import that brought it into the store that it was exported from; `nil` for the one that brings it now.
  package var origin: Origin?

  /// Creates details of which nothing is known.
  public init() {}

  /// What brought a message into the store that all of it was exported from.
  package enum Origin: Hashable, Sendable {
    /// Nothing: it was written there.
    case writtenByHand
    /// The import of a number, as the file of an index among those that are read lists it.
    case listed(file: Int, number: Int64)
  }

  /// A reference from one imported message to another.
  public enum Reference: Hashable, Sendable {
    /// By the id it had in the store it was exported from.
    case message(Message.ID)
    /// By the platform's own id.
    case external(String)
  }
}

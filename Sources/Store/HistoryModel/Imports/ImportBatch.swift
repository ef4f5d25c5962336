public import MessageModel

/// Messages from an importer on their way into a store, without ids and, on the hot path, without `String`.
///
/// All texts and names are in one array of bytes, and an entry is a few numbers that point into it: a million
/// small strings would take longer than all parsing. Rare details (edits, reactions, platform ids) are in
/// ``details``, by the index of the entry.
public struct ImportBatch: Sendable {
  /// A range of bytes in the batch.
  public struct Span: Hashable, Sendable {
    package var offset: Int32
    package var count: Int32

    /// No value, unlike an empty one.
    public static let none = Span(offset: 0, count: -1)

    /// Whether there is no value.
    public var isNone: Bool { count < 0 }
    /// Whether there are no bytes: no value or an empty one.
    public var isEmpty: Bool { count <= 0 }
  }

  /// A message.
  public struct Entry: Sendable {
    /// When it was written, rounded down to the precision.
    public var time: Timestamp
    /// The precision of its time.
    public var precision: TimePrecision
    /// Its kind.
    public var kind: Message.Kind
    /// The index of its conversation in ``ImportBatch/conversations``.
    public var conversation: Int32
    /// The name of the sender; `none` for lines without one.
    public var sender: Span
    /// The text in UTF-8.
    public var text: Span
    /// Whether only its kind is known: its text is the platform's word for it, in brackets.
    package var isNamedOnly = false

    /// Creates a message whose sender and text are in the batch.
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
  /// For each conversation, whether its source describes it as between two people.
  public private(set) var isDirect: [Bool?] = []
  /// For each conversation, the title of a new one; the next import finds it by its name.
  public private(set) var titles: [String?] = []
  /// The newest titles of conversations by their indices. A store uses them as names until a person renames
  /// the conversation.
  package private(set) var newestTitles: [Int: String] = [:]
  /// For each conversation, the platform's key; `nil` if it has only a name.
  public private(set) var identities: [ConversationIdentity?] = []
  /// For each conversation, the name of its server, workspace or forum.
  public private(set) var places: [String?] = []
  /// For each conversation, the note of an assistant's session, if it is one.
  public private(set) var sessions: [SessionNote?] = []
  private var conversationIndices: [ConversationKey: Int32] = [:]
  /// The messages in the order of their source.
  public private(set) var entries: [Entry] = []
  /// Details by the index of their entry.
  public var details: [Int: ImportDetails] = [:]

  private var bytes: [UInt8] = []

  /// Creates an empty batch.
  public init() {}

  /// The number of messages.
  public var count: Int { entries.count }
  /// Whether there are no messages.
  public var isEmpty: Bool { entries.isEmpty }
  /// The number of bytes of texts and names; readers limit batches by it.
  public var byteCount: Int { bytes.count }

  /// Removes all messages and keeps the memory for the next ones.
  public mutating func removeAll() {
    conversations.removeAll(keepingCapacity: true)
    isDirect.removeAll(keepingCapacity: true)
    titles.removeAll(keepingCapacity: true)
    newestTitles.removeAll(keepingCapacity: true)
    identities.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    sessions.removeAll(keepingCapacity: true)
    conversationIndices.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    details.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Removes matching entries; their bytes stay.
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

  /// The identity of a conversation: the platform's key or, without one, its name.
  public enum ConversationKey: Hashable, Sendable {
    /// The platform's key.
    case identity(ConversationIdentity)
    /// Its name.
    case name(String)
  }

  /// Returns the identity of a conversation in the batch.
  public func key(ofConversation index: Int) -> ConversationKey {
    identities[index].map { .identity($0) } ?? .name(conversations[index])
  }

  /// Returns the index of the conversation with this identity or, without one, this name, adding it if it is
  /// new.
  ///
  /// - Parameters:
  ///   - name: The source's name.
  ///   - said: Whether its source describes it as between two people.
  ///   - title: Its name for people, if its name is only an id. A store without a conversation of that name
  ///     makes one with this title, numbered if that is taken, and finds it by the name from then on.
  ///   - identity: The platform's key, by which a store finds it from then on, whatever its name.
  ///   - place: The name of its server, workspace or forum: in a store with two conversations of one name,
  ///     the second is `place > name`.
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
    // Names from paths may have bytes that are not UTF-8.
    conversations.append(PathBytes.shown(name))
    isDirect.append(said)
    titles.append(title.map(PathBytes.shown))
    identities.append(identity)
    places.append(place.map(PathBytes.shown))
    sessions.append(nil)
    conversationIndices[key] = index
    return index
  }

  /// Sets the newest title of a conversation. It needs no message in the batch.
  package mutating func setNewestTitle(_ title: String, ofConversation conversation: Int32) {
    guard newestTitles[Int(conversation)] != title else { return }
    let title = PathBytes.shown(title)
    // With a title, the name is an id by which a store then looks for the conversation.
    if titles[Int(conversation)] != nil { titles[Int(conversation)] = title }
    newestTitles[Int(conversation)] = title
  }

  /// Sets the session note of a conversation, replacing an earlier one.
  public mutating func note(_ session: SessionNote, ofConversation conversation: Int32) {
    sessions[Int(conversation)] = session
  }

  /// Returns the title of a conversation, else its name.
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
    // Strings with contiguous UTF-8 are copied at once.
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

  /// Appends bytes to the text of the last message, which must be the last bytes in the batch.
  ///
  /// Readers append the lines of a long message one by one in this way.
  public mutating func extendLastText(with value: UnsafeRawBufferPointer) {
    guard let last = entries.indices.last else { preconditionFailure("There is no message to extend.") }
    let text = entries[last].text
    precondition(
      Int(text.offset) + Int(text.count) == bytes.count, "The text of the last message is not what came last."
    )
    bytes.append(contentsOf: value)
    entries[last].text.count += Int32(value.count)
  }

  /// Sets the text of a message of which only the kind is known.
  package mutating func setName(_ name: String, ofEntry index: Int) {
    entries[index].text = store(name)
    entries[index].isNamedOnly = true
  }

  /// Returns the string of a span. Invalid UTF-8 becomes U+FFFD.
  public func string(_ span: Span) -> String? {
    guard !span.isNone else { return nil }
    return withBytes(of: span) { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with the bytes of a span; `none` is an empty buffer.
  @inlinable
  public func withBytes<Result>(
    of span: Span, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try withBytes { try body($0.slice(of: span)) }
  }

  /// Calls `body` with all bytes of the batch; `slice(of:)` returns those of a span.
  @inlinable
  public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try contents.withUnsafeBytes(body)
  }

  @usableFromInline var contents: [UInt8] { bytes }
}

extension UnsafeRawBufferPointer {
  /// Returns the bytes of a span in the bytes of its batch; `none` is an empty buffer.
  @usableFromInline package func slice(of span: ImportBatch.Span) -> UnsafeRawBufferPointer {
    span.count > 0
      ? UnsafeRawBufferPointer(rebasing: self[Int(span.offset)..<Int(span.offset + span.count)])
      : UnsafeRawBufferPointer(start: baseAddress, count: 0)
  }
}

/// Details of an imported message: those of any message, each also a member of this value, and those that
/// only exports have.
@dynamicMemberLookup
public struct ImportDetails: Hashable, Sendable {
  /// What any message may have.
  public var message = Message.Details()
  /// The id of the message in the store that it was exported from.
  public var id: Message.ID?
  /// Whether several messages may have the id of its source, because no platform assigned it or the file may
  /// use it otherwise. Messages of different times are then different, and so are messages of one import with
  /// different texts, unless they were edited.
  public var hasDoubtfulID = false
  /// Whether a doubtful id is unique within its conversation only.
  public var hasLocalID = false
  /// Whether its platform has no edits: another text of the record is then another reading of it.
  package var isNeverEdited = false
  /// What recognises other records of a prompt; `nil` for all other messages.
  package var prompt: TypedPrompt?
  /// The conversation that shares ids with its branches, if other conversations may have copies of a message
  /// under the same id; `nil` if ids are unique on the platform. The key of a branch is that of its origin, a
  /// slash, and more.
  public var copiedWithin: ConversationIdentity?
  /// Contents of attachments within the imported file, by the attachment's index.
  public var contents: [Int: [UInt8]] = [:]
  /// The import that added it to the store that it was exported from; `nil` for the present import.
  package var origin: Origin?

  /// Creates empty details.
  public init() {}

  /// A detail that any message may have.
  @inlinable
  public subscript<Value>(dynamicMember path: WritableKeyPath<Message.Details, Value>) -> Value {
    get { message[keyPath: path] }
    set { message[keyPath: path] = newValue }
  }

  /// How a message got into the store that was exported.
  package enum Origin: Hashable, Sendable {
    /// It was written there.
    case writtenByHand
    /// By the import with a number in the list of a file, given by its index.
    case listed(file: Int, number: Int64)
  }
}

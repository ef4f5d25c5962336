internal import GRDB
internal import HistoryModel
public import MessageModel

/// A message to be written to a store: one that is written here, or as a server has it, in a page or an event.
///
/// ```swift
/// var message = NewMessage(event.text, from: event.sender, at: event.time, replyTo: .external(target))
/// message.source = Message.Source(platform: "acme", id: event.id)
/// message.reactions = [Message.Reaction(emoji: "👍", senders: ["Bo"], senderIDs: ["U7"])]
/// message.attachments = [Message.Attachment(name: "tea.jpg", mediaType: "image/jpeg", byteCount: 40_960)]
/// ```
@dynamicMemberLookup
public struct NewMessage: Hashable, Sendable {
  /// Its text.
  public var text: String
  /// The name of its author. ``Message/Details/senderID`` distinguishes people of one name.
  public var sender: String?
  /// Its kind.
  public var kind: Message.Kind
  /// The time when it was written; `nil` for now, which appends it at the newest end whatever clocks say:
  /// after a message of the future it is last, and keeps the time of now.
  public var time: Timestamp?
  /// The files to store with it, after its ``Message/Details/attachments``, which are facts of files that are
  /// elsewhere.
  public var files: [NewAttachment]
  /// What else is known of it; each detail is also a member of the message.
  public var details = Message.Details()

  /// Creates a message.
  public init(
    _ text: String, from sender: String? = nil, kind: Message.Kind = .text, at time: Timestamp? = nil,
    replyTo: Message.Reference? = nil, thread: Message.Reference? = nil, files: [NewAttachment] = [],
    source: Message.Source? = nil, payload: [UInt8]? = nil, sendingState: Message.SendingState? = nil
  ) {
    self.text = text
    self.sender = sender
    self.kind = kind
    self.time = time
    self.files = files
    details.replyTo = replyTo
    details.thread = thread
    details.source = source
    details.payload = payload
    details.sendingState = sendingState
  }

  /// Creates a message by an author with an id on their platform.
  public init(
    _ text: String, from sender: SenderKey, kind: Message.Kind = .text, at time: Timestamp? = nil,
    replyTo: Message.Reference? = nil, thread: Message.Reference? = nil, files: [NewAttachment] = [],
    source: Message.Source? = nil, payload: [UInt8]? = nil, sendingState: Message.SendingState? = nil
  ) {
    self.init(
      text, from: sender.name, kind: kind, at: time, replyTo: replyTo, thread: thread, files: files,
      source: source, payload: payload, sendingState: sendingState)
    details.senderID = sender.externalID
  }

  /// A detail of the message.
  public subscript<Value>(dynamicMember path: WritableKeyPath<Message.Details, Value>) -> Value {
    get { details[keyPath: path] }
    set { details[keyPath: path] = newValue }
  }
}

extension StoreWriting {
  /// Appends messages to a conversation in one transaction, on disk when it returns, and returns their ids.
  ///
  /// A message without a time is written now, with the later of now and one more than the conversation's
  /// newest id ever as its id: it is always the last.
  ///
  /// An app that synchronises gives each message its platform's id (``Message/Details/source``). One that is here
  /// already is not written again, and its id is returned: it gets what the new state has, by the rules of
  /// imports. A text replaces an older one, which becomes an earlier version; reactions, attachments and
  /// references are added; a payload is replaced, and a sending state only advances. Of a deleted message nothing
  /// is written. So a call can be repeated, and a page of a server may come late, twice, and after others. One
  /// whose contents the server has deleted (``Message/Details/deletion``) is redacted here, too.
  ///
  /// A reply or thread by the platform's id of a message that is not here waits for it: the message is a reply
  /// (``Message/awaitedReply``), and refers to that message as soon as this or a later call, or an import, brings
  /// it.
  ///
  /// Of a text of more than 16 MiB the message keeps the beginning; the whole text is
  /// attached to it as `message.txt`.
  ///
  /// - Parameters:
  ///   - messages: The messages, in the order in which they were written.
  ///   - conversation: The conversation.
  ///   - positions: The writer's read positions, which are stored with the messages; these count as read
  ///     then. `nil` marks nothing as read.
  /// - Throws: ``StoreError`` of kind `notFound` for an unknown conversation, or a reply to a missing message by
  ///   its id in the store; `invalidRequest` for a reference by a platform's id in a message without a source; and
  ///   for files as ``attach(_:to:)``.
  /// - Complexity: O(messages), the same in a store of any size; many at once cost a fraction each. Messages that
  ///   lose their contents cost as in ``redact(_:by:at:)``.
  @discardableResult
  public func append(
    _ messages: [NewMessage], to conversation: Conversation.ID, reading positions: ReadPositions? = nil
  ) throws(StoreError) -> [Message.ID] {
    guard let positions else { return try store.append(messages, to: conversation, and: nil) }
    return try store.append(messages, to: conversation) { db, ids, _ in
      Triggers.switchOn(db)
      var positions = positions
      for id in ids { positions.note(id, in: conversation) }
      try positions.write(to: db)
    }
  }
}

extension SynchronousMessageStore {
  /// Appends messages, and runs `rest` in the same transaction with their ids, which it may change, and the
  /// number of new ones. Triggers may be off then.
  func append(
    _ messages: [NewMessage], to conversation: Conversation.ID,
    and rest: ((Database, inout [Message.ID], Int) throws -> Void)?
  ) throws(StoreError) -> [Message.ID] {
    if messages.contains(where: { $0.details.deletion != nil }) {
      return try appendRedacting(messages, to: conversation, and: rest)
    }
    return try appendAll(messages, to: conversation, and: rest)
  }

  /// As ``append(_:to:and:)``, but messages that are here keep their contents.
  func appendAll(
    _ messages: [NewMessage], to conversation: Conversation.ID,
    and rest: ((Database, inout [Message.ID], Int) throws -> Void)?
  ) throws(StoreError) -> [Message.ID] {
    let doing = "cannot append to '\(path)'"
    var items: [[Attacher.Item]] = []
    var texts: [LongText?] = []
    for message in messages {
      texts.append(try LongText(message.text, for: self, doing: doing))
      items.append(try stage(message.files, doing: doing))
    }
    let contents = items.joined().map(\.content) + texts.compactMap { $0?.content }
    let write = { (db: Database) in
      var appender = try Appender(db: db, conversation: conversation.rawValue, store: self, doing: doing)
      let areMany = messages.count >= Appender.many && contents.isEmpty
      if !areMany { Triggers.switchOn(db) }
      var ids =
        areMany
        ? try appender.appendMany(messages)
        : try messages.indices.map { try appender.append(messages[$0], items[$0], texts[$0]) }
      try appender.applyUpdates()
      try rest?(db, &ids, appender.insertedCount)
      return ids
    }
    if contents.isEmpty { return try writing(doing, switchingTriggers: false, write) }
    return try referring(to: contents, doing, write)
  }
}

extension SynchronousMessageStore {
  func insert(
    _ message: NewMessage, _ items: [Attacher.Item], in conversation: Conversation.ID, _ doing: String,
    _ db: Database
  ) throws -> Message.ID {
    var appender = try Appender(db: db, conversation: conversation.rawValue, store: self, doing: doing)
    return try appender.append(message, items, nil)
  }
}

private struct Appender {
  let db: Database
  let conversation: Int64
  let writer: MessageWriter
  let now: Timestamp
  let attacher: Attacher
  let details: DetailLoader
  private let store: SynchronousMessageStore
  private(set) var insertedCount = 0
  /// What messages that the store has got by being appended again.
  private var updates: [RecordUpdate] = []
  /// The messages to count and index at the end, if triggers are off.
  private var arrivals: [OrdinalIndex.Entry] = []
  private var feed: SearchFeed?
  /// The sources of new messages that others may wait for.
  private var named: [(source: Message.Source, id: Message.ID)] = []

  /// From this number on, messages are counted and indexed together: alone, that takes four fifths of the
  /// time.
  static let many = 16

  init(db: Database, conversation: Int64, store: SynchronousMessageStore, doing: String) throws {
    self.db = db
    self.conversation = conversation
    self.store = store
    now = store.clock()
    attacher = Attacher(db, of: store, doing: doing)
    writer = try MessageWriter(db: db, previewByteCount: store.options.previewByteCount)
    details = DetailLoader(db: db, writer: writer)
  }

  mutating func appendMany(_ messages: [NewMessage]) throws -> [Message.ID] {
    try checkConversation()
    let newestInStore = try RawStatement.number(db, "SELECT max(id) FROM message") ?? .min
    let newest =
      try RawStatement.number(db, "SELECT max(id) FROM message WHERE conversation = ?", conversation) ?? .min
    try Triggers.switchOff(db)
    feed = SearchFeed(builder: nil)
    let ids = try messages.map { try append($0, [], nil) }
    let listed = arrivals.map(\.id)
    var counts = ArrivalCounts(db, after: newestInStore)
    try counts.add(arrivals, to: conversation, after: newest)
    try counts.finish()
    try ChangeLog(db: db).noteInserted(listed, in: conversation)
    feed?.close()
    try feed?.write(into: db)
    try resolveWaiting()
    return ids
  }

  /// Changes the messages that wait for one that came, which triggers count and log.
  private func resolveWaiting() throws {
    let awaited = try named.filter { try details.isAwaited($0.source) }
    guard !awaited.isEmpty else { return }
    Triggers.switchOn(db)
    for (source, id) in awaited { try details.resolveWaiting(for: source, id) }
  }

  mutating func append(
    _ message: NewMessage, _ items: [Attacher.Item], _ long: LongText?
  ) throws -> Message.ID {
    let detail = try detail(of: message)
    if let known = try knownID(of: detail.message.source) {
      try noteUpdate(of: known, message, detail, long)
      return known
    }
    let items = items + (long.map { [$0.item] } ?? [])
    var row = MessageWriter.Row(
      conversation: conversation,
      id: try message.time.map { try freeID(from: Message.ID(time: $0)) } ?? newestID(),
      sender: try message.sender.map {
        try writer.sender(named: $0, external: detail.message.senderID ?? "")
      },
      kind: message.kind, precision: .millisecond)
    try details.prepare(&row, detail, hasRemapped: false, from: place)
    row.setTime(message.time ?? now)
    if !items.isEmpty { row.features |= MessageRow.Feature.attachment }
    let isNew = try withText(of: message, long) { bytes in
      if MessageWriter.hasLink(bytes) { row.features |= MessageRow.Feature.link }
      guard try writer.insert(row, text: bytes) else { return false }
      feed?.add(row, text: bytes)
      return true
    }
    guard isNew else {
      throw StoreError(.damaged, "cannot append a message", cause: "its id \(row.id) was taken meanwhile")
    }
    insertedCount += 1
    if feed != nil { arrivals.append(OrdinalIndex.Entry(row)) }
    try insert(detail, of: row.id)
    if !items.isEmpty { try attacher.add(items, to: row.id) }
    return row.id
  }

  private var place: DetailLoader.Place {
    DetailLoader.Place(conversation: conversation, origins: nil, label: .none)
  }

  private func withText<Value>(
    of message: NewMessage, _ long: LongText?, _ body: (UnsafeRawBufferPointer) throws -> Value
  ) rethrows -> Value {
    var text = message.text
    return try text.withUTF8 { utf8 in
      try body(
        UnsafeRawBufferPointer(
          rebasing: UnsafeRawBufferPointer(utf8).prefix(long?.previewByteCount ?? .max)))
    }
  }

  /// Returns the details of a message, with references to messages that exist or may come.
  private func detail(of message: NewMessage) throws -> ImportDetails {
    var detail = ImportDetails()
    detail.message = message.details
    detail.message.replyTo = try detail.message.replyTo.map { try checked($0, of: detail) }
    detail.message.thread = try detail.message.thread.map { try checked($0, of: detail) }
    return detail
  }

  private func checked(_ reference: Message.Reference, of detail: ImportDetails) throws -> Message.Reference {
    switch reference {
    case .message(let id): return .message(try present(id))
    case .external(let external):
      guard detail.message.source == nil else { return reference }
      throw StoreError(
        .invalidRequest, "cannot append a reply to '\(external)'",
        cause: "the message has no source, so the platform of that id is unknown")
    }
  }

  /// Stores what a new message has besides its row, and resolves replies that wait for it: now or, with triggers
  /// off, at the end.
  private mutating func insert(_ detail: ImportDetails, of id: Message.ID) throws {
    guard feed != nil else { return try details.insert(detail, of: id, at: place) }
    try details.insertFacts(detail, of: id, at: place)
    guard let source = detail.message.source else { return }
    try writer.insert(source, of: id)
    named.append((source, id))
  }

  private mutating func noteUpdate(
    of id: Message.ID, _ message: NewMessage, _ detail: ImportDetails, _ long: LongText?
  ) throws {
    let update = try withText(of: message, long) { text -> RecordUpdate? in
      guard try RecordUpdate.mayBe(about: id, detail, text: text, isLive: true, in: db) else { return nil }
      return RecordUpdate(
        id: id, kind: message.kind, text: String(decoding: text, as: UTF8.self), long: long, details: detail,
        label: .none)
    }
    if let update { updates.append(update) }
  }

  func applyUpdates() throws {
    guard !updates.isEmpty else { return }
    Triggers.switchOn(db)
    let updater = try ImportUpdater(db, store: store, origins: nil)
    for update in updates { _ = try updater.apply(update, hasRemapped: false) }
  }

  /// Returns the message with a platform's id, present or deleted.
  private func knownID(of source: Message.Source?) throws -> Message.ID? {
    guard let source, let external = source.id else { return nil }
    return try details.message(platform: source.platform, external: external)
  }

  private func present(_ id: Message.ID) throws -> Message.ID {
    if let present = try FormerIDs(db: db).present(id) { return present }
    throw StoreError(
      .notFound, "cannot answer message #\(id)", cause: "there is no such message",
      remedy: .searchMessages)
  }

  private func checkConversation() throws {
    guard try RawStatement.number(db, "SELECT 1 FROM conversation WHERE id = ?", conversation) == nil else {
      return
    }
    throw StoreError(
      .notFound, "cannot append", cause: "its conversation was deleted, or merged into another",
      remedy: .listConversations)
  }

  private func newestID() throws -> Message.ID {
    try checkConversation()
    let newest = try RawStatement.number(
      db, "SELECT id FROM message WHERE conversation = ? ORDER BY id DESC LIMIT 1", conversation)
    let deleted = try RawStatement.number(
      db, "SELECT id FROM tombstone WHERE conversation = ? ORDER BY id DESC LIMIT 1", conversation)
    let highest = max(newest ?? .min, deleted ?? .min)
    let next = highest == .max ? highest : highest + 1
    return try freeID(from: max(Message.ID(time: now), Message.ID(rawValue: next)))
  }

  private func freeID(from id: Message.ID) throws -> Message.ID {
    guard let free = try FreeIDs(db: db).place(from: id) else {
      throw StoreError(
        .invalidRequest, "cannot append", cause: "the store has the last possible message already",
        remedy: "open another conversation, or make one")
    }
    return free
  }
}

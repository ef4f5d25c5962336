internal import GRDB
public import MessageModel

/// A message to be written to a store.
public struct NewMessage: Hashable, Sendable {
  /// Its text.
  public var text: String
  /// The name of its author.
  public var sender: String?
  /// The author's id on their platform, which distinguishes people of one name. Ignored without a name.
  public var senderID: String?
  /// Its kind.
  public var kind: Message.Kind
  /// The time when it was written; `nil` for now, which appends it at the newest end whatever clocks say:
  /// after a message of the future it is last, and keeps the time of now.
  public var time: Timestamp?
  /// The message that it replies to.
  public var replyTo: Message.ID?
  /// The files to attach.
  public var attachments: [NewAttachment]
  /// The first message of its thread.
  public var thread: Message.ID?
  /// The id that its platform gave it. A message with a platform's id that the store has, or had before it
  /// was deleted, is not written again.
  public var source: Message.Source?
  /// An app's data; the store does not interpret it.
  public var payload: [UInt8]?
  /// An app's progress in sending it.
  public var sendingState: Message.SendingState?

  /// Creates a message.
  public init(
    _ text: String, from sender: String? = nil, kind: Message.Kind = .text, at time: Timestamp? = nil,
    replyTo: Message.ID? = nil, thread: Message.ID? = nil, attachments: [NewAttachment] = [],
    source: Message.Source? = nil, payload: [UInt8]? = nil, sendingState: Message.SendingState? = nil
  ) {
    self.thread = thread
    self.source = source
    self.payload = payload
    self.sendingState = sendingState
    self.attachments = attachments
    self.text = text
    self.sender = sender
    self.kind = kind
    self.time = time
    self.replyTo = replyTo
  }

  /// Creates a message by an author with an id on their platform.
  public init(
    _ text: String, from sender: SenderKey, kind: Message.Kind = .text, at time: Timestamp? = nil,
    replyTo: Message.ID? = nil, thread: Message.ID? = nil, attachments: [NewAttachment] = [],
    source: Message.Source? = nil, payload: [UInt8]? = nil, sendingState: Message.SendingState? = nil
  ) {
    self.init(
      text, from: sender.name, kind: kind, at: time, replyTo: replyTo, thread: thread,
      attachments: attachments, source: source, payload: payload, sendingState: sendingState)
    senderID = sender.externalID
  }
}

extension StoreWriting {
  /// Appends messages to a conversation in one transaction, on disk when it returns, and returns their ids.
  ///
  /// A message without a time is written now, with the later of now and one more than the conversation's
  /// newest id ever as its id: it is always the last.
  ///
  /// An app that synchronises gives each message its platform's id: an existing one is not written again, and
  /// its id is returned, so that a call can be repeated.
  ///
  /// Of a text of more than ``maxTextByteCount`` bytes the message keeps the beginning; the whole text is
  /// attached to it as `message.txt`.
  ///
  /// - Parameters:
  ///   - messages: The messages, in the order in which they were written.
  ///   - conversation: The conversation.
  ///   - positions: The writer's read positions, which are stored with the messages; these count as read
  ///     then. `nil` marks nothing as read.
  /// - Throws: ``StoreError`` of kind `notFound` for an unknown conversation or a reply to a missing message,
  ///   and for files as ``attach(_:to:)``.
  /// - Complexity: O(messages), the same in a store of any size; many at once cost a fraction each.
  @discardableResult
  public func append(
    _ messages: [NewMessage], to conversation: Conversation.ID, reading positions: ReadPositions? = nil
  ) throws(StoreError) -> [Message.ID] {
    try store.append(messages, to: conversation) { db, ids, _ in
      guard var positions else { return }
      for id in ids { positions.note(id, in: conversation) }
      try positions.write(to: db)
    }
  }
}

extension SynchronousMessageStore {
  /// Appends messages, and runs `rest` in the same transaction with their ids, which it may change, and the
  /// number of new ones.
  func append(
    _ messages: [NewMessage], to conversation: Conversation.ID,
    and rest: (Database, inout [Message.ID], Int) throws -> Void
  ) throws(StoreError) -> [Message.ID] {
    let doing = "cannot append to '\(path)'"
    var items: [[Attacher.Item]] = []
    var texts: [LongText?] = []
    for message in messages {
      texts.append(try LongText(message.text, for: self, doing: doing))
      items.append(try stage(message.attachments, doing: doing))
    }
    let contents = items.joined().map(\.content) + texts.compactMap { $0?.content }
    let write = { (db: Database) in
      var appender = try Appender(db: db, conversation: conversation.rawValue, store: self, doing: doing)
      let areMany = messages.count >= Appender.many && contents.isEmpty
      var ids =
        areMany
        ? try appender.appendMany(messages)
        : try messages.indices.map { try appender.append(messages[$0], items[$0], texts[$0]) }
      try rest(db, &ids, appender.insertedCount)
      return ids
    }
    if contents.isEmpty { return try writing(doing, write) }
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
  private(set) var insertedCount = 0
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
    let ids = try SynchronousMessageStore.withoutTriggers(db) {
      feed = SearchFeed(builder: nil)
      let ids = try messages.map { try append($0, [], nil) }
      let listed = arrivals.map(\.id)
      var counts = ArrivalCounts(db, after: newestInStore)
      try counts.add(arrivals, to: conversation, after: newest)
      try counts.finish()
      try ChangeLog(db: db).noteInserted(listed, in: conversation)
      feed?.close()
      try feed?.write(into: db)
      return ids
    }
    // Resolving changes the waiting messages, which triggers count and log.
    for (source, id) in named { try details.resolveWaiting(for: source, id) }
    return ids
  }

  mutating func append(
    _ message: NewMessage, _ items: [Attacher.Item], _ long: LongText?
  ) throws -> Message.ID {
    if let known = try knownID(of: message.source) { return known }
    let items = items + (long.map { [$0.item] } ?? [])
    let replyTo = try message.replyTo.map { try present($0) }
    let thread = try message.thread.map { try present($0) }
    var row = MessageWriter.Row(
      conversation: conversation,
      id: try message.time.map { try freeID(from: Message.ID(time: $0)) } ?? newestID(),
      sender: try message.sender.map { try writer.sender(named: $0, external: message.senderID ?? "") },
      kind: message.kind, precision: .millisecond, replyTo: replyTo, thread: thread,
      features: replyTo == nil ? 0 : MessageRow.Feature.reply)
    row.setTime(message.time ?? now)
    if !items.isEmpty { row.features |= MessageRow.Feature.attachment }
    let kept = KeptPayload(state: message.sendingState, data: message.payload)
    if !kept.isEmpty { row.features |= MessageRow.Feature.payload }
    var text = message.text
    let isNew = try text.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(
        rebasing: UnsafeRawBufferPointer(utf8).prefix(long?.previewByteCount ?? .max))
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
    if !items.isEmpty { try attacher.add(items, to: row.id) }
    if !kept.isEmpty { try kept.write(for: row.id, in: db) }
    if let source = message.source { try note(source, of: row.id) }
    return row.id
  }

  /// Stores a message's source, and resolves replies that wait for it: now or, with triggers off, at the end.
  private mutating func note(_ source: Message.Source, of id: Message.ID) throws {
    guard feed != nil else { return try details.insert(source, of: id) }
    try writer.insert(source, of: id)
    named.append((source, id))
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
      remedy: .showMessage(id))
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

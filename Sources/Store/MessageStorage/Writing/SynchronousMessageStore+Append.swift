internal import GRDB
public import MessageModel

/// A message to be written into a store.
public struct NewMessage: Hashable, Sendable {
  /// Its text.
  public var text: String
  /// The name of the person who writes it.
  public var sender: String?
  /// The id of that person on their platform: two of one name are two by it. It is nothing without a name.
  public var senderID: String?
  /// Its kind.
  public var kind: Message.Kind
  /// The time when it was written; `nil` for now, which puts it at the newest end whatever clocks say: behind a message of
  /// the future it is last, and keeps the time of now.
  public var time: Timestamp?
  /// The message that it answers.
  public var replyTo: Message.ID?
  /// Files to be attached to it.
  public var attachments: [NewAttachment]
  /// The first message of the thread that it belongs to.
  public var thread: Message.ID?
  /// The id that its platform gave it. A message whose platform's id the store has, or had before it was deleted, is not
  /// written again.
  public var source: Message.Source?
  /// The data that an app keeps with it; it means nothing to the store.
  public var payload: [UInt8]?
  /// The progress of an app in sending it.
  public var sendingState: Message.SendingState?

  /// Creates a message to be written.
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

  /// Creates a message to be written by somebody whom their platform knows by an id.
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
  /// A message without a time is written now, and gets as its id the later of now and one more than the newest id the
  /// conversation ever had: it is always the last.
  ///
  /// An app that synchronises gives each message what its platform calls it: one that is there already is not written
  /// again, and its id is returned, so that the same may be appended twice.
  ///
  /// Of a text of more than ``maxTextByteCount`` bytes the message keeps the beginning; the whole is attached to it
  /// as `message.txt`.
  ///
  /// - Parameters:
  ///   - messages: The messages, in the order in which they were written.
  ///   - conversation: The conversation.
  ///   - positions: Up to where the writer has read, to be written with the messages, which count as read then; `nil`
  ///     marks nothing as read.
  /// - Throws: ``StoreError`` of kind `notFound` for an unknown conversation or a reply to a message that is
  ///   not there, what ``attach(_:to:)`` throws for files.
  /// - Complexity: O(messages), each the same in a store of any size; of many at once each costs a fraction of one alone.
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
  /// Appends messages, and does something else in the same transaction.
  ///
  /// - Parameter rest: What else, given the ids of the messages, which it may change, and how many of them were not there before.
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
  /// Appends one message with contents that were taken in, within a transaction.
  func insert(
    _ message: NewMessage, _ items: [Attacher.Item], in conversation: Conversation.ID, _ doing: String,
    _ db: Database
  ) throws -> Message.ID {
    var appender = try Appender(db: db, conversation: conversation.rawValue, store: self, doing: doing)
    return try appender.append(message, items, nil)
  }
}

/// Appends to one conversation within one transaction.
private struct Appender {
  let db: Database
  let conversation: Int64
  let writer: MessageWriter
  let now: Timestamp
  let attacher: Attacher
  let details: DetailLoader
  /// The number of messages that were not there before.
  private(set) var insertedCount = 0
  /// What is to be counted and indexed at the end, where the triggers are off.
  private var arrivals: [OrdinalIndex.Entry] = []
  private var feed: SearchFeed?
  /// What their platforms call those that others may have waited for.
  private var named: [(source: Message.Source, id: Message.ID)] = []

  /// From so many messages on they are counted and indexed together: counting and indexing one takes four fifths of the
  /// time in which it is written.
  static let many = 16

  init(db: Database, conversation: Int64, store: SynchronousMessageStore, doing: String) throws {
    self.db = db
    self.conversation = conversation
    now = store.clock()
    attacher = Attacher(db, of: store, doing: doing)
    writer = try MessageWriter(db: db, previewByteCount: store.options.previewByteCount)
    details = DetailLoader(db: db, writer: writer)
  }

  /// Appends messages to which no files belong, and returns their ids.
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
    // Those that have waited for one of them are changed by it, which is counted and listed.
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

  /// Writes down what its platform calls a message, and connects those that have waited for it, now or where the triggers are on
  /// again.
  private mutating func note(_ source: Message.Source, of id: Message.ID) throws {
    guard feed != nil else { return try details.insert(source, of: id) }
    try writer.insert(source, of: id)
    named.append((source, id))
  }

  /// Returns the message that has the platform's id of a new one, or had it before it was deleted.
  private func knownID(of source: Message.Source?) throws -> Message.ID? {
    guard let source, let external = source.id else { return nil }
    return try details.message(platform: source.platform, external: external)
  }

  /// Returns the id that a message which is answered has now.
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
        .invalidRequest, "cannot append", cause: "no place is left behind the last message there can be",
        remedy: "open another conversation, or make one")
    }
    return free
  }
}

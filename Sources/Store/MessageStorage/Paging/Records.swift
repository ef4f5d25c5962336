internal import GRDB
public import MessageModel

extension StoreReading {
  /// Returns the requested messages with all their data, including whole texts.
  ///
  /// Like ``page(_:)``, for exports and details, at the cost of reading the texts.
  ///
  /// - Parameters:
  ///   - request: The selection, the place, and the direction.
  ///   - byteLimit: A limit on the bytes of text: the page ends with the message that reaches it. Continue
  ///     after the last message.
  ///   - mayPause: Whether a filtered read may stop early, as a page does, with a ``RecordPage/nextAnchor``.
  /// - Throws: ``StoreError`` of kind `invalidRequest` for a wrong expression.
  package func records(
    _ request: MessageModel.PageRequest, byteLimit: Int = .max, mayPause: Bool = false
  ) throws(StoreError) -> RecordPage {
    try store.reading(
      "cannot read messages from '\(store.path)'", archived: { try $0.records(request, byteLimit: byteLimit) }
    ) { db in
      let page = try Fetch(
        request, in: db, names: store.senderNames, budget: mayPause ? PageReader.budget : .max
      ).page()
      var whole = try Records(db: db, names: store.senderNames, byteLimit: byteLimit)
      let records = try whole.complete(page.messages)
      let isCut = records.count < page.messages.count
      return RecordPage(
        records: records, hasOlder: page.hasOlder || isCut && request.order == .newestFirst,
        hasNewer: page.hasNewer || isCut && request.order == .oldestFirst, counts: page.counts,
        resolution: page.resolution, version: page.version, nextAnchor: isCut ? nil : page.nextAnchor)
    }
  }

  /// Returns messages by present or former id, with all their data, in the order of the ids; missing ones are
  /// left out.
  ///
  /// - Parameters:
  ///   - ids: The ids, in the order of the result.
  ///   - byteLimit: A limit on the bytes of text: reading ends with the message that reaches it.
  /// - Returns: The messages, and the ids not reached.
  /// - Complexity: O(ids × log *n* + bytes), in one transaction.
  public func records(
    of ids: ArraySlice<Message.ID>, byteLimit: Int = .max
  ) throws(StoreError) -> (records: [MessageRecord], rest: ArraySlice<Message.ID>) {
    try store.reading(
      "cannot read messages from '\(store.path)'", archived: { try $0.records(of: ids, byteLimit: byteLimit) }
    ) { db in
      var whole = try Records(db: db, names: store.senderNames, byteLimit: byteLimit)
      var records: [MessageRecord] = []
      var rest = ids
      // Reads in pieces, since all messages of a piece are in memory.
      while !rest.isEmpty {
        let found = try rest.prefix(Records.pieceCount).enumerated().compactMap { place, id in
          try SynchronousMessageStore.message(id, in: db, names: store.senderNames).map { (place, $0) }
        }
        let complete = try whole.complete(found.map(\.1))
        records += complete
        guard complete.count == found.count else {
          return (records, rest.dropFirst(found[complete.count].0))
        }
        rest = rest.dropFirst(Records.pieceCount)
      }
      return (records, rest)
    }
  }

  /// Returns the message with a platform's id; `nil` if there is none, or it was deleted.
  ///
  /// - Parameters:
  ///   - platform: The name in the message's ``Message/Source``, for example `slack`.
  ///   - external: The platform's id.
  public func messageID(platform: String, id external: String) throws(StoreError) -> Message.ID? {
    try store.reading(
      "cannot look up a message in '\(store.path)'",
      archived: { try $0.messageID(platform: platform, id: external) }
    ) { db in
      guard let id = try PlatformIDs(db: db).message(platform: platform, external: external) else {
        return nil
      }
      return try RawStatement.number(db, "SELECT 1 FROM message WHERE id = ?", id.rawValue).map { _ in id }
    }
  }
}

extension SynchronousMessageStore {
  /// Returns the millisecond when a message was written. If it does not exist, the time is taken from its id.
  package func moment(of id: Message.ID) throws(StoreError) -> Timestamp {
    try reading(
      "cannot read messages from '\(path)'",
      archived: { try $0.records(of: [id])[id]?.message.moment ?? id.placeTime }
    ) { db in try MessageTimes(db).time(of: id) }
  }
}

extension SynchronousMessageStore {
  /// Returns messages of several conversations, one conversation after another, with all their data.
  ///
  /// - Parameters:
  ///   - predicate: The condition on messages.
  ///   - order: Their order within each conversation.
  ///   - place: Where to begin, in the direction of `order`.
  ///   - limit: The most messages to return, at least 1.
  ///   - byteLimit: A limit on the bytes of text: the page ends with the message that reaches it.
  /// - Returns: The messages, and where to continue; `nil` at the end.
  /// - Throws: ``StoreError`` of kind `invalidRequest` for a wrong expression.
  /// - Complexity: That of a page for each conversation, in one transaction.
  package func records(
    of conversations: ArraySlice<Conversation.ID>, where predicate: MessagePredicate = .everything,
    order: MessageModel.PageRequest.Order = .oldestFirst, from place: ConversationPlace, limit: Int,
    byteLimit: Int = .max
  ) throws(StoreError) -> (records: [MessageRecord], next: ConversationPlace?) {
    try reading("cannot read messages from '\(path)'") { db in
      var reader = try PageReader(
        Selection(.some([]), where: predicate), in: db, names: senderNames, budget: .max)
      var whole = try Records(db: db, names: senderNames, byteLimit: byteLimit)
      let isOldestFirst = order == .oldestFirst
      var (place, records) = (place, [MessageRecord]())
      while place.index < conversations.endIndex {
        reader.turn(to: conversations[place.index])
        let wanted = limit - records.count
        let run = try reader.run(
          isOldestFirst ? .newer : .older, from: place.id, limit: wanted < .max ? wanted + 1 : wanted)
        let found = try whole.complete(Array(run.messages.prefix(wanted)))
        records += found
        if run.messages.count > found.count {
          return (records, ConversationPlace(index: place.index, id: run.messages[found.count].id))
        }
        place = ConversationPlace(index: place.index + 1, id: isOldestFirst ? .lowest : .highest)
      }
      return (records, nil)
    }
  }
}

/// A place in a walk along conversations.
package struct ConversationPlace: Hashable, Sendable {
  /// The index of the conversation.
  package var index: Int
  /// The first id to read there.
  package var id: Message.ID

  /// Creates a place.
  package init(index: Int, id: Message.ID) {
    self.index = index
    self.id = id
  }
}

/// A page of whole messages.
package struct RecordPage: Hashable, Sendable {
  /// The messages, in the order of the request.
  public var records: [MessageRecord]
  /// Whether there are older messages than these.
  public var hasOlder: Bool
  /// Whether there are newer messages than these.
  public var hasNewer: Bool
  /// The ordinals of these messages; `nil` if not requested.
  public var counts: Page.Counts?
  /// The place that the anchor resolved to.
  public var resolution: Page.Resolution
  /// The version of the store that was read.
  public var version: SourceVersion
  /// Where a filtered read stopped because its budget was spent.
  public var nextAnchor: PageAnchor?
}

/// Adds to messages the data that pages lack.
private struct Records {
  let db: Database
  let names: SenderNames
  let byteLimit: Int

  static let pieceCount = 200
  private var byteCount = 0
  private let hasPayloads: Bool
  private let hasKeys: Bool
  private var identities: [Conversation.ID: ConversationIdentity?] = [:]

  init(db: Database, names: SenderNames, byteLimit: Int) throws {
    hasPayloads = try RawStatement.number(db, "SELECT EXISTS (SELECT 1 FROM payload)") != 0
    hasKeys = try RawStatement.number(db, "SELECT EXISTS (SELECT 1 FROM conversation_key)") != 0
    self.db = db
    self.names = names
    self.byteLimit = byteLimit
  }

  /// Returns whole messages, fewer if their texts are long.
  mutating func complete(_ messages: [Message]) throws -> [MessageRecord] {
    let sources = try sources(of: messages.map(\.id))
    var records: [MessageRecord] = []
    for message in messages where byteCount < byteLimit {
      var record = try whole(message, sources[message.id])
      if hasKeys { record.conversationIdentity = try identity(of: message.conversation) }
      byteCount += record.edits.reduce(record.message.text.utf8.count) { $0 + $1.text.utf8.count }
      byteCount += record.payload?.count ?? 0
      records.append(record)
    }
    return records
  }

  private mutating func identity(of conversation: Conversation.ID) throws -> ConversationIdentity? {
    if let known = identities[conversation] { return known }
    let found = try ConversationKeys(db: db).identity(of: conversation.rawValue)
    identities[conversation] = .some(found)
    return found
  }

  private func whole(_ message: Message, _ source: Message.Source?) throws -> MessageRecord {
    var whole = message
    if message.isTextCut, let text = try SynchronousMessageStore.text(of: message.id, in: db) {
      whole.text = text
      if text.utf8.count != message.textByteCount {
        names.damage.note("the rest of the text of message #\(message.id) has changed")
      } else {
        try compare(message)
      }
    }
    return MessageRecord(
      message: whole,
      senderID: try message.sender.flatMap { try names.external($0.id.rawValue, in: db) },
      edits: message.isEdited ? try SynchronousMessageStore.edits(of: message.id, in: db) : [],
      editedAt: message.isEdited ? try SynchronousMessageStore.editTime(of: message.id, in: db) : nil,
      source: source, payload: hasPayloads ? try KeptPayload(of: message.id, in: db).data : nil)
  }

  private func compare(_ message: Message) throws {
    let row = try RawStatement(
      db,
      """
      SELECT \(MessageRow.columns), (SELECT text FROM body WHERE body.id = message.id) FROM message
        WHERE id = ?
      """, message.id.rawValue)
    defer { row.reset() }
    guard try row.step() else { return }
    MessageRow.compare(
      row, writtenAt: message.writtenAt, rest: row.text(MessageRow.columnCount), noting: names.damage)
  }

  /// Reads sources one id at a time: a range of ids would also contain messages that were not asked for.
  private func sources(of ids: [Message.ID]) throws -> [Message.ID: Message.Source] {
    let statement = try RawStatement(db, PlatformIDs.reading)
    var walk = try SourceWalk(db)
    var sources: [Message.ID: Message.Source] = [:]
    for id in ids.sorted() where try walk.hasSource(id) {
      statement.bind(id.rawValue)
      defer { statement.reset() }
      guard try statement.step() else { continue }
      sources[id] = PlatformIDs.source(in: statement)
    }
    return sources
  }
}

/// Tells which of some ascending ids have a row in `source`. One lookup serves all ids before the next row.
struct SourceWalk {
  private let statement: RawStatement
  private var next: Message.ID?
  private var isKnown = false

  init(_ db: Database) throws {
    statement = try RawStatement(db, "SELECT message FROM source WHERE message >= ? ORDER BY message LIMIT 1")
  }

  /// Allows the next id to be lower than the last one.
  mutating func restart() { isKnown = false }

  /// Whether a message has a row in `source`; ids must ascend.
  mutating func hasSource(_ id: Message.ID) throws -> Bool {
    if !isKnown || next.map({ $0 < id }) == true {
      statement.bind(id.rawValue)
      defer { statement.reset() }
      next = try statement.step() ? Message.ID(rawValue: statement.int(0)) : nil
      isKnown = true
    }
    return next == id
  }
}

internal import GRDB
package import MessageModel

extension SynchronousMessageStore {
  /// Calls `body` with the bytes of messages of a conversation, oldest first, without creating values: four
  /// times as fast as ``records(_:byteLimit:mayPause:)``.
  ///
  /// It stops before a message with data outside of its row (edits, reactions, attachments, a payload, a
  /// star, a source, the rest of a long text); ``records(_:byteLimit:mayPause:)`` reads that.
  ///
  /// - Parameters:
  ///   - ids: The range of ids.
  ///   - limit: The most messages.
  /// - Returns: Where to continue; `nil` at the end of `ids`.
  /// - Throws: ``StoreError``; another error of `body` becomes one of kind `inputOutput`.
  /// - Complexity: O(messages read), in one transaction.
  package func rawMessages(
    in conversation: Conversation.ID, _ ids: ClosedRange<Message.ID>, limit: Int,
    _ body: (RawMessage) throws -> Void
  ) throws -> RawRun? {
    try rawMessages(
      of: [conversation], from: ConversationPlace(index: 0, id: ids.lowerBound), through: ids.upperBound,
      limit: limit
    ) { try body($1) }
  }

  /// Calls `body` with the messages of several conversations, one conversation after another, each oldest
  /// first, like ``rawMessages(in:_:limit:_:)`` for one.
  ///
  /// - Parameters:
  ///   - place: Where to begin.
  ///   - last: The greatest id of the last conversation.
  ///   - body: Takes the index of the conversation, and the message.
  /// - Returns: Where to continue; `nil` at the end.
  /// - Throws: As ``rawMessages(in:_:limit:_:)``.
  /// - Complexity: O(messages read + conversations), in one transaction.
  package func rawMessages(
    of conversations: ArraySlice<Conversation.ID>, from place: ConversationPlace,
    through last: Message.ID = .highest,
    limit: Int, _ body: (Int, RawMessage) throws -> Void
  ) throws -> RawRun? {
    try reading("cannot read messages from '\(path)'") { db in
      var reader = try RawReader(db, names: senderNames)
      var (place, count) = (place, 0)
      while place.index < conversations.endIndex {
        let index = place.index
        let end = index == conversations.endIndex - 1 ? last : .highest
        if place.id <= end {
          let run = try reader.read(conversations[index], place.id...end, limit: limit - count) {
            try body(index, $0)
          }
          count += run.count
          if let next = run.next {
            return RawRun(
              next: next, index: index, isNextWhole: run.isNextWhole, count: count)
          }
        }
        place = ConversationPlace(index: index + 1, id: .lowest)
      }
      return nil
    }
  }

  /// Returns ids that divide a conversation into pieces of at least `count` messages, and hardly more.
  ///
  /// - Complexity: O(messages of the conversation / 1,024). It relies on the stored counts: if they are
  ///   wrong, pieces are longer or shorter.
  package func cuts(
    of conversation: Conversation.ID, every count: Int
  ) throws(StoreError) -> [Message.ID] {
    try reading("cannot read messages from '\(path)'") { db in
      let blocks = try RawStatement(
        db, "SELECT first_id, count FROM block WHERE scope = ? ORDER BY first_id", conversation.rawValue)
      defer { blocks.reset() }
      var cuts: [Message.ID] = []
      var sum = 0
      while try blocks.step() {
        let first = Message.ID(rawValue: blocks.int(0))
        if sum >= count, first > cuts.last ?? .lowest {
          cuts.append(first)
          sum = 0
        }
        sum = sum.adding(blocks.count(1))
      }
      return cuts
    }
  }
}

/// The extent of a read of raw messages, and where to continue.
package struct RawRun: Hashable, Sendable {
  /// The next message.
  package var next: Message.ID
  /// The index of that message's conversation.
  package var index = 0
  /// Whether that message has data outside of its row.
  package var isNextWhole: Bool
  /// The number of messages read.
  package var count: Int

  /// The place of the next message.
  package var place: ConversationPlace { ConversationPlace(index: index, id: next) }
}

private struct RawReader {
  private let db: Database
  private let names: SenderNames
  private let rows: RawStatement
  private var sources: SourceWalk
  private var senders: [Int64: (Sender, String?)] = [:]

  /// The most cached senders; a piece of an export rarely has more.
  private static let senderLimit = 4_096

  private static let whole =
    MessageRow.Feature.edit | MessageRow.Feature.reaction | MessageRow.Feature.attachment
    | MessageRow.Feature.payload | MessageRow.Feature.star | MessageRow.Feature.forward
    | MessageRow.Feature.deletion

  init(_ db: Database, names: SenderNames) throws {
    self.db = db
    self.names = names
    sources = try SourceWalk(db)
    rows = try RawStatement(
      db,
      """
      SELECT \(MessageRow.columns) FROM message
      WHERE conversation = ? AND id BETWEEN ? AND ? ORDER BY id
      """)
  }

  /// The extent of a read of one conversation; without a next message it reached the end.
  struct Run {
    var next: Message.ID?
    var isNextWhole = false
    var count: Int
  }

  mutating func read(
    _ conversation: Conversation.ID, _ ids: ClosedRange<Message.ID>, limit: Int,
    _ body: (RawMessage) throws -> Void
  ) throws -> Run {
    rows.bind(conversation.rawValue, ids.lowerBound.rawValue, ids.upperBound.rawValue)
    defer { rows.reset() }
    sources.restart()
    var count = 0
    var last: Message.ID?
    while try rows.step() {
      let id = Message.ID(rawValue: rows.int(0))
      let isWhole =
        try rows.int(10) & Self.whole != 0 || !rows.isNull(6) || sources.hasSource(id)
      if isWhole || count == limit { return Run(next: id, isNextWhole: isWhole, count: count) }
      let writtenAt =
        rows.int(10) & MessageRow.Feature.writtenAt == 0
        ? nil : try MessageRow.writtenAt(id, in: db, noting: names.damage)
      let sender = try rows.optionalInt(2).map { try self.sender($0) }
      if let last, last >= id { names.damage.note("message #\(id) is not in its place") }
      last = id
      try rows.withBytes(5) { text in
        if !isText(text) { names.damage.note("the text of message #\(id) has bytes that are none of a text") }
        var message = RawMessage(
          id: id, precision: TimePrecision(rawValue: Int(rows.int(4))) ?? .millisecond, sender: sender?.0,
          senderID: sender?.1, kind: Message.Kind(rawValue: Int(rows.int(3))) ?? .unknown, text: text,
          replyTo: rows.optionalInt(7).map(Message.ID.init(rawValue:)),
          thread: rows.optionalInt(8).map(Message.ID.init(rawValue:)))
        message.writtenAt = writtenAt
        try body(message)
      }
      MessageRow.compare(rows, writtenAt: writtenAt, noting: names.damage)
      count += 1
    }
    return Run(count: count)
  }

  private func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    UnspacedScripts.areSurelyAbsent(from: bytes) || String(validating: bytes, as: UTF8.self) != nil
  }

  private mutating func sender(_ id: Int64) throws -> (Sender, String?) {
    if let sender = senders[id] { return sender }
    let sender = (try names.sender(id, in: db), try names.external(id, in: db))
    if senders.count >= Self.senderLimit { senders.removeAll(keepingCapacity: true) }
    senders[id] = sender
    return sender
  }
}

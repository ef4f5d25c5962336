internal import GRDB
public import MessageModel

extension MessageStore {
  /// Calls `body` with messages of a conversation, oldest first, as bytes and without a value for each: four times
  /// as fast as ``records(_:)``.
  ///
  /// It stops before a message that has more than its row (edits, reactions, attachments, a source, a text that goes
  /// on elsewhere); ``records(_:)`` reads that.
  ///
  /// - Parameters:
  ///   - ids: From the least id to read to the greatest.
  ///   - limit: The most messages to read.
  /// - Returns: Where to go on; `nil` at the end of `ids`.
  /// - Throws: ``StoreError``, and what `body` throws.
  /// - Complexity: O(messages read), in one transaction.
  public func plainMessages(
    in conversation: Conversation.ID, _ ids: ClosedRange<Message.ID>, limit: Int,
    _ body: (PlainMessage) throws -> Void
  ) throws -> PlainRun? {
    try reading("cannot read messages from '\(path)'") { db in
      try PlainReader(db: db, names: senderNames).read(conversation, ids, limit: limit, body)
    }
  }

  /// Returns the ids at which a conversation can be cut into pieces of at least `count` messages, and hardly more.
  ///
  /// - Throws: ``StoreError`` if the store cannot be read.
  /// - Complexity: O(messages of the conversation / 1,024). The counts in the store are believed: where they are
  ///   wrong, pieces are longer or shorter.
  public func cuts(
    of conversation: Conversation.ID, every count: Int
  ) throws(StoreError) -> [Message.ID] {
    try reading("cannot read messages from '\(path)'") { db in
      let blocks = try RawStatement(
        db, "SELECT first_id, count FROM block WHERE scope = ? ORDER BY first_id")
      blocks.bind(conversation.rawValue, at: 1)
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

/// How far a reading of plain messages came.
public struct PlainRun: Hashable, Sendable {
  /// The id of the message that comes next.
  public var next: Message.ID
  /// Whether that message has more than its row.
  public var isNextWhole: Bool
  /// How many messages were read.
  public var count: Int
}

private struct PlainReader {
  let db: Database
  let names: SenderNames

  private static let whole =
    MessageRow.Feature.edit | MessageRow.Feature.reaction | MessageRow.Feature.attachment

  func read(
    _ conversation: Conversation.ID, _ ids: ClosedRange<Message.ID>, limit: Int,
    _ body: (PlainMessage) throws -> Void
  ) throws -> PlainRun? {
    let rows = try RawStatement(
      db,
      """
      SELECT id, sender, kind, precision, text, bytes, reply_to, thread, features FROM message
      WHERE conversation = ? AND id BETWEEN ? AND ? ORDER BY id
      """)
    rows.bind(conversation.rawValue, at: 1)
    rows.bind(ids.lowerBound.rawValue, at: 2)
    rows.bind(ids.upperBound.rawValue, at: 3)
    defer { rows.reset() }
    var sources = try SourceWalk(db)
    var senders: [Int64: (Sender, String?)] = [:]
    var count = 0
    var last: Message.ID?
    while try rows.step() {
      let id = Message.ID(rawValue: rows.int(0))
      let isWhole =
        try rows.int(8) & Self.whole != 0 || !rows.isNull(5) || sources.hasSource(id)
      if isWhole || count == limit { return PlainRun(next: id, isNextWhole: isWhole, count: count) }
      let sender = try rows.optionalInt(1).map { try self.sender($0, &senders) }
      if let last, last >= id { names.damage.note("message #\(id) is not in its place") }
      last = id
      try rows.withBytes(4) { text in
        if !isText(text) { names.damage.note("the text of message #\(id) has bytes that are none of a text") }
        try body(
          PlainMessage(
            id: id, precision: TimePrecision(rawValue: Int(rows.int(3))) ?? .millisecond, sender: sender?.0,
            senderID: sender?.1, kind: Message.Kind(rawValue: Int(rows.int(2))) ?? .unknown, text: text,
            replyTo: rows.optionalInt(6).map(Message.ID.init(rawValue:)),
            thread: rows.optionalInt(7).map(Message.ID.init(rawValue:))))
      }
      count += 1
    }
    return nil
  }

  private func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    UnspacedScripts.areSurelyAbsent(from: bytes) || String(validating: bytes, as: UTF8.self) != nil
  }

  private func sender(
    _ id: Int64, _ known: inout [Int64: (Sender, String?)]
  ) throws -> (Sender, String?) {
    if let sender = known[id] { return sender }
    let sender = (try names.sender(id, in: db), try names.external(id, in: db))
    known[id] = sender
    return sender
  }
}

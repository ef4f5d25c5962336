internal import Foundation
internal import GRDB
internal import MessageModel

enum MessageRow {
  static let columns =
    "id, conversation, sender, kind, precision, text, bytes, reply_to, thread, revision, features, checksum"
  static let columnCount: Int32 = 12

  /// Bits of the column `features`.
  enum Feature {
    static let attachment: Int64 = 1
    static let link: Int64 = 2
    static let edit: Int64 = 4
    static let reaction: Int64 = 8
    /// The message may not be in the store.
    static let reply: Int64 = 16
    static let payload: Int64 = 32
    static let star: Int64 = 64
    static let moved: Int64 = 128
    /// A time in ``MessageTimes``.
    static let writtenAt: Int64 = 256
    static let forward: Int64 = 512
    /// Its contents were deleted; a row in `deletion` says by whom and when.
    static let deletion: Int64 = 1_024

    static func bit(of feature: MessagePredicate.Feature) -> Int64 {
      switch feature {
      case .attachment: attachment
      case .link: link
      case .edit: edit
      case .reply: reply
      case .star: star
      case .forward: forward
      }
    }
  }

  static func message(_ id: Message.ID, in db: Database, names: SenderNames) throws -> Message? {
    let sql = "SELECT \(columns) FROM message WHERE id = ?"
    return try RawStatement(db, sql, id.rawValue).first { try message(from: $0, in: db, names: names) }
  }

  static func message(from statement: RawStatement, in db: Database, names: SenderNames) throws -> Message {
    let id = Message.ID(rawValue: statement.int(0))
    let (conversation, sender) = (statement.int(1), statement.optionalInt(2))
    let (kindNumber, precisionNumber) = (statement.int(3), statement.int(4))
    let features = statement.int(10)
    let byteCount = statement.byteCount(5)
    let wholeByteCount = statement.optionalInt(6)
    let writtenAt = features & Feature.writtenAt == 0 ? nil : try writtenAt(id, in: db, noting: names.damage)
    var text = text(of: byteCount, in: statement)
    if !isWhole(&text, byteCount, statement) {
      names.damage.note("the text of message #\(id) has bytes that are none of a text")
    }
    let isLonger = byteCount > text.utf8.count
    if let wholeByteCount {
      compare(wholeByteCount, with: byteCount, of: id, noting: names.damage)
      if !isLonger { try goOn(with: &text, of: id, wholeByteCount, in: db, names) }
    }
    if let stored = statement.optionalInt(11), wholeByteCount ?? Int64(text.utf8.count) == text.utf8.count {
      var sum = MessageChecksum(
        conversation: conversation, id: id.rawValue, sender: sender, kind: kindNumber,
        precision: precisionNumber, writtenAt: writtenAt?.millisecondsSince1970)
      if isLonger { statement.withBytes(5) { sum.add($0) } } else { sum.add(&text) }
      sum.compare(with: stored, of: id, noting: names.damage)
    }
    let kind = Message.Kind(rawValue: Int(kindNumber))
    let precision = TimePrecision(rawValue: Int(precisionNumber))
    if kind == nil || precision == nil {
      names.damage.note("the kind or the time of message #\(id) is unknown")
    }
    var message = Message(
      id: id,
      conversation: Conversation.ID(rawValue: conversation),
      sender: try sender.map { try names.sender($0, in: db) },
      kind: kind ?? .unknown, precision: precision ?? .millisecond,
      text: text,
      textByteCount: isLonger ? byteCount : wholeByteCount.map(RawStatement.count),
      replyTo: statement.optionalInt(7).map(Message.ID.init(rawValue:)),
      thread: statement.optionalInt(8).map(Message.ID.init(rawValue:)),
      revision: statement.count(9),
      isEdited: features & Feature.edit != 0)
    message.writtenAt = writtenAt
    if features & Feature.reply != 0, message.replyTo == nil {
      message.awaitedReply = try awaitedReply(of: id, in: db)
    }
    if features & Feature.payload != 0 { message.sendingState = try sendingState(of: id, in: db) }
    if features & Feature.star != 0 {
      message.starredAt = try star(of: id, in: db)
      if message.starredAt == nil { names.damage.note("the star of message #\(id) is not there") }
    }
    if features & Feature.forward != 0 {
      message.forward = try forward(of: id, in: db)
      if message.forward == nil {
        names.damage.note("the origin of the forwarded message #\(id) is not there")
      }
    }
    if features & Feature.deletion != 0 {
      message.deletion = try deletion(of: id, in: db)
      if message.deletion == nil { names.damage.note("the deletion of message #\(id) is not there") }
    }
    if features & Feature.moved != 0 { message.firstID = try FormerIDs(db: db).first(of: id) }
    if features & Feature.reaction != 0 {
      message.reactions = try reactions(to: id, in: db)
      if message.reactions.isEmpty { names.damage.note("the reactions to message #\(id) are not there") }
    }
    if features & Feature.attachment != 0 {
      message.attachments = try attachments(of: id, in: db)
      if message.attachments.isEmpty { names.damage.note("the attachments of message #\(id) are not there") }
    }
    return message
  }

  private static func goOn(
    with text: inout String, of id: Message.ID, _ wholeByteCount: Int64, in db: Database, _ names: SenderNames
  ) throws {
    let room = names.previewByteCount - text.utf8.count
    guard room > 0 else { return }
    if wholeByteCount > Int64(names.previewByteCount) {
      guard try RawStatement.number(db, "SELECT 1 FROM body WHERE id = ?", id.rawValue) != nil else { return }
      let rest = try IncrementalBlob(db, table: "body", column: "text", row: id.rawValue, isWriting: false)
      try rest.read(at: 0, count: room + 1).withUnsafeBytes { add($0, to: &text, room) }
    } else {
      try RawStatement(db, "SELECT text FROM body WHERE id = ?", id.rawValue).each { row in
        row.withBytes(0) { add($0, to: &text, room) }
      }
      guard text.utf8.count != wholeByteCount else { return }
      names.damage.note("the rest of the text of message #\(id) has changed")
    }
  }

  private static func add(_ rest: UnsafeRawBufferPointer, to text: inout String, _ room: Int) {
    text += String(decoding: MessageWriter.preview(of: rest, limit: room), as: UTF8.self)
  }

  /// Damaged rows may have texts too long for memory: only the beginning is read then.
  private static func text(of byteCount: Int, in statement: RawStatement) -> String {
    guard byteCount > maxByteCount else { return statement.text(5) }
    return statement.withBytes(5) { bytes in
      String(decoding: MessageWriter.preview(of: bytes, limit: maxByteCount / 256), as: UTF8.self)
    }
  }

  private static let maxByteCount = 1 << 20

  /// Whether a row's bytes are valid text. They may differ only at a replacement character, which may also
  /// have been written.
  private static func isWhole(_ text: inout String, _ byteCount: Int, _ statement: RawStatement) -> Bool {
    guard byteCount <= maxByteCount else { return true }
    return text.withUTF8 { utf8 in
      guard utf8.count == byteCount else { return false }
      guard let base = utf8.baseAddress, memchr(base, 0xEF, utf8.count) != nil else { return true }
      return statement.withBytes(5) { $0.elementsEqual(utf8) }
    }
  }

  static func writtenAt(_ id: Message.ID, in db: Database, noting damage: DamageNotes) throws -> Timestamp? {
    let time = try MessageTimes(db).writtenAt(id)
    if time == nil { damage.note("the time of message #\(id) is not there") }
    return time
  }

  private static func sendingState(of id: Message.ID, in db: Database) throws -> Message.SendingState? {
    try RawStatement.number(db, "SELECT state FROM payload WHERE message = ?", id.rawValue)
      .flatMap { Int(exactly: $0) }.flatMap(Message.SendingState.init(rawValue:))
  }

  /// Ids that count within a conversation only have an appended number, and mean nothing elsewhere.
  private static func awaitedReply(of id: Message.ID, in db: Database) throws -> String? {
    let external = try RawStatement(
      db, "SELECT external FROM reference WHERE message = ? AND role = \(DetailLoader.Role.reply.rawValue)",
      id.rawValue
    ).first { row in row.text(0) }
    return external.flatMap { DoubtfulID.isNumbered($0) ? nil : $0 }
  }

  static func star(of id: Message.ID, in db: Database) throws -> Timestamp? {
    try RawStatement.number(db, "SELECT time FROM star WHERE message = ?", id.rawValue)
      .map(Timestamp.init(millisecondsSince1970:))
  }

  static func forward(of id: Message.ID, in db: Database) throws -> Message.Forward? {
    try RawStatement(
      db, "SELECT author, author_id, chat, time, often, quoted FROM forwarded WHERE message = ?", id.rawValue
    ).first { row in
      Message.Forward(
        author: row.optionalText(0), authorID: row.optionalText(1), chat: row.optionalText(2),
        time: row.optionalInt(3).map(Timestamp.init(millisecondsSince1970:)), isFrequent: row.int(4) != 0,
        isQuoted: row.int(5) != 0)
    }
  }

  static func deletion(of id: Message.ID, in db: Database) throws -> Message.Deletion? {
    try RawStatement(
      db, "SELECT time, sender, sender_id FROM deletion WHERE message = ?", id.rawValue
    ).first { row in
      var deletion = Message.Deletion(at: Timestamp(millisecondsSince1970: row.int(0)))
      (deletion.sender, deletion.senderID) = (row.optionalText(1), row.optionalText(2))
      return deletion
    }
  }

  static func reactions(to id: Message.ID, in db: Database) throws -> [Message.Reaction] {
    var reactions: [Message.Reaction] = []
    try RawStatement(
      db,
      """
      SELECT emoji, sender,
        (SELECT external FROM reaction_sender AS s WHERE s.message = r.message AND s.place = r.place)
      FROM reaction AS r WHERE message = ? ORDER BY place
      """, id.rawValue
    ).each { row in
      let emoji = row.text(0)
      var index = reactions.firstIndex { $0.emoji == emoji }
      if index == nil {
        reactions.append(Message.Reaction(emoji: emoji, senders: []))
        index = reactions.count - 1
      }
      guard let index, let sender = row.optionalText(1) else { return }
      reactions[index].add(sender, id: row.optionalText(2))
    }
    return reactions
  }

  static func attachments(of id: Message.ID, in db: Database) throws -> [Message.Attachment] {
    try RawStatement(
      db,
      """
      SELECT name, a.type, a.bytes, a.sha256, path, width, height, duration, content.id IS NOT NULL, pictures
        FROM attachment AS a LEFT JOIN content ON content.sha256 = a.sha256
        WHERE message = ? ORDER BY place
      """, id.rawValue
    ).map { row in
      Message.Attachment(
        name: row.text(0), mediaType: row.optionalText(1),
        byteCount: row.optionalInt(2).map(RawStatement.count), sha256: row.optionalText(3),
        path: row.optionalText(4),
        pixelSize: row.optionalInt(5).map {
          PixelSize(reading: $0, row.int(6))
        },
        duration: row.optionalInt(7).map { .milliseconds($0) },
        isStored: row.int(8) != 0,
        pictures: row.optionalText(9).flatMap(PictureState.init(word:)))
    }
  }
}

extension Message.Reaction {
  mutating func add(_ sender: String, id: String?) {
    if id != nil || !senderIDs.isEmpty {
      senderIDs += Array(repeating: nil, count: senders.count - senderIDs.count)
      senderIDs.append(id)
    }
    senders.append(sender)
  }

  /// Without platform ids, which imports do not know.
  var byName: Message.Reaction { Message.Reaction(emoji: emoji, senders: senders) }
}

extension PixelSize {
  /// Limits the sides to 2³¹ pixels, since the store may be damaged.
  init(reading width: Int64, _ height: Int64) {
    let sides: ClosedRange<Int64> = 0...(1 << 31)
    self.init(
      width: Int(min(max(width, sides.lowerBound), sides.upperBound)),
      height: Int(min(max(height, sides.lowerBound), sides.upperBound)))
  }
}

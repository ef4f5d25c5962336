internal import GRDB
internal import MessageModel

/// How a row of `message` becomes a ``Message``.
enum MessageRow {
  /// The columns that ``message(from:in:names:)`` reads, in its order.
  static let columns =
    "id, conversation, sender, kind, precision, text, bytes, reply_to, thread, revision, features"
  /// How many ``columns`` there are.
  static let columnCount: Int32 = 11

  /// Bits of the column `features`: what a message has that lies in other tables, and what filters ask for.
  enum Feature {
    static let attachment: Int64 = 1
    static let link: Int64 = 2
    static let edit: Int64 = 4
    static let reaction: Int64 = 8
    /// It answers another message, which may not be there (yet).
    static let reply: Int64 = 16

    /// Returns the bit of a feature that predicates name.
    static func bit(of feature: MessagePredicate.Feature) -> Int64 {
      switch feature {
      case .attachment: attachment
      case .link: link
      case .edit: edit
      case .reply: reply
      }
    }
  }

  /// Returns the message with an id; `nil` if it is not there.
  static func message(_ id: Message.ID, in db: Database, names: SenderNames) throws -> Message? {
    let statement = try RawStatement(db, "SELECT \(columns) FROM message WHERE id = ?")
    statement.bind(id.rawValue, at: 1)
    defer { statement.reset() }
    return try statement.step() ? message(from: statement, in: db, names: names) : nil
  }

  /// Builds the message in the present row of `statement`.
  static func message(from statement: RawStatement, in db: Database, names: SenderNames) throws -> Message {
    let id = Message.ID(rawValue: statement.int(0))
    let features = statement.int(10)
    let text = statement.text(5)
    var message = Message(
      id: id,
      conversation: Conversation.ID(rawValue: statement.int(1)),
      sender: try statement.optionalInt(2).map { try names.sender($0, in: db) },
      kind: Message.Kind(rawValue: Int(statement.int(3))) ?? .unknown,
      precision: TimePrecision(rawValue: Int(statement.int(4))) ?? .millisecond,
      text: text,
      textByteCount: statement.optionalInt(6).map { Int($0) },
      replyTo: statement.optionalInt(7).map(Message.ID.init(rawValue:)),
      thread: statement.optionalInt(8).map(Message.ID.init(rawValue:)),
      revision: Int(statement.int(9)),
      isEdited: features & Feature.edit != 0)
    if features & Feature.reaction != 0 { message.reactions = try reactions(to: id, in: db) }
    if features & Feature.attachment != 0 { message.attachments = try attachments(of: id, in: db) }
    return message
  }

  static func reactions(to id: Message.ID, in db: Database) throws -> [Message.Reaction] {
    let statement = try RawStatement(
      db, "SELECT emoji, sender FROM reaction WHERE message = ? ORDER BY place")
    statement.bind(id.rawValue, at: 1)
    defer { statement.reset() }
    var reactions: [Message.Reaction] = []
    while try statement.step() {
      let emoji = statement.text(0)
      let sender = statement.optionalText(1)
      if let index = reactions.firstIndex(where: { $0.emoji == emoji }) {
        if let sender { reactions[index].senders.append(sender) }
      } else {
        reactions.append(Message.Reaction(emoji: emoji, senders: sender.map { [$0] } ?? []))
      }
    }
    return reactions
  }

  static func attachments(of id: Message.ID, in db: Database) throws -> [Message.Attachment] {
    let statement = try RawStatement(
      db,
      """
      SELECT name, a.type, a.bytes, a.sha256, path, width, height, duration, content.id IS NOT NULL, pictures
        FROM attachment AS a LEFT JOIN content ON content.sha256 = a.sha256
        WHERE message = ? ORDER BY place
      """)
    statement.bind(id.rawValue, at: 1)
    defer { statement.reset() }
    var attachments: [Message.Attachment] = []
    while try statement.step() {
      attachments.append(
        Message.Attachment(
          name: statement.text(0), mediaType: statement.optionalText(1),
          byteCount: statement.optionalInt(2).map { Int($0) }, sha256: statement.optionalText(3),
          path: statement.optionalText(4),
          pixelSize: statement.optionalInt(5).map {
            PixelSize(width: Int($0), height: Int(statement.int(6)))
          },
          durationMilliseconds: statement.optionalInt(7).map { Int($0) }, isStored: statement.int(8) != 0,
          pictures: statement.optionalText(9).flatMap(PictureState.init(word:))))
    }
    return attachments
  }
}

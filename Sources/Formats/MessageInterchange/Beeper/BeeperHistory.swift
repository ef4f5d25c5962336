internal import MessageModel

/// In the order in which Beeper received them.
struct BeeperHistory: KeyedHistory {
  private let options: ImportOptions
  var messages: KeyedRows
  private var reactions: RowsAlongside
  private var rooms: BeeperRooms

  static let longest = 16 << 20
  private static let wanted = ["eventID", "roomID", "senderContactID", "timestamp", "type", "message"]
  private static let besides = [
    "isDeleted", "isEdited", "inReplyToID", "isSentByMe", "lastEditionTimestamp", "replyThreadRootID",
    "text_content",
  ]

  init(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError) {
    let held = try file.columns(of: "mx_room_messages")
    guard held.isSuperset(of: Self.wanted) else {
      throw .lackingTables(of: "Beeper")
    }
    self.options = options
    file.limitValues(to: Int32(Self.longest))
    try file.freeze()
    messages = try KeyedRows(
      file, Self.wanted + Self.besides.map { held.contains($0) ? $0 : "NULL" }, from: "mx_room_messages",
      by: "rowid")
    reactions = RowsAlongside(try Self.reactions(file))
    rooms = try BeeperRooms(file, options)
  }

  private static func reactions(_ file: SQLiteFile) throws(InterchangeError) -> KeyedRows? {
    let held = try file.columns(of: "mx_reactions")
    guard held.isSuperset(of: ["eventID", "senderID", "description"]) else { return nil }
    let isThere = held.contains("isDeleted") ? " AND NOT ifnull(r.isDeleted, 0)" : ""
    return try KeyedRows(
      file, ["r.senderID", "r.description"],
      from: "mx_room_messages AS m JOIN mx_reactions AS r ON r.eventID = m.eventID" + isThere, by: "m.rowid",
      then: held.contains("timestamp") ? "r.timestamp" : nil)
  }

  mutating func take(_ row: SQLiteRows, into sink: inout RecordSink) throws(InterchangeError) {
    let type = row.text(5) ?? ""
    // Internal messages, and reactions, which are also in a table of their own.
    guard !["HIDDEN", "REACTION", ""].contains(type) else { return }
    let room = rooms.room(row.text(2) ?? "")
    var message = RichMessage(
      time: BeeperMessage.time(row.integer(4)), precision: .millisecond, text: row.text(13) ?? "")
    let sender = row.text(3) ?? ""
    message.sender = rooms.name(of: sender, isOwn: row.integer(10) != 0)
    message.details.senderID = sender.isEmpty ? nil : sender
    message.details.source = Message.Source(
      platform: "beeper", id: row.text(1), original: options.keepsOriginal ? row.bytes(6).string : nil)
    if row.integer(8) != 0 { message.details.isEdited = true }
    if row.integer(11) != 0 { message.details.editedAt = BeeperMessage.time(row.integer(11)) }
    message.details.replyTo = row.text(9).map { .external($0) }
    message.details.thread = row.text(12).map { .external($0) }
    if row.integer(7) != 0 {
      (message.kind, message.text) = (.system, "message deleted")
    } else {
      do throws(JSONError) {
        try BeeperMessage.read(row.bytes(6), type: type, into: &message)
      } catch {
        return sink.skip(reason: "message \(row.integer(0)): \(error.reason)", record: row.bytes(6))
      }
    }
    var given: [(emoji: String, sender: String)] = []
    try reactions.forEach(of: row.integer(0)) { [rooms] reaction in
      guard let emoji = reaction.text(2), !emoji.isEmpty else { return }
      given.append((emoji, rooms.name(of: reaction.text(1) ?? "", isOwn: false)))
    }
    message.details.reactions = Message.Reaction.gathered(given)
    sink.append(
      message,
      conversation: sink.conversation(
        named: room.title, isDirect: room.isDirect,
        identity: ConversationIdentity(platform: "beeper", key: room.id), in: room.network, options))
  }
}

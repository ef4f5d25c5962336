internal import MessageModel

/// The messages that Beeper's desktop app stores from all networks, `BeeperTexts/index.db`.
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
    guard !["HIDDEN", "REACTION"].contains(type) else { return }
    guard !type.isEmpty else {
      return sink.skip(reason: "message \(row.integer(0)): it has no type", record: row.bytes(6))
    }
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

struct BeeperRooms {
  struct Room {
    var id: String
    var title: String
    var isDirect: Bool?
    var network: String?
  }

  private static let mostRooms = 100_000
  private static let mostNames = 500_000

  private let me: String?
  private let threads: SQLiteRows?
  private let participants: SQLiteRows?
  private let users: SQLiteRows?
  private var rooms: [String: Room] = [:]
  private var names: [String: String] = [:]
  private var own: Set<String> = []

  init(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError) {
    me = options.me
    threads =
      try file.columns(of: "threads").isSuperset(of: ["threadID", "thread"])
      ? file.rows("SELECT thread FROM threads WHERE threadID = ?1") : nil
    let held = try file.columns(of: "participants")
    participants =
      held.isSuperset(of: ["room_id", "id", "full_name"])
      ? try file.rows(
        """
        SELECT id, ifnull(nullif(full_name, ''), \(held.contains("nickname") ? "nickname" : "NULL")), \
        \(held.contains("is_self") ? "is_self" : "0") FROM participants WHERE room_id = ?1
        """) : nil
    users =
      try file.columns(of: "users").isSuperset(of: ["userID", "user"])
      ? file.rows("SELECT user FROM users WHERE userID = ?1") : nil
  }

  /// As far as rooms read so far name the person.
  func name(of id: String, isOwn: Bool) -> String {
    if isOwn || own.contains(id), let me { return me }
    return names[id] ?? user(id) ?? (isOwn ? "me" : id.isEmpty ? "unknown" : MatrixEvent.plainName(of: id))
  }

  private func user(_ id: String) -> String? {
    users?.restart(with: id)
    guard (try? users?.next()) == true, let user = users.flatMap({ JSONFields($0.bytes(0)) }) else {
      return nil
    }
    let name = try? user.firstText(["fullName", "displayName", "displayname", "nickname"])
    return name.flatMap { $0.isEmpty ? nil : $0 }
  }

  mutating func room(_ id: String) -> Room {
    if let known = rooms[id] { return known }
    let other = learnPeople(of: id)
    var room = Room(id: id, title: other ?? MatrixEvent.plainName(of: id))
    threads?.restart(with: id)
    if (try? threads?.next()) == true, let thread = threads.flatMap({ JSONFields($0.bytes(0)) }) {
      let bridge = thread.object("extra")?.object("bridge")
      room.network = try? bridge?.object("protocol")?.plainText("displayname")
      if let type = try? thread.plainText("type") { room.isDirect = type == "single" }
      if let title = try? thread.firstText(["title", "name"]), !title.isEmpty { room.title = title }
    }
    if rooms.count < Self.mostRooms { rooms[id] = room }
    return room
  }

  private mutating func learnPeople(of room: String) -> String? {
    var other: String?
    participants?.restart(with: room)
    while (try? participants?.next()) == true, let row = participants {
      guard let id = row.text(0) else { continue }
      let isOwn = row.integer(2) != 0
      if isOwn { own.insert(id) }
      guard let name = row.text(1), !name.isEmpty else { continue }
      if names[id] != nil || names.count < Self.mostNames { names[id] = name }
      if !isOwn, other == nil { other = name }
    }
    return other
  }
}

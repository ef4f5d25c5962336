internal import MessageModel

/// Discord History Tracker's database, a `.dht` file.
/// In the order of ids, which is that of time.
struct DiscordTrackerHistory: KeyedHistory {
  private let options: ImportOptions
  var messages: KeyedRows
  private var beside: DiscordTrackerTables
  private let people: RowLookup<String>
  private let channels: RowLookup<Channel>

  /// In bytes: messages have 4,000 characters at most; anything longer is a downloaded file.
  static let longest = 16 << 20
  /// The epoch of Discord's ids (https://docs.discord.com/developers/reference#snowflakes).
  private static let epoch: Int64 = 1_420_070_400_000

  private struct Channel {
    var name: String
    var isDirect: Bool?
    var place: String?
  }

  init(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError) {
    let held = try file.columns(of: "messages")
    guard held.isSuperset(of: ["message_id", "sender_id", "channel_id", "text", "timestamp"]) else {
      throw .lackingTables(of: "Discord History Tracker")
    }
    self.options = options
    file.limitValues(to: Int32(Self.longest))
    try file.freeze()
    messages = try KeyedRows(
      file, ["sender_id", "channel_id", "text", "timestamp"], from: "messages", by: "message_id")
    beside = try DiscordTrackerTables(file, messageColumns: held)
    people = RowLookup(try Self.people(file)) { $0.text(0) ?? "" }
    channels = RowLookup(try Self.channels(file)) { row in
      let type = row.text(1)?.uppercased()
      return Channel(
        name: row.text(0) ?? "", isDirect: type.map { $0 == "DM" },
        place: row.text(2) ?? (type == "SERVER" ? row.text(3) : nil))
    }
  }

  private static func people(_ file: SQLiteFile) throws(InterchangeError) -> SQLiteRows? {
    let held = try file.columns(of: "users")
    guard held.isSuperset(of: ["id", "name"]) else { return nil }
    let name = held.contains("display_name") ? "ifnull(nullif(display_name, ''), name)" : "name"
    return try file.rows("SELECT \(name) FROM users WHERE id = ?1")
  }

  private static func channels(_ file: SQLiteFile) throws(InterchangeError) -> SQLiteRows? {
    let (held, servers) = (try file.columns(of: "channels"), try file.columns(of: "servers"))
    guard held.isSuperset(of: ["id", "name", "server"]), servers.isSuperset(of: ["id", "name", "type"]) else {
      return nil
    }
    let parent =
      held.contains("parent_id") ? "(SELECT p.name FROM channels AS p WHERE p.id = c.parent_id)" : "NULL"
    return try file.rows(
      """
      SELECT c.name, s.type, \(parent), s.name FROM channels AS c LEFT JOIN servers AS s ON s.id = c.server
        WHERE c.id = ?1
      """)
  }

  mutating func take(_ row: SQLiteRows, into sink: inout RecordSink) throws(InterchangeError) {
    let (id, sender, channel) = (row.integer(0), row.integer(1), row.integer(2))
    let milliseconds = row.isNull(4) ? Int64(UInt64(bitPattern: id) >> 22) + Self.epoch : row.integer(4)
    var message = RichMessage(
      time: Timestamp(millisecondsSince1970: milliseconds), precision: .millisecond, text: row.text(3) ?? "")
    // Ids are unsigned 64-bit numbers, which SQLite lacks.
    func text(_ id: Int64) -> String { String(UInt64(bitPattern: id)) }
    message.sender = people.value(sender) ?? "unknown"
    message.details.senderID = text(sender)
    message.details.source = Message.Source(platform: "discord", id: text(id))
    try beside.add(to: &message, of: id, text)
    let found = channels.value(channel)
    sink.append(
      message,
      conversation: sink.conversation(
        named: found?.name ?? "channel \(text(channel))", isDirect: found?.isDirect,
        identity: DiscordChannel.identity(id: text(channel)), in: found?.place, options))
  }
}

/// Discord History Tracker's detail tables, whose names differ by version.
struct DiscordTrackerTables {
  private var edits: RowsAlongside
  private var replies: RowsAlongside
  private var reactions: RowsAlongside
  private var attachments: RowsAlongside
  private var cards: RowsAlongside
  private let downloads: SQLiteRows?

  init(_ file: SQLiteFile, messageColumns: Set<String>) throws(InterchangeError) {
    func rows(
      _ columns: [String], from tables: [String]
    ) throws(InterchangeError) -> RowsAlongside {
      for table in tables where try file.columns(of: table).isSuperset(of: columns + ["message_id"]) {
        return RowsAlongside(try KeyedRows(file, columns, from: table, by: "message_id", then: "rowid"))
      }
      return RowsAlongside(nil)
    }
    let isOld = messageColumns.isSuperset(of: ["edit_timestamp", "replied_to_id"])
    edits = try rows(
      ["edit_timestamp"], from: isOld ? ["messages"] : ["message_edit_timestamps", "edit_timestamps"])
    replies = try rows(["replied_to_id"], from: isOld ? ["messages"] : ["message_replied_to", "replied_to"])
    reactions = try rows(["emoji_name", "emoji_id"], from: ["message_reactions", "reactions"])
    cards = try rows(["json"], from: ["message_embeds", "embeds"])
    attachments = RowsAlongside(try Self.attachments(file))
    downloads = try Self.downloads(file)
  }

  private static func attachments(_ file: SQLiteFile) throws(InterchangeError) -> KeyedRows? {
    let held = try file.columns(of: "attachments")
    guard held.isSuperset(of: ["attachment_id", "name", "type", "size"]) else { return nil }
    let address = held.contains("normalized_url") ? "normalized_url" : held.contains("url") ? "url" : "NULL"
    let columns = ["a.name", "a.type", "a.size", "a.\(address)"].map { $0 == "a.NULL" ? "NULL" : $0 }
    if held.contains("message_id") {
      return try KeyedRows(
        file, columns, from: "attachments AS a", by: "a.message_id", then: "a.attachment_id")
    }
    guard try file.columns(of: "message_attachments").isSuperset(of: ["message_id", "attachment_id"]) else {
      return nil
    }
    return try KeyedRows(
      file, columns,
      from: "message_attachments AS m JOIN attachments AS a ON a.attachment_id = m.attachment_id",
      by: "m.message_id", then: "m.attachment_id")
  }

  private static func downloads(_ file: SQLiteFile) throws(InterchangeError) -> SQLiteRows? {
    for table in ["download_blobs", "downloads"] {
      let held = try file.columns(of: table)
      guard held.contains("blob"), let key = ["normalized_url", "url"].first(where: held.contains) else {
        continue
      }
      return try file.rows("SELECT blob FROM \(table) WHERE \(key) = ?1 AND blob IS NOT NULL")
    }
    return nil
  }

  /// Messages must be passed in the order of ids. `text` formats an id.
  mutating func add(
    to message: inout RichMessage, of id: Int64, _ text: (Int64) -> String
  ) throws(InterchangeError) {
    var details = message.details
    try edits.forEach(of: id) { row in
      guard !row.isNull(1) else { return }
      (details.isEdited, details.editedAt) = (true, Timestamp(millisecondsSince1970: row.integer(1)))
    }
    try replies.forEach(of: id) { row in
      if !row.isNull(1) { details.replyTo = .external(text(row.integer(1))) }
    }
    // The people who reacted are not stored.
    try reactions.forEach(of: id) { row in
      guard let emoji = row.text(1), !emoji.isEmpty else { return }
      details.reactions.append(Message.Reaction(emoji: emoji, senders: []))
    }
    try attachments.forEach(of: id) { [downloads] row in Self.attach(row, from: downloads, to: &details) }
    var lines: [String] = []
    let own = message.text
    try cards.forEach(of: id) { row in
      guard let card = JSONFields(row.bytes(1)) else { return }
      lines += (try? DiscordCard.lines(of: card, besides: own)) ?? []
    }
    message.text = ([own] + lines).filter { !$0.isEmpty }.joined(separator: "\n")
    message.details = details
  }

  private static func attach(
    _ row: SQLiteRows, from downloads: SQLiteRows?, to details: inout ImportDetails
  ) {
    let address = row.text(4)
    if let address, let downloads {
      downloads.restart(with: address)
      if (try? downloads.next()) == true {
        details.contents[details.attachments.count] = Array(downloads.bytes(0))
      }
    }
    details.attachments.append(
      Message.Attachment(
        name: row.text(1) ?? "file", mediaType: row.text(2), byteCount: Int(exactly: row.integer(3)),
        path: address))
  }
}

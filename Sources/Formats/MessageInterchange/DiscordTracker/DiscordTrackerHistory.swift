internal import MessageModel

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

/// The roles of a table's columns or of a JSON object's keys. The user may set them (`--map time=ts`); the
/// rest follows from usual names. Columns without names are numbered from 1 (`--map time=1`), and what lies
/// in an object has a path (`--map sender=u.username`).
struct ColumnMap: Sendable {
  enum Role: String, CaseIterable, Sendable {
    case time, sender, text, conversation, id, kind, reply
  }

  private var names: [Role: [String]]
  private var numbered: [Role: Int] = [:]
  private(set) var chosen: Set<Role> = []
  /// The keys that lead to what lies in objects.
  private(set) var paths: [Role: [String]] = [:]

  init(_ named: [String: String]) throws(InterchangeError) {
    names = Self.usualNames
    for (role, name) in named {
      guard let role = Role(rawValue: role) else {
        throw InterchangeError(
          .invalidOption, "no column can be mapped to '\(role)'",
          remedy: "one of: \(Role.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      names[role] = [name.lowercased()]
      chosen.insert(role)
      if let number = Int(name), number > 0 { numbered[role] = number - 1 }
      let path = name.split(separator: ".").map(String.init)
      if path.count > 1 { paths[role] = path }
    }
  }

  /// Whether columns are chosen by number, because the first row does not contain such names.
  func isNumbered(_ first: [String]) -> Bool {
    !numbered.isEmpty
      && !numbered.keys.allSatisfy { role in first.contains { self.role(of: $0)?.role == role } }
  }

  init() { names = Self.usualNames }

  /// `rank` says how well the name fits, 0 best.
  func role(of name: String) -> (role: Role, rank: Int)? {
    let wanted = name.lowercased()
    for role in Role.allCases {
      if let rank = names[role]?.firstIndex(of: wanted) { return (role, rank) }
    }
    return nil
  }

  func columns(_ header: [String]) -> [Role: Int] {
    if isNumbered(header) { return numbered.filter { $0.value < header.count } }
    var best: [Role: (column: Int, rank: Int)] = [:]
    for (column, name) in header.enumerated() {
      guard let (role, rank) = role(of: name) else { continue }
      if let known = best[role], known.rank <= rank { continue }
      best[role] = (column, rank)
    }
    return best.mapValues(\.column)
  }

  private static let usualNames: [Role: [String]] = [
    .time: [
      "time", "timestamp", "ts", "date", "datetime", "created_at", "sent_at", "origin_server_ts",
      "timestamp_ms",
      "create_at", "createdat", "sentat", "date_unixtime",
    ],
    .sender: [
      "sender", "from", "author", "user", "nick", "name", "username", "sender_name", "user_name", "nickname",
      "role",
    ],
    .text: ["text", "body", "content", "contents", "message", "msg"],
    .conversation: [
      "conversation", "channel", "room", "chat", "thread", "conversation_id", "channel_name", "room_name",
      "chat_name",
    ],
    .id: ["id", "message_id", "messageid", "uuid", "guid", "msg_id", "event_id"],
    .kind: ["kind"],
    .reply: [
      "reply_to", "replyto", "reply_to_id", "replytoid", "reply_to_message_id", "in_reply_to", "inreplyto",
      "parentmessageid", "parent_message_id",
    ],
  ]
}

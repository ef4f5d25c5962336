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

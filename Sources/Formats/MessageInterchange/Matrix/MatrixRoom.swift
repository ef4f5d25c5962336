internal import MessageModel

/// What earlier events of a room say that later ones refer to.
struct MatrixRoom {
  private static let mostPolls = 1_000

  private var names: [String: String] = [:]
  private(set) var polls: [String: MatrixPoll] = [:]

  func name(of id: String) -> String { names[id] ?? MatrixEvent.plainName(of: id) }

  mutating func rename(_ person: String, to name: String) { names[person] = name }

  mutating func note(_ poll: MatrixPoll, id: String) {
    if polls.count >= Self.mostPolls { polls.removeAll() }
    polls[id] = poll
  }
}

extension MatrixEvent {
  /// Events that change a room.
  func readChange(into message: inout RichMessage) throws(JSONError) {
    message.kind = type.hasPrefix("m.call.") ? .call : .system
    switch type {
    case "m.room.topic", "m.room.name":
      message.kind = .topic
      let name = try content?.firstText(["topic", "name"]) ?? ""
      message.text = name.isEmpty ? "removed the \(type.dropFirst("m.room.".count))" : name
    case "m.room.power_levels": (message.kind, message.text) = (.mode, "changed who may do what")
    case "m.room.canonical_alias": message.text = try words("changed the address of the room", ["alias"])
    case "m.room.history_visibility":
      message.text = try words("changed who may read the history", ["history_visibility"])
    case "m.room.join_rules": message.text = try words("changed who may join", ["join_rule"])
    case "m.room.tombstone": message.text = try words("replaced the room", ["body"])
    case "m.room.third_party_invite": message.text = try words("invited", ["display_name"])
    case "m.beacon_info", "org.matrix.msc3672.beacon_info":
      message.text = try words("shared the live location", ["description"])
    case "m.beacon", "org.matrix.msc3672.beacon":
      if let content { try readPlace(content, into: &message) }
    case "m.call.invite": message.text = "started a call"
    case "m.call.answer": message.text = "answered the call"
    case "m.call.reject": message.text = "declined the call"
    case "m.call.hangup": message.text = try words("ended the call", ["reason"])
    default:
      let words = try content?.matrixWords()
      message.text = Self.changes[type] ?? words ?? ""
    }
  }

  private static let changes = [
    "m.room.create": "created the room", "m.room.avatar": "changed the picture of the room",
    "m.room.encryption": "turned on encryption", "m.room.guest_access": "changed whether guests may join",
    "m.room.pinned_events": "changed the pinned messages",
    "m.room.server_acl": "changed which servers may take part",
  ]

  private func words(_ change: String, _ keys: [String]) throws(JSONError) -> String {
    guard let detail = try content?.firstText(keys), !detail.isEmpty else { return change }
    return "\(change): \(detail)"
  }
}

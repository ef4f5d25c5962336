internal import MessageModel

/// People, channels and reactions, which Zulip exports apart from messages.
struct ZulipRealm {
  static let fileName = "realm.json"

  private(set) var name: String?
  private var key: String?
  private var userNames: [Int64: String] = [:]
  private var channelNames: [Int64: String] = [:]
  private var recipients: [Int64: Recipient] = [:]
  private var members: [Int64: [Int64]] = [:]
  private var reactions: [Int64: [Message.Reaction]] = [:]

  private struct Recipient {
    /// 1 for a person, 2 for a channel, 3 for a group.
    var type: Int64
    var id: Int64
  }

  private static let lists: Set<String> = [
    "zerver_realm", "zerver_userprofile", "zerver_userprofile_crossrealm", "zerver_userprofile_mirrordummy",
    "zerver_stream",
    "zerver_recipient", "zerver_subscription", "zerver_reaction",
  ]

  mutating func read(_ source: ByteSource) {
    var stream = JSONStream(source)
    while let next = try? stream.next({ $0.isEmpty || $0.count == 1 && Self.lists.contains($0[0]) }) {
      switch next {
      case .end: return
      case .leave, .overlong: continue
      case .value(let value, _):
        guard stream.path.count == 2, UTF8Check.isValid(value), let fields = JSONFields(value) else {
          continue
        }
        try? take(fields, from: stream.path[0])
      }
    }
  }

  private mutating func take(_ fields: JSONFields, from list: String) throws(JSONError) {
    guard let id = fields.integer("id") else { return }
    switch list {
    case "zerver_realm":
      name = try fields.plainText("name")
      key = try fields.firstText(["uuid", "string_id"])
    case "zerver_stream": channelNames[id] = try fields.string("name")
    case "zerver_recipient":
      if let type = fields.integer("type"), let of = fields.integer("type_id") {
        recipients[id] = Recipient(type: type, id: of)
      }
    case "zerver_subscription":
      if let user = fields.integer("user_profile"), let recipient = fields.integer("recipient") {
        members[recipient, default: []].append(user)
      }
    case "zerver_reaction": try takeReaction(fields)
    default:
      let email = try fields.firstText(["delivery_email", "email"])
      userNames[id] = try fields.firstText(["full_name"]) ?? email
    }
  }

  private mutating func takeReaction(_ fields: JSONFields) throws(JSONError) {
    guard let message = fields.integer("message"), let name = try fields.plainText("emoji_name") else {
      return
    }
    var emoji = ":\(name):"
    if try fields.string("reaction_type") == "unicode_emoji", let code = try fields.string("emoji_code") {
      let scalars = code.split(separator: "-").compactMap {
        UInt32($0, radix: 16).flatMap(Unicode.Scalar.init)
      }
      if !scalars.isEmpty { emoji = String(String.UnicodeScalarView(scalars)) }
    }
    let sender = userName(fields.integer("user_profile") ?? 0)
    var known = reactions[message] ?? []
    if let place = known.firstIndex(where: { $0.emoji == emoji }) {
      known[place].senders.append(sender)
    } else {
      known.append(Message.Reaction(emoji: emoji, senders: [sender]))
    }
    reactions[message] = known
  }

  func userName(_ id: Int64) -> String { userNames[id] ?? "user \(id)" }

  func reactions(to message: Int64) -> [Message.Reaction] { reactions[message] ?? [] }

  func identity(of place: Place, topic: String) -> ConversationIdentity? {
    guard let key else { return nil }
    return ConversationIdentity(
      platform: "zulip", key: place.isChannel ? "\(key)/\(place.key)/\(topic)" : "\(key)/\(place.key)")
  }

  func conversation(recipient: Int64, sender: Int64) -> Place {
    guard let found = recipients[recipient] else {
      return Place(
        name: "recipient \(recipient)", key: "recipient \(recipient)", isChannel: false, isDirect: nil)
    }
    if found.type == 2 {
      return Place(
        name: channelNames[found.id] ?? "channel \(found.id)", key: "\(found.id)", isChannel: true,
        isDirect: false)
    }
    let people = Set(found.type == 1 ? [found.id, sender] : members[recipient] ?? [])
    let names = people.map(userName).sorted()
    return Place(
      name: names.isEmpty ? "group \(found.id)" : names.joined(separator: ", "),
      // Two people's conversation has a recipient for each of them.
      key: people.isEmpty
        ? "group \(found.id)" : "direct \(people.sorted().map(String.init).joined(separator: ","))",
      isChannel: false,
      isDirect: people.isEmpty ? nil : people.count == 2)
  }

  struct Place {
    var name: String
    var key: String
    var isChannel: Bool
    var isDirect: Bool?
  }
}

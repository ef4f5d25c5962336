internal import MessageModel

struct SlackWorkspace {
  static let fileNames: Set<String> = [
    "users.json", "channels.json", "groups.json", "dms.json", "mpims.json",
  ]

  private static let listNames = fileNames.union(["org_users.json"])

  private static let otherCompanions: Set<String> = [
    "canvases.json", "lists.json", "integration_logs.json", "file_conversations.json",
    "huddle_transcripts.json", "canvas_in_the_conversation.json",
  ]

  struct Channel {
    var name: String
    var id: String
    var isDirect: Bool?
    /// Whether the id is Slack's rather than a folder's name.
    var isKnown = false
  }

  var name: String?
  private var teamID: String?
  private var userNames: [String: String] = [:]
  private var conversations: [String: Channel] = [:]
  private var channels: [String: Channel] = [:]

  init() {}

  init(_ files: [String: [UInt8]]) {
    for user in Self.objects(in: files["users.json"]) { addUser(user) }
    for name in ["channels.json", "groups.json", "mpims.json", "dms.json"] {
      for conversation in Self.objects(in: files[name]) { addConversation(conversation) }
    }
  }

  static func isCompanion(
    _ sample: FormatSample, of format: String, beside companions: Companions
  ) -> Bool {
    guard sample.mayGoWith(format) else { return false }
    // In slackdump's archive the lists are in chunks of Slack's replies.
    if sample.has("{\"t\":", inFirst: 16) { return fileNames.contains(sample.name) }
    guard sample.firstSign == UInt8(ascii: "[") else { return false }
    if listNames.contains(sample.name) { return isList(sample) }
    guard otherCompanions.contains(sample.name) else { return false }
    // A canvas is in its channel's folder.
    let folders = sample.components.dropLast()
    return [folders, folders.dropLast()].contains { folder in
      ["users.json", "channels.json"].contains { companions.has($0, in: Array(folder)) }
    }
  }

  private static func isList(_ sample: FormatSample) -> Bool {
    var stream = JSONStream(ByteSource(MemoryProducer(sample.text)))
    guard case .value(let value, _)? = try? stream.nextValue(\.isEmpty) else {
      return stream.hasEmptyListsAlone
    }
    guard let fields = JSONFields(value) else { return false }
    let isDescribed = ["name", "members", "profile", "creator"].contains { fields[$0] != nil }
    return fields["id"] != nil && isDescribed && fields["text"] == nil && fields["ts"] == nil
  }

  func userName(_ id: String) -> String? { userNames[id] }

  func conversation(inFolder folder: String) -> Channel {
    conversations[folder] ?? Channel(name: folder, id: folder)
  }

  func conversation(id: String) -> Channel { channels[id] ?? Channel(name: id, id: id, isKnown: true) }

  func conversationName(id: String) -> String? { channels[id]?.name }

  mutating func learnUser(_ value: Bytes) throws(JSONError) {
    if let user = try Self.object(JSONFields(value)) { addUser(user) }
  }

  mutating func learnConversation(_ value: Bytes) throws(JSONError) {
    if let conversation = try Self.object(JSONFields(value)) { addConversation(conversation) }
  }

  /// `Tea` for a path with `Tea Slack export May 1 2024.zip`.
  static func name(in path: String) -> String? {
    for part in path.split(whereSeparator: { $0 == "/" || $0 == ":" }) {
      if let end = part.firstRange(of: " Slack export "), end.lowerBound > part.startIndex {
        return String(part[..<end.lowerBound])
      }
    }
    return nil
  }

  /// `nil` if only the name is known. Slack's ids are unique everywhere; converters may make up short ones.
  func identity(of channel: Channel) -> ConversationIdentity? {
    guard channel.isKnown else { return nil }
    let isSlacks = channel.id.utf8.count >= 9
    let key = isSlacks ? channel.id : teamID.map { "\($0)/\(channel.id)" } ?? channel.id
    return ConversationIdentity(platform: "slack", key: key)
  }

  private struct Object {
    var id: String
    var teamID: String?
    var name: String?
    var names: [String]
    var members: [String]
  }

  private static func objects(in bytes: [UInt8]?) -> [Object] {
    var objects: [Object] = []
    bytes?.withUnsafeBytes { bytes in
      guard UTF8Check.isValid(bytes) else { return }
      var scanner = JSONScanner(bytes)
      do throws(JSONError) {
        while !scanner.isAtEnd, try scanner.kind() == .object { try addChunk(&scanner, to: &objects) }
        try add(&scanner, to: &objects)
      } catch {}
    }
    return objects
  }

  private static func add(_ scanner: inout JSONScanner, to objects: inout [Object]) throws(JSONError) {
    try scanner.array { scanner throws(JSONError) in
      let value = try scanner.value()
      if let object = try object(JSONFields(value)) { objects.append(object) }
    }
  }

  private static func addChunk(_ scanner: inout JSONScanner, to objects: inout [Object]) throws(JSONError) {
    let chunk = JSONFields(try scanner.value())
    for key in ["u", "ch"] {
      try chunk?.forEach(key) { value throws(JSONError) in
        if let object = try object(JSONFields(value)) { objects.append(object) }
      }
    }
    if let value = chunk?["ci"], let object = try object(JSONFields(value)) { objects.append(object) }
  }

  private static func object(_ fields: JSONFields?) throws(JSONError) -> Object? {
    guard let fields, let id = try fields.string("id") else { return nil }
    let profile = fields.object("profile")
    var object = Object(id: id, name: try fields.plainText("name"), names: [], members: [])
    for name in [
      try profile?.plainText("display_name"), try profile?.plainText("real_name"),
      try fields.plainText("real_name"), object.name,
    ] {
      if let name, !name.isEmpty { object.names.append(name) }
    }
    object.members = try fields.strings("members")
    object.teamID = try fields.firstText(["team_id", "context_team_id"])
    return object
  }

  private mutating func addUser(_ user: Object) {
    userNames[user.id] = user.names.first ?? user.id
    teamID = teamID ?? user.teamID
  }

  private mutating func addConversation(_ conversation: Object) {
    teamID = teamID ?? conversation.teamID
    let people = conversation.members.map { userNames[$0] ?? $0 }.joined(separator: ", ")
    let name = conversation.name ?? ""
    let isUnnamed = name.isEmpty || name.hasPrefix("mpdm-")
    let shown = isUnnamed && !people.isEmpty ? people : name.isEmpty ? conversation.id : name
    // Ids of direct messages begin with D: https://docs.slack.dev/reference/objects/conversation-object/
    let channel = Channel(
      name: shown, id: conversation.id, isDirect: conversation.id.hasPrefix("D"), isKnown: true)
    conversations[name.isEmpty ? conversation.id : name] = channel
    channels[conversation.id] = channel
  }
}

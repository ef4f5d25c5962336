/// The people and channels of a Slack workspace, by their ids.
struct SlackWorkspace {
  /// The files that tell them.
  static let fileNames: Set<String> = [
    "users.json", "channels.json", "groups.json", "dms.json", "mpims.json",
  ]

  private static let otherCompanions: Set<String> = [
    "canvases.json", "lists.json", "integration_logs.json", "file_conversations.json",
    "huddle_transcripts.json",
    "canvas_in_the_conversation.json", "org_users.json",
  ]

  private var userNames: [String: String] = [:]
  /// The names of conversations and their ids, by the folder that they lie in.
  private var conversations: [String: (name: String, id: String)] = [:]

  /// Reads the lists, by the names of their files; what is missing is left out.
  init(_ files: [String: [UInt8]]) {
    for user in Self.objects(in: files["users.json"]) { addUser(user) }
    for name in ["channels.json", "groups.json", "mpims.json", "dms.json"] {
      for conversation in Self.objects(in: files[name]) { addConversation(conversation) }
    }
  }

  /// Whether a file is one of those that go with the messages of an export.
  static func isCompanion(_ sample: FormatSample) -> Bool {
    (fileNames.contains(sample.name) || otherCompanions.contains(sample.name))
      && sample.bytes.first { $0 > 0x20 } == UInt8(ascii: "[")
  }

  /// The name of a user, if the export knows it.
  func userName(_ id: String) -> String? { userNames[id] }

  /// The name of the conversation in a folder and the id that its messages are counted by.
  func conversation(inFolder folder: String) -> (name: String, id: String) {
    conversations[folder] ?? (folder, folder)
  }

  /// The id of the conversation called `name`.
  func conversationName(id: String) -> String? { conversations.values.first { $0.id == id }?.name }

  private struct Object {
    var id: String
    var name: String?
    var names: [String]
    var members: [String]
  }

  private static func objects(in bytes: [UInt8]?) -> [Object] {
    var objects: [Object] = []
    bytes?.withUnsafeBytes { bytes in
      guard UTF8Check.isValid(bytes) else { return }
      var scanner = JSONScanner(bytes)
      // What is damaged is left out: names are then shown as ids.
      try? scanner.array { scanner throws(JSONFault) in
        let value = try scanner.value()
        if let object = try object(JSONFields(value)) { objects.append(object) }
      }
    }
    return objects
  }

  private static func object(_ fields: JSONFields?) throws(JSONFault) -> Object? {
    guard let fields, let id = try fields.string("id") else { return nil }
    let profile = fields.object("profile")
    var object = Object(id: id, name: try fields.plainText("name"), names: [], members: [])
    for name in [
      try profile?.plainText("display_name"), try profile?.plainText("real_name"),
      try fields.plainText("real_name"), object.name,
    ] {
      if let name, !name.isEmpty { object.names.append(name) }
    }
    var members: [String] = []
    try fields.forEach("members") { member throws(JSONFault) in
      var scanner = JSONScanner(member)
      members.append(try scanner.string().string())
    }
    object.members = members
    return object
  }

  private mutating func addUser(_ user: Object) { userNames[user.id] = user.names.first ?? user.id }

  private mutating func addConversation(_ conversation: Object) {
    let people = conversation.members.map { userNames[$0] ?? $0 }.joined(separator: ", ")
    guard let name = conversation.name, !name.isEmpty else {
      conversations[conversation.id] = (people.isEmpty ? conversation.id : people, conversation.id)
      return
    }
    let shown = name.hasPrefix("mpdm-") && !people.isEmpty ? people : name
    conversations[name] = (shown, conversation.id)
  }
}

internal import MessageModel

extension SkypeHistory {
  static func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    let folder = sample.folder
    if sample.name == "endpoints.json" { return companions.has("messages.json", in: folder) }
    guard folder.last == "media" else { return false }
    return companions.has("messages.json", in: Array(folder.dropLast()))
  }
}

/// The files in `media` by the ids in messages: `0-weu-d1.2.jpg` is the second part of `0-weu-d1`.
struct SkypeFiles: CompanionFiles {
  private var paths: [String: [String]] = [:]

  mutating func add(_ components: ArraySlice<String>) {
    guard components.first == "media", let name = components.last, !name.hasSuffix(".json") else { return }
    paths[String(name.prefix { $0 != "." }), default: []].append(components.joined(separator: "/"))
  }

  func paths(of id: String) -> [String] { (paths[id] ?? []).sorted() }
}

/// Skype's export: each conversation's messages follow its name.
struct SkypeHistory: JSONHistory {
  private let options: ImportOptions
  private let file: InputFile
  private var times: LooseTime
  private var people: SkypePeople
  private var files: SkypeFiles?
  private var conversation = SkypeConversation()

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    self.file = file
    times = LooseTime(ImportOptions(timeZone: .gmt))
    people = SkypePeople(me: options.me ?? "me")
  }

  func descends(into path: [String]) -> Bool {
    switch path {
    case [], ["conversations"], ["conversations", "*"], ["conversations", "*", "MessageList"]: true
    default: false
    }
  }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    switch path {
    case ["userId"]: people.own = try? value.jsonString()
    case ["conversations", "*", "id"]: conversation.id = (try? value.jsonString()) ?? ""
    case ["conversations", "*", "displayName"]: conversation.name = try? value.jsonString()
    case ["conversations", "*", "threadProperties"]:
      conversation.topic = try JSONFields(value)?.plainText("topic")
    case ["conversations", "*", "MessageList", "*"]:
      // The list of calls repeats the conversations.
      if conversation.id != "48:calllogs" { try takeMessage(value, into: &sink) }
    default: break
    }
  }

  mutating func leave(_ path: [String], into sink: inout RecordSink) {
    if path == ["conversations", "*"] { conversation = SkypeConversation() }
  }

  private mutating func takeMessage(_ value: Bytes, into sink: inout RecordSink) throws(JSONError) {
    let fields = try JSONFields.reading(value)
    // Times are UTC, even without saying so.
    let (time, precision) = try times.moment(try fields.plainText("originalarrivaltime"))
    if conversation.id.isEmpty { conversation.id = try fields.plainText("conversationid") ?? "" }
    let from = SkypePeople.address(try fields.plainText("from") ?? "")
    people.learn(try fields.plainText("displayName"), of: from)
    var message = RichMessage(time: time, precision: precision, text: "")
    // Trailing zeros of a fraction are omitted, and a zero fraction entirely.
    if precision == .second { message.precision = .millisecond }
    if from != conversation.id || from.hasPrefix("8:") || from.hasPrefix("28:") {
      message.sender = people.name(of: from)
      message.details.senderID = from.isEmpty || from == people.own ? nil : from
    }
    let id = try fields.plainText("id")
    message.details.source = Message.Source(
      platform: "skype", id: id.map { "\(conversation.id)/\($0)" },
      original: options.keepsOriginal ? value.string : nil)
    let content = SkypeContent(people: people, conversation: conversation.id)
    content.read(
      try fields.plainText("content") ?? "", type: try fields.plainText("messagetype") ?? "", into: &message)
    try readProperties(fields, into: &message)
    try addFiles(fields, to: &message)
    sink.append(
      message,
      conversation: sink.conversation(
        keyed: "skype:\(conversation.id)", title: conversation.title(people), isDirect: conversation.isDirect,
        options))
  }

  private func readProperties(_ fields: JSONFields, into message: inout RichMessage) throws(JSONError) {
    guard let properties = fields.object("properties") else { return }
    if properties["deletetime"] != nil {
      (message.kind, message.text) = (.system, "message deleted")
    } else if properties["edittime"] != nil {
      message.details.noteEdit(properties["edittime"], after: times)
    }
    var given = try emotions(properties)
    if given.isEmpty, let list = try properties.plainText("emotions"), list.hasPrefix("[") {
      var object = "{\"emotions\":\(list)}"
      given = object.withUTF8 { JSONFields(Bytes($0)).flatMap { try? emotions($0) } } ?? []
    }
    message.details.reactions = Message.Reaction.gathered(given)
  }

  private static let mostReactions = 10_000

  private func emotions(_ properties: JSONFields) throws(JSONError) -> [(emoji: String, sender: String)] {
    var given: [(emoji: String, sender: String)] = []
    try properties.forEach("emotions") { value throws(JSONError) in
      guard let emotion = JSONFields(value), let key = try emotion.plainText("key") else { return }
      try emotion.forEach("users") { user throws(JSONError) in
        guard given.count < Self.mostReactions else { return }
        let who = try JSONFields(user)?.plainText("mri") ?? ""
        given.append((SkypeContent.emoji(key), people.name(of: who)))
      }
    }
    return given
  }

  private mutating func addFiles(_ fields: JSONFields, to message: inout RichMessage) throws(JSONError) {
    if files == nil { files = file.companions.namedFiles(in: file.folder) }
    var paths: [String] = []
    try fields.forEach("amsreferences") { value throws(JSONError) in
      guard paths.count < Self.mostFiles, let id = try? value.jsonString() else { return }
      paths += files?.paths(of: id) ?? []
    }
    for (index, path) in paths.enumerated() {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      if index < message.details.attachments.count {
        message.details.attachments[index].path = path
      } else {
        message.details.attachments.append(Message.Attachment(name: name, path: path))
      }
    }
  }

  private static let mostFiles = 500
}

private struct SkypeConversation {
  var id = ""
  var name: String?
  var topic: String?

  /// `8:` is a person, `28:` a bot, `19:` a group.
  var isDirect: Bool? {
    if id.hasPrefix("8:") || id.hasPrefix("28:") { return true }
    // Teams for home gives direct chats the ids of groups.
    if id.hasSuffix("@unq.gbl.spaces") { return true }
    return id.hasPrefix("19:") ? false : nil
  }

  func title(_ people: SkypePeople) -> String {
    if id == "48:notes" { return "Notes" }
    let own = [name, topic].compactMap { $0 }.first { !$0.isEmpty }
    return own ?? (id.isEmpty ? "Skype" : people.name(of: id))
  }
}

struct SkypePeople {
  let me: String
  var own: String?
  private var names: [String: String] = [:]

  private static let most = 100_000

  init(me: String) { self.me = me }

  mutating func learn(_ name: String?, of address: String) {
    guard let name, !name.isEmpty, names[address] != nil || names.count < Self.most else { return }
    names[address] = name
  }

  func name(of address: String) -> String {
    if address == own { return me }
    if let name = names[address] { return name }
    var plain = address[...]
    for start in ["8:", "28:", "19:", "live:", ".cid."] where plain.hasPrefix(start) {
      plain = plain.dropFirst(start.count)
    }
    return plain.isEmpty ? "unknown" : String(plain)
  }

  /// Older exports have the address of a page about the person.
  static func address(_ written: String) -> String {
    written.hasPrefix("https://") ? written.split(separator: "/").last.map(String.init) ?? written : written
  }
}

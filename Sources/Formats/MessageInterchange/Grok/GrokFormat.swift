internal import MessageModel

/// Grok in the export of an account at xAI: `prod-grok-backend.json`.
struct GrokHistory: JSONHistory {
  private static let chats = "prod-grok-backend.json"
  private static let uploads = "prod-mc-asset-server"

  private var reader: AssistantReader
  private var times: LooseTime

  init(file: InputFile, options: ImportOptions) {
    reader = AssistantReader("grok", assistant: "Grok", options)
    times = LooseTime(options)
  }

  static func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    if let place = sample.folder.firstIndex(of: uploads) {
      return companions.has(chats, in: Array(sample.folder[..<place]))
    }
    return ["prod-mc-auth-mgmt-api.json", "prod-mc-billing.json"].contains(sample.name)
      && companions.has(chats, in: sample.folder)
  }

  func descends(into path: [String]) -> Bool { path.isEmpty || path == ["conversations"] }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    guard path == ["conversations", "*"] else { return }
    let fields = try JSONFields.reading(value)
    let facts = fields.object("conversation") ?? JSONFields()
    guard let id = try facts.plainText("id") else { throw JSONError(reason: "it has no id") }
    guard fields["responses"] != nil else { throw JSONError(reason: "it has no messages") }
    var chat = AssistantChat(id: id)
    chat.title = try facts.plainText("title")
    chat.beginning = try facts.plainText("create_time").flatMap { times.read($0)?.time }
    try fields.forEach("responses") { value throws(JSONError) in
      var node = AssistantChat.Node(id: "\(id)/\(chat.nodes.count + 1)", original: value)
      do throws(JSONError) {
        try read(JSONFields.reading(value).object("response") ?? JSONFields(), into: &node)
      } catch {
        sink.skip(
          reason: "message \(chat.nodes.count + 1) of '\(chat.name)': \(error.reason)", record: value)
      }
      chat.nodes.append(node)
    }
    Self.connect(&chat.nodes)
    chat.append(by: &reader, to: &sink)
  }

  /// A message follows the one before it where no message of its chat names another, or the one that it names
  /// is not there.
  private static func connect(_ nodes: inout [AssistantChat.Node]) {
    let ids = Set(nodes.map(\.id))
    let areNamed = nodes.contains { $0.parent != nil }
    for place in nodes.indices.dropFirst() where nodes[place].parent.map({ !ids.contains($0) }) ?? !areNamed {
      nodes[place].parent = nodes[place - 1].id
    }
  }

  private mutating func read(
    _ response: JSONFields, into node: inout AssistantChat.Node
  ) throws(JSONError) {
    node.id = try response.plainText("_id") ?? node.id
    node.parent = try response.plainText("parent_response_id")
    node.time = try response.databaseTime("create_time").flatMap { times.read($0)?.time }
    node.model = try response.plainText("model")
    guard let sender = try response.plainText("sender") else { throw JSONError(reason: "it has no sender") }
    // Others are `assistant`, `ASSISTANT` and names of models.
    node.isMine = sender.lowercased() == "human"
    let thoughts = AssistantPart(kind: .thinking, text: try Self.thoughts(of: response))
    let found = try AssistantPart.found(by: "web_search", "web_search_results", in: response)
    var text = AssistantPart(kind: .text, text: try response.plainText("message") ?? "")
    // What a picture was asked with.
    if text.text.isEmpty { text.text = try response.plainText("query") ?? "" }
    text.attachments = try Self.files(of: response)
    // The place of each in a reply is in its id: a reply grows in all of them.
    var parts = node.isMine ? [text] : [thoughts, found, text]
    if let error = try response.plainText("error"), !error.isEmpty { parts.append(.note("failed: \(error)")) }
    guard !parts.allSatisfy(\.isBlank) else { throw JSONError(reason: "it has no text") }
    node.parts = parts
  }

  private static func thoughts(of response: JSONFields) throws(JSONError) -> String {
    var thoughts = [try response.plainText("thinking_trace")].compactMap(\.self)
    thoughts += try response.map("agent_thinking_traces") { trace throws(JSONError) in
      try trace.plainText("thinking_trace")
    }
    var seen: Set<String> = []
    return thoughts.filter { !$0.isEmpty && seen.insert($0).inserted }.joined(separator: "\n\n")
  }

  private static func files(of response: JSONFields) throws(JSONError) -> [Message.Attachment] {
    var files: [Message.Attachment] = []
    try response.forEach("file_attachments") { value throws(JSONError) in
      let file = JSONFields(value)
      var id = try file?.firstText(["asset_id", "id"])
      if file == nil { id = try AssistantText.plain(value) }
      guard let id, !id.isEmpty else { return }
      let name = try file?.firstText(["file_name", "name"]) ?? id
      files.append(Message.Attachment(name: name, path: "\(Self.uploads)/\(id)/content"))
    }
    try response.forEach("generated_image_urls") { value throws(JSONError) in
      let address = try AssistantText.plain(value)
      let name = address.split(separator: "/").last.map(String.init) ?? address
      files.append(Message.Attachment(name: name, path: address))
    }
    return files
  }
}

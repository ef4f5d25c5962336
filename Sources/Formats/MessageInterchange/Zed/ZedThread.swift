internal import MessageModel

/// The messages of a thread of Zed: `{"User": …}` and `{"Agent": …}` since version 0.3 of its JSON, with a role
/// before.
enum ZedThread {
  struct Entry {
    /// `nil` for an agent's message.
    var id: String?
    var isMine = false
    var parts: [AssistantPart] = []
  }

  static func entry(_ value: Bytes) throws(JSONError) -> Entry {
    guard let fields = JSONFields(value) else {
      // `"Resume"`: the agent was told to go on.
      return Entry(isMine: true, parts: [.note(try AssistantText.plain(value).lowercased())])
    }
    if let user = fields.object("User") {
      return Entry(id: try user.plainText("id"), isMine: true, parts: [try asked(user)])
    }
    if let agent = fields.object("Agent") { return Entry(parts: try answered(agent)) }
    guard let role = try fields.plainText("role") else { return Entry(parts: [.unknown(value)]) }
    return Entry(isMine: role == "user", parts: try former(fields, isSystem: role == "system"))
  }

  private static func asked(_ user: JSONFields) throws(JSONError) -> AssistantPart {
    var part = AssistantPart(kind: .text)
    try user.forEach("content") { value throws(JSONError) in
      let block = JSONFields(value) ?? JSONFields()
      if let text = try block.plainText("Text") {
        part.text += text
      } else if let mention = block.object("Mention") {
        let (name, path) = try target(mention)
        part.text += "@\(name)"
        part.attachments.append(Message.Attachment(name: name, path: path))
      } else if let picture = block.object("Image"), let data = picture["source"] {
        part.attach(
          "image-\(part.attachments.count + 1).png", type: "image/png", TransferEncoding.base64(data))
      } else {
        part.text += value.string
      }
    }
    return part
  }

  /// The name and the path of what a question mentions: a file, a symbol, a thread, an address.
  private static func target(_ mention: JSONFields) throws(JSONError) -> (name: String, path: String?) {
    guard let kinds = mention.object("uri"), let kind = kinds.keys.first, let uri = kinds.object(kind) else {
      return (try mention.plainText("uri") ?? "mention", nil)
    }
    let path = try uri.firstText(["abs_path", "path", "url"])
    let file = path?.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init)
    let name = try uri.plainText("name")
    return (name ?? file ?? kind.lowercased(), path)
  }

  private static func answered(_ agent: JSONFields) throws(JSONError) -> [AssistantPart] {
    let results = agent.object("tool_results") ?? JSONFields()
    var parts: [AssistantPart] = []
    try agent.forEach("content") { value throws(JSONError) in
      let block = JSONFields(value) ?? JSONFields()
      if let text = try block.plainText("Text") {
        parts.append(AssistantPart(kind: .text, text: text))
      } else if let thought = block.object("Thinking") {
        parts.append(AssistantPart(kind: .thinking, text: try thought.plainText("text") ?? ""))
      } else if let call = block.object("ToolUse") {
        let name = try call.plainText("name") ?? "tool"
        parts.append(AssistantPart(kind: .tool, text: try AssistantText.call(name, call["input"])))
        guard let id = try call.plainText("id"), let result = results.object(id) else { return }
        parts.append(try self.result(result, of: name))
      } else if block["RedactedThinking"] == nil {
        parts.append(.unknown(value))
      }
    }
    return parts.isEmpty ? [AssistantPart(kind: .text)] : parts.said
  }

  /// A message before version 0.3, with its calls and their results beside its text.
  private static func former(_ message: JSONFields, isSystem: Bool) throws(JSONError) -> [AssistantPart] {
    var parts: [AssistantPart] = []
    try message.forEach("segments") { value throws(JSONError) in
      let segment = try JSONFields.reading(value)
      switch try segment.plainText("type") {
      case "text":
        parts.append(
          AssistantPart(kind: isSystem ? .system : .text, text: try segment.plainText("text") ?? ""))
      case "thinking": parts.append(AssistantPart(kind: .thinking, text: try segment.plainText("text") ?? ""))
      case "redacted_thinking": break
      default: parts.append(.unknown(value))
      }
    }
    if parts.isEmpty, let text = try message.plainText("text") {
      parts = [AssistantPart(kind: .text, text: text)]
    }
    var names = ToolNames()
    try message.forEach("tool_uses") { value throws(JSONError) in
      let call = try JSONFields.reading(value)
      let name = try call.plainText("name") ?? "tool"
      names.note(try call.plainText("id"), name)
      parts.append(AssistantPart(kind: .tool, text: try AssistantText.call(name, call["input"])))
    }
    try message.forEach("tool_results") { value throws(JSONError) in
      let result = try JSONFields.reading(value)
      parts.append(try self.result(result, of: names.name(of: try result.plainText("tool_use_id"))))
    }
    return parts.isEmpty ? [AssistantPart(kind: .text)] : parts.said
  }

  private static func result(_ result: JSONFields, of tool: String) throws(JSONError) -> AssistantPart {
    var part = AssistantPart(kind: .result)
    part.tool = try result.plainText("tool_name") ?? tool
    if let content = result["content"] {
      var scanner = JSONScanner(content)
      if try scanner.kind() == .array {
        try scanner.array { scanner throws(JSONError) in try read(try scanner.value(), into: &part) }
      } else {
        try read(content, into: &part)
      }
    }
    if result.isTrue("is_error") { part.text = "failed: \(part.text)" }
    return part.ended()
  }

  private static func read(_ content: Bytes, into part: inout AssistantPart) throws(JSONError) {
    let block = JSONFields(content)
    if let data = block?.object("Image")?["source"] {
      part.attach("image-\(part.attachments.count + 1).png", type: "image/png", TransferEncoding.base64(data))
      return
    }
    let (own, plain) = (try block?.firstText(["Text", "text"]), try AssistantText.plain(content))
    part.text += (part.text.isEmpty ? "" : "\n") + (own ?? plain)
  }
}

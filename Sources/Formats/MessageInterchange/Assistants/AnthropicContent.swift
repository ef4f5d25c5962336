internal import MessageModel

/// A message's content in Claude's programs: a string, or a list of blocks.
struct AnthropicContent {
  private(set) var parts: [AssistantPart] = []

  init() {}

  /// `names` are the tools called so far; this adds to them.
  init(_ content: Bytes, _ names: inout ToolNames, textKind: Message.Kind = .text) throws(JSONError) {
    var scanner = JSONScanner(content)
    switch try scanner.kind() {
    case .string: parts = [AssistantPart(kind: textKind, text: try scanner.string().string())]
    case .array:
      var isEmpty = true
      try scanner.array { scanner throws(JSONError) in
        isEmpty = false
        try take(try scanner.value(), &names, textKind)
      }
      if isEmpty { parts = [AssistantPart(kind: textKind)] }
    case .object, .number, .literal: throw JSONError(reason: "its content is neither a text nor a list")
    }
    parts = parts.said
  }

  /// Adds a block, also an empty one.
  mutating func take(
    _ value: Bytes, _ names: inout ToolNames, _ textKind: Message.Kind = .text
  ) throws(JSONError) {
    let block = try JSONFields.reading(value)
    switch try block.plainText("type") ?? "" {
    case "text":
      parts.append(
        try block.string("text").map { AssistantPart(kind: textKind, text: $0) } ?? .unknown(value))
    case "thinking":
      let thought = try block.string("thinking")
      // Without its text it is one that only its maker can read.
      if thought == "", block["signature"] != nil { break }
      parts.append(thought.map { AssistantPart(kind: .thinking, text: $0) } ?? .unknown(value))
    case "image", "document": try attach(block, textKind)
    case let type where type.hasSuffix("tool_use"):
      let name = try block.plainText("name") ?? "tool"
      names.note(try block.plainText("id"), name)
      parts.append(AssistantPart(kind: .tool, text: try AssistantText.call(name, block["input"])))
    case let type where type.hasSuffix("tool_result"):
      parts.append(try result(block, names))
    case "redacted_thinking", "token_budget": break  // A thought that only its maker can read, and a number.
    default:
      // Blocks of later versions are kept, as JSON if they have no text.
      let text = try block.plainText("text") ?? ""
      parts.append(text.isEmpty ? .unknown(value) : AssistantPart(kind: .unknown, text: text))
    }
  }

  private func result(_ block: JSONFields, _ names: ToolNames) throws(JSONError) -> AssistantPart {
    var part = AssistantPart(kind: .result)
    let called = names.name(of: try block.plainText("tool_use_id"))
    part.tool = try block.plainText("name") ?? called
    if let content = block["content"] { try Self.read(content, into: &part) }
    if block.isTrue("is_error") { part.text = "failed: \(part.text)" }
    return part.ended()
  }

  private static func read(_ content: Bytes, into part: inout AssistantPart) throws(JSONError) {
    var scanner = JSONScanner(content)
    guard try scanner.kind() == .array else {
      part.text = try AssistantText.plain(content)
      return
    }
    var texts: [String] = []
    try scanner.array { scanner throws(JSONError) in
      let value = try scanner.value()
      guard let block = JSONFields(value) else {
        texts.append(try AssistantText.plain(value))
        return
      }
      switch try block.plainText("type") ?? "" {
      case "image", "document": try attach(block, to: &part)
      default: texts.append(try block.firstText(["text", "title", "content"]) ?? value.string)
      }
    }
    part.text = texts.joined(separator: "\n")
  }

  private mutating func attach(_ block: JSONFields, _ textKind: Message.Kind) throws(JSONError) {
    if parts.last?.kind != textKind { parts.append(AssistantPart(kind: textKind)) }
    try Self.attach(block, to: &parts[parts.count - 1])
  }

  private static func attach(_ block: JSONFields, to part: inout AssistantPart) throws(JSONError) {
    let source = block.object("source") ?? block
    let type = try source.firstText(["media_type", "mediaType", "mimeType"])
    let ending = type?.split(separator: "/").last.map { "." + $0.prefix(8) } ?? ""
    let word = try block.plainText("type") == "document" ? "document" : "image"
    let name = try block.firstText(["title", "name"]) ?? "\(word)-\(part.attachments.count + 1)\(ending)"
    guard let data = source["data"], try source.plainText("type") != "url" else {
      let path = try source.firstText(["url", "file_path", "path"])
      part.attachments.append(Message.Attachment(name: name, mediaType: type, path: path))
      return
    }
    var scanner = JSONScanner(data)
    guard try scanner.kind() == .string else { throw .wrongType("data", wanted: "a string") }
    let digits = try scanner.string()
    if try source.plainText("type") == "text" {
      part.attach(name, type: type, Array(try digits.string().utf8))
    } else {
      part.attach(name, type: type, TransferEncoding.base64(digits.bytes))
    }
  }
}

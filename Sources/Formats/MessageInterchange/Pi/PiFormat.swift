internal import MessageModel

/// Sessions of Pi, `~/.pi/agent/sessions/**/*.jsonl`, and of OpenClaw, which is based on it,
/// `~/.openclaw/agents/*/sessions/*.jsonl`: an entry per line that names its predecessor.
extension PiHistory {
  static func isOurs(_ record: JSONFields) -> Bool {
    switch try? record.plainText("type") {
    case "session":
      return record["id"] != nil && record["timestamp"] != nil
        && (record["version"] != nil || record["cwd"] != nil)
    case "message":
      guard let message = record.object("message"), record["timestamp"] != nil else { return false }
      let role = try? message.plainText("role")
      return role == "toolResult" || record["parentId"] != nil && record["id"] != nil && role != nil
        || hasCalls(message)
    default: return false
    }
  }

  private static func hasCalls(_ message: JSONFields) -> Bool {
    let types = try? message.map("content") { block throws(JSONError) in try block.plainText("type") }
    return types?.contains("toolCall") ?? false
  }
}

extension PiHistory {
  static func entry(_ fields: JSONFields) throws(JSONError) -> EntryOutline.Entry {
    var entry = EntryOutline.Entry()
    let type = try fields.plainText("type")
    switch type {
    case "session_info": entry.title = try fields.plainText("name")
    case "title", "session": entry.title = try fields.plainText("title")
    case "message": entry.question = try question(fields)
    default: break
    }
    guard type != "session" else { return entry }
    entry.id = try fields.plainText("id")
    entry.parent = try fields.plainText("parentId")
    return entry
  }

  private static func question(_ fields: JSONFields) throws(JSONError) -> String? {
    guard let message = fields.object("message"), try message.plainText("role") == "user" else { return nil }
    return try PiContent.text(of: message)
  }
}

enum PiContent {
  static func text(of message: JSONFields) throws(JSONError) -> String? {
    try parts(of: message, .text) { _, _ in }.first { $0.kind == .text && !$0.text.isEmpty }?.text
  }

  /// The parts, also empty ones. `note` is called with each tool call's id and name.
  static func parts(
    of message: JSONFields, _ kind: Message.Kind, _ note: (String?, String) -> Void
  ) throws(JSONError) -> [AssistantPart] {
    guard let content = message["content"] else { return [] }
    guard content.first == UInt8(ascii: "[") else {
      return [AssistantPart(kind: kind, text: try AssistantText.plain(content))]
    }
    var parts: [AssistantPart] = []
    var isEmpty = true
    try message.forEach("content") { value throws(JSONError) in
      isEmpty = false
      guard let block = JSONFields(value) else {
        parts.append(AssistantPart(kind: kind, text: try AssistantText.plain(value)))
        return
      }
      switch try block.plainText("type") ?? "" {
      case "text":
        parts.append(
          try block.plainText("text").map { AssistantPart(kind: kind, text: $0) } ?? .unknown(value))
      case "thinking":
        let thought = try block.plainText("thinking")
        if thought == "", block["thinkingSignature"] != nil { break }
        parts.append(thought.map { AssistantPart(kind: .thinking, text: $0) } ?? .unknown(value))
      case "toolCall":
        let name = try block.plainText("name") ?? "tool"
        note(try block.plainText("id"), name)
        parts.append(AssistantPart(kind: .tool, text: try AssistantText.call(name, block["arguments"])))
      case "image":
        if parts.last?.kind != kind { parts.append(AssistantPart(kind: kind)) }
        try parts[parts.count - 1].attachPicture(block)
      default:
        let text = try block.plainText("text") ?? ""
        parts.append(text.isEmpty ? .unknown(value) : AssistantPart(kind: .unknown, text: text))
      }
    }
    return isEmpty ? [AssistantPart(kind: kind)] : parts
  }
}

extension AssistantPart {
  mutating func attachPicture(_ block: JSONFields) throws(JSONError) {
    let type = try block.plainText("mimeType")
    let ending = type?.split(separator: "/").last.map { "." + $0.prefix(8) } ?? ""
    let name = "image-\(attachments.count + 1)\(ending)"
    guard let data = block["data"], data.first == UInt8(ascii: "\"") else {
      attachments.append(Message.Attachment(name: name, mediaType: type))
      return
    }
    attach(name, type: type, TransferEncoding.base64(data))
  }
}

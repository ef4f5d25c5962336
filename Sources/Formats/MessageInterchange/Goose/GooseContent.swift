internal import MessageModel

/// The content of a message of Goose: a list of blocks.
enum GooseContent {
  static func parts(_ list: Bytes, _ tools: inout ToolNames) throws(JSONError) -> [AssistantPart] {
    var parts: [AssistantPart] = []
    var scanner = JSONScanner(list)
    try scanner.array { scanner throws(JSONError) in try take(try scanner.value(), &parts, &tools) }
    return parts.isEmpty ? [AssistantPart(kind: .text)] : parts.said
  }

  /// What identifies a message without an id of its own.
  static func id(of parts: [AssistantPart], at time: Timestamp) -> String {
    // Arguments may stand in another order when the file is written again.
    let texts = parts.map { $0.kind == .tool || $0.kind == .unknown ? "" : $0.text }
    return "\(time.millisecondsSince1970)-\(String(FNVHash.of(texts.joined(separator: "\0")), radix: 16))"
  }

  private static func take(
    _ value: Bytes, _ parts: inout [AssistantPart], _ tools: inout ToolNames
  ) throws(JSONError) {
    guard let block = JSONFields(value) else { return parts.append(.unknown(value)) }
    let type = try block.plainText("type") ?? ""
    switch type {
    case "text":
      let text = try block.plainText("text")
      parts.append(text.map { AssistantPart(kind: .text, text: $0) } ?? .unknown(value))
    case "thinking", "reasoning":
      let thought = try block.firstText(["thinking", "text"])
      parts.append(thought.map { AssistantPart(kind: .thinking, text: $0) } ?? .unknown(value))
    case "image":
      if parts.last?.kind != .text { parts.append(AssistantPart(kind: .text)) }
      try parts[parts.count - 1].attachPicture(block)
    case "toolRequest", "frontendToolRequest": parts.append(try call(block, &tools))
    case "toolResponse": parts.append(try result(block, tools))
    case "systemNotification", "contextLengthExceeded", "summarizationRequested", "conversationCompacted":
      var part = AssistantPart.note(try block.plainText("msg") ?? "")
      part.word = type
      parts.append(part)
    case "actionRequired":
      let data = block.object("data") ?? JSONFields()
      // A call repeats what it asks to confirm.
      if try data.plainText("actionType") == "toolConfirmation" { return }
      parts.append(try data.plainText("message").map { .note($0) } ?? .unknown(value))
    // What a call repeats, and a thought that only its maker can read.
    case "toolConfirmationRequest", "redactedThinking": break
    default: parts.append(.unknown(value))
    }
  }

  private static func call(_ block: JSONFields, _ tools: inout ToolNames) throws(JSONError) -> AssistantPart {
    let call = block.object("toolCall") ?? JSONFields()
    guard let value = call.object("value") else {
      return .note("failed: \(try call.plainText("error") ?? "a call that was not understood")")
    }
    let name = try value.plainText("name") ?? "tool"
    tools.note(try block.plainText("id"), name)
    return AssistantPart(kind: .tool, text: try AssistantText.call(name, value["arguments"]))
  }

  private static func result(_ block: JSONFields, _ tools: ToolNames) throws(JSONError) -> AssistantPart {
    let result = block.object("toolResult") ?? JSONFields()
    var part = AssistantPart(kind: .result)
    part.tool = tools.name(of: try block.plainText("id"))
    let value = result.object("value")
    if let error = try result.plainText("error") { part.text = error }
    try read(value ?? result, value == nil ? "value" : "content", into: &part)
    if result["error"] != nil || value?.isTrue("isError") == true { part.text = "failed: \(part.text)" }
    return part.ended()
  }

  /// A tool may say the same in other words to the model and to the user: what the model got counts.
  private static func read(
    _ fields: JSONFields, _ key: String, into part: inout AssistantPart
  ) throws(JSONError) {
    var (texts, shown): ([String], [String]) = ([], [])
    try fields.forEach(key) { value throws(JSONError) in
      guard let block = JSONFields(value) else { return texts.append(try AssistantText.plain(value)) }
      if try block.plainText("type") == "image" { return try part.attachPicture(block) }
      let (own, inner) = (try block.plainText("text"), try block.object("resource")?.plainText("text"))
      let audience = try (block.object("annotations") ?? block).strings("audience")
      if audience == ["user"] {
        shown.append(own ?? inner ?? "")
      } else {
        texts.append(own ?? inner ?? value.string)
      }
    }
    texts = (texts.isEmpty ? shown : texts).filter { !$0.isEmpty }
    if !texts.isEmpty { part.text = texts.joined(separator: "\n") }
  }
}

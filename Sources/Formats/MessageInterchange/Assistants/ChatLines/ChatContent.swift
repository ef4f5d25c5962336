internal import MessageModel

/// What a record says, in the blocks of Anthropic's, OpenAI's and similar interfaces, and the tools called so far.
struct ChatContent {
  private var names = ToolNames()
  /// The tools of calls without an id whose results are still to come, in the order of the calls.
  private var waiting: [String] = []

  private let areArgumentsEncoded: Bool

  private static let mostWaiting = 64

  init(areArgumentsEncoded: Bool) { self.areArgumentsEncoded = areArgumentsEncoded }

  /// The parts of a text, a list of texts and blocks, or a single block.
  mutating func parts(of content: Bytes, _ kind: Message.Kind) throws(JSONError) -> [AssistantPart] {
    var scanner = JSONScanner(content)
    switch try scanner.kind() {
    case .string, .number, .literal:
      return [AssistantPart(kind: kind, text: try AssistantText.plain(content))]
    case .object: return try block(content, kind)
    case .array:
      var parts: [AssistantPart] = []
      try scanner.array { scanner throws(JSONError) in
        let value = try scanner.value()
        let isBlock = value.first == UInt8(ascii: "{")
        let found =
          isBlock ? try block(value, kind) : [AssistantPart(kind: kind, text: try AssistantText.plain(value))]
        for part in found {
          let joins = part.text.isEmpty && part.kind == kind && parts.last?.kind == kind
          if joins { parts[parts.count - 1].adopt(part) } else { parts.append(part) }
        }
      }
      return parts
    }
  }

  private mutating func block(_ value: Bytes, _ kind: Message.Kind) throws(JSONError) -> [AssistantPart] {
    let block = try JSONFields.reading(value)
    switch try block.plainText("type") ?? (block["text"] == nil ? "" : "text") {
    case "input_text", "output_text", "text":
      return [block.text(at: "text").map { AssistantPart(kind: kind, text: $0) } ?? .unknown(value)]
    case "thinking", "reasoning", "reasoning_text", "summary_text", "think":
      guard let thought = block.firstText(at: ["thinking", "text", "reasoning", "think", "content"]) else {
        return [.unknown(value)]
      }
      // Without its text it is one that only its maker can read.
      return thought.isEmpty ? [] : [AssistantPart(kind: .thinking, text: thought)]
    case "tool_use", "tool_call", "tool-call", "toolCall", "function_call": return [try call(block)]
    case "tool_result", "tool-result", "toolResult", "function_call_output":
      let id = block.firstText(at: ["tool_use_id", "tool_call_id", "toolCallId", "call_id"])
      let name = block.firstText(at: ["name", "toolName", "tool_name"])
      return [try result(block, block.first(of: ["content", "output", "result"]), of: id, named: name)]
    case "image_url", "input_image":
      guard let address = block.firstText(at: ["image_url.url", "image_url", "url"]) else {
        return [.unknown(value)]
      }
      var part = AssistantPart(kind: kind)
      part.attach(addressed: address)
      return [part]
    default:
      var content = AnthropicContent()
      try content.take(value, &names, kind)
      return content.parts
    }
  }

  /// A call in a block, or in a list beside the text.
  mutating func call(_ fields: JSONFields) throws(JSONError) -> AssistantPart {
    let called = fields.object("function") ?? fields
    let name = called.firstText(at: ["name", "toolName", "tool_name"]) ?? "tool"
    if let id = fields.firstText(at: ["id", "call_id", "toolCallId", "tool_call_id"]) {
      names.note(id, name)
    } else if waiting.count < Self.mostWaiting {
      waiting.append(name)
    }
    let input = called.first(of: ["input", "arguments", "args", "parameters"])
    if areArgumentsEncoded, let arguments = JSONFields(input) {
      let lines = try arguments.keys.map { key throws(JSONError) in
        "\(key): \(try decoded(key, in: arguments))"
      }
      return AssistantPart(kind: .tool, text: ([name] + lines).joined(separator: "\n"))
    }
    return AssistantPart(kind: .tool, text: try AssistantText.call(name, input))
  }

  private func decoded(_ key: String, in arguments: JSONFields) throws(JSONError) -> String {
    var text = try arguments[key].map(AssistantText.plain) ?? ""
    guard text.hasPrefix("\"") else { return text }
    return text.withUTF8 { try? AssistantText.plain(Bytes($0)) } ?? text
  }

  /// Forgets calls whose results did not come.
  mutating func beginReply() { waiting = [] }

  /// The result of a call that is known by its id, else of the first one that waits for its result.
  mutating func result(
    _ fields: JSONFields, _ content: Bytes?, of id: String?, named name: String?, or word: String? = nil
  ) throws(JSONError) -> AssistantPart {
    var result = AssistantPart(kind: .result)
    let isNext = id == nil && name == nil && !waiting.isEmpty
    result.tool = isNext ? waiting.removeFirst() : name ?? (id == nil ? word : nil) ?? names.name(of: id)
    var texts: [String] = []
    for part in try content.map({ content throws(JSONError) in try parts(of: content, .result) }) ?? [] {
      if !part.text.isEmpty { texts.append(part.text) }
      result.adopt(part)
    }
    result.text = texts.joined(separator: "\n")
    if fields.isTrue("is_error") || fields.isTrue("isError") { result.text = "failed: \(result.text)" }
    return result.ended()
  }
}

internal import MessageModel

/// Amp's threads, `~/.local/share/amp/threads/T-*.json`, as stored locally and exported.
/// Amp's thread. Its title and folder follow the messages and are read first.
struct AmpHistory: JSONHistory {
  private var reader: AssistantReader
  private var times: LooseTime
  private var id: String
  private var title: String?
  private var asked: String?
  private var folder: String?
  private var start: Timestamp?
  private var tools = ToolNames()
  private var count = 0
  private var known = LastAssistantConversation()

  init(file: InputFile, options: ImportOptions) {
    reader = AssistantReader("amp", assistant: "Amp", options)
    times = LooseTime(options)
    id = file.name.hasSuffix(".json") ? String(file.name.dropLast(5)) : file.name
    guard let preview = file.preview() else { return }
    var stream = JSONStream(preview)
    while let next = try? stream.nextValue(Self.descends), case .value(let value, _) = next {
      if UTF8Check.isValid(value) { try? note(value, at: stream.path) }
    }
  }

  private static func descends(into path: [String]) -> Bool { path.isEmpty || path == ["messages"] }

  func descends(into path: [String]) -> Bool { Self.descends(into: path) }

  private mutating func note(_ value: Bytes, at path: [String]) throws(JSONError) {
    switch path {
    case ["id"]: id = try AssistantText.plain(value)
    case ["title"]: if value.first == UInt8(ascii: "\"") { title = try AssistantText.plain(value) }
    case ["created"]: start = Int64(value.string).map { Timestamp(millisecondsSince1970: $0) }
    case ["env"]:
      let initial = JSONFields(value)?.object("initial")
      try initial?.forEach("trees") { tree throws(JSONError) in
        let place = try JSONFields(tree)?.firstText(["uri", "displayName"])
        folder = folder ?? place
      }
    case ["messages", "*"]:
      guard asked == nil, let message = JSONFields(value), try message.plainText("role") == "user" else {
        return
      }
      asked = try parts(of: message).first { $0.kind == .text }.flatMap {
        AssistantConversation.title($0.text)
      }
    default: break
    }
  }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    guard path == ["messages", "*"] else { return }
    let message = try JSONFields.reading(value)
    defer { count += 1 }
    let role = try message.plainText("role")
    let (isAnswer, isInfo) = (role == "assistant", role != "assistant" && role != "user")
    let parts = message["content"] == nil ? [.unknown(value)] : try self.parts(of: message)
    guard let time = try moment(of: message) else { throw JSONError(reason: "it has no time") }
    let talk = known.conversation(reader.platform, id: id, folder: folder, title: title ?? asked)
    let key = "\(id)/\(try message.plainText("messageId") ?? "#\(count)")"
    if !isAnswer, parts.contains(where: { $0.kind == .text }) { reader.beginTurn(key, in: talk, into: &sink) }
    reader.last = time
    let used = message.object("usage")
    addUsage(used)
    let model = try used?.plainText("model")
    reader.append(
      parts, at: time, by: isAnswer ? .assistant(model: model) : isInfo ? .program : .me, id: key,
      original: value, in: talk, into: &sink)
  }

  mutating func leave(_ path: [String], into sink: inout RecordSink) {
    if path == ["messages"] { reader.endTurn(into: &sink) }
  }

  /// Older versions only have the thread's time; a message takes that of the previous one.
  private mutating func moment(of message: JSONFields) throws(JSONError) -> Timestamp? {
    if let sent = message.object("meta")?.integer("sentAt"), sent > 0 {
      return Timestamp(millisecondsSince1970: sent)
    }
    if let written = try message.object("usage")?.plainText("timestamp"), let time = times.read(written)?.time
    {
      return time
    }
    return reader.last ?? start
  }

  private mutating func addUsage(_ used: JSONFields?) {
    guard let used else { return }
    reader.usage.add(
      fresh: used.integer("inputTokens"), cached: used.integer("cacheReadInputTokens"),
      written: used.integer("cacheCreationInputTokens"), received: used.integer("outputTokens"),
      cost: used.real("credits").map { $0 / 100 })
  }

  private mutating func parts(of message: JSONFields) throws(JSONError) -> [AssistantPart] {
    guard let content = message["content"] else { return [] }
    let role = try message.plainText("role")
    let kind: Message.Kind = role == "user" || role == "assistant" ? .text : .system
    guard content.first == UInt8(ascii: "[") else {
      return try AnthropicContent(content, &tools, textKind: kind).parts
    }
    var parts: [AssistantPart] = []
    var isEmpty = true
    try message.forEach("content") { value throws(JSONError) in
      isEmpty = false
      let block = try JSONFields.reading(value)
      switch try block.plainText("type") {
      case "tool_result" where block["run"] != nil: parts.append(try result(block))
      case "summary":
        let summary =
          try (block.object("summary") ?? block).firstText(["summary", "text"])
        parts.append(AssistantPart.note("context compacted\n\(summary ?? value.string)"))
      default:
        var blocks = AnthropicContent()
        try blocks.take(value, &tools, kind)
        for part in blocks.parts {
          if part.text.isEmpty, part.kind == .text, parts.last?.kind == .text {
            parts[parts.count - 1].adopt(part)
          } else {
            parts.append(part)
          }
        }
      }
    }
    if let end = try Self.end(of: message) { parts.append(end) }
    if isEmpty, parts.isEmpty { parts = [AssistantPart(kind: kind)] }
    return parts.said
  }

  private static func end(of message: JSONFields) throws(JSONError) -> AssistantPart? {
    guard let value = message["state"], let state = JSONFields(value) else { return nil }
    switch try state.plainText("type") {
    case "complete", "streaming", "cancelled", nil: return nil
    case "error":
      let (told, error) = (try state.object("error")?.plainText("message"), try state.plainText("error"))
      return AssistantPart.note("failed: \(told ?? error ?? "unknown")")
    default: return .unknown(value)
    }
  }

  /// The result is a string, or an object with a text under a key that depends on the tool.
  private func result(_ block: JSONFields) throws(JSONError) -> AssistantPart {
    var part = AssistantPart(kind: .result)
    part.tool = tools.name(of: try block.firstText(["toolUseID", "tool_use_id"]))
    let run = block.object("run") ?? JSONFields()
    if let value = run["result"] { part.text = try Self.text(of: value) }
    switch try run.plainText("status") {
    case "error":
      let (message, error) = (try run.object("error")?.plainText("message"), try run.plainText("error"))
      let reason = message ?? error ?? part.text
      part.text = "failed: \(reason)"
    case "cancelled", "rejected-by-user":
      part.text = "cancelled" + (part.text.isEmpty ? "" : ": \(part.text)")
    default: break
    }
    return part.ended()
  }

  private static func text(of value: Bytes) throws(JSONError) -> String {
    if let fields = JSONFields(value) {
      let text = try fields.firstText(["output", "content", "diff"]) ?? value.string
      let code = fields.integer("exitCode") ?? 0
      return code == 0 ? text : "failed (\(code)): \(text)"
    }
    guard value.first == UInt8(ascii: "[") else { return try AssistantText.plain(value) }
    var texts: [String] = []
    var scanner = JSONScanner(value)
    try scanner.array { scanner throws(JSONError) in
      let element = try scanner.value()
      let (text, plain) = (try JSONFields(element)?.plainText("text"), try AssistantText.plain(element))
      texts.append(text ?? plain)
    }
    return texts.joined(separator: "\n")
  }
}

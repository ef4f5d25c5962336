internal import MessageModel

struct ClineHistory: JSONHistory {
  private var reader: AssistantReader
  private let task: ClineTask
  private var talk: AssistantConversation?
  private var tools = ToolNames()
  private var index = -1
  private var last: (time: Timestamp, count: Int)?
  /// Whether a text without tags may be the prompt: only in the first entry, if it has no other.
  private var mayBeAsked = true
  private var awaited: String?

  init(_ task: ClineTask, options: ImportOptions) {
    self.task = task
    reader = AssistantReader(ClineTask.platform, assistant: "Cline", options)
  }

  /// Since 2026 Roo Code wraps the list in an object.
  func descends(into path: [String]) -> Bool { path.isEmpty || path == ["messages"] }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    guard path == ["*"] || path == ["messages", "*"] else { return }
    index += 1
    let entry = try JSONFields.reading(value)
    let role = try entry.plainText("role")
    awaited = nil
    let isAnswer = role == "assistant"
    var parts =
      entry["content"] == nil ? [.unknown(value)] : isAnswer ? try answered(entry) : try asked(entry)
    if entry.isTrue("isSummary") || entry.isTrue("isTruncationMarker") {
      for place in parts.indices where parts[place].kind == .text { parts[place].becomeNote() }
    }
    guard let time = time(of: entry) else { throw JSONError(reason: "it has no time") }
    let id = id(of: entry, at: time)
    if talk == nil { try begin(entry, parts, at: time, id, into: &sink) }
    guard let talk else { return }
    if !isAnswer, parts.contains(where: { $0.kind == .text }) {
      reader.beginTurn(id, in: talk, at: time, into: &sink)
    }
    if isAnswer { try addUsage(of: entry) }
    let model = try entry.object("modelInfo")?.plainText("modelId")
    reader.append(
      parts, at: time, by: isAnswer ? .assistant(model: model) : .me, id: id, original: value, in: talk,
      into: &sink)
  }

  mutating func leave(_ path: [String], into sink: inout RecordSink) {
    if path.isEmpty { reader.endTurn(at: last?.time, into: &sink) }
  }

  private func time(of entry: JSONFields) -> Timestamp? {
    if let written = entry.integer("ts"), written > 0 { return Timestamp(millisecondsSince1970: written) }
    return task.times[index] ?? last?.time ?? task.start
  }

  /// Entries have no ids; their times survive rewriting of the list. Without a time the place counts.
  private mutating func id(of entry: JSONFields, at time: Timestamp) -> String {
    let count = last?.time == time ? (last?.count ?? 0) + 1 : 1
    last = (time, count)
    guard entry["ts"] != nil else { return "\(task.id)/#\(index)" }
    let id = "\(task.id)/\(time.millisecondsSince1970)"
    return count == 1 ? id : "\(id)~\(count)"
  }

  private mutating func begin(
    _ entry: JSONFields, _ parts: [AssistantPart], at time: Timestamp, _ id: String,
    into sink: inout RecordSink
  ) throws(JSONError) {
    var folder = task.folder
    try entry.forEach("content") { value throws(JSONError) in
      if let text = try JSONFields(value)?.plainText("text") {
        folder = folder ?? ClineMarkup.folder(in: text)
      }
    }
    let begun = task.talk(in: folder, title: parts.first { $0.kind == .text }?.text)
    talk = begun
    guard let folder else { return }
    reader.append([.note("session in \(folder)")], at: time, id: "\(id)/start", in: begun, into: &sink)
  }

  private mutating func addUsage(of entry: JSONFields) throws(JSONError) {
    guard let metrics = entry.object("metrics") else { return }
    let tokens = metrics.object("tokens")
    reader.usage.add(
      sent: tokens?.integer("prompt"), received: tokens?.integer("completion"),
      cached: tokens?.integer("cached"), cost: metrics.real("cost"))
  }

  private mutating func answered(_ entry: JSONFields) throws(JSONError) -> [AssistantPart] {
    var parts: [AssistantPart] = []
    if let thought = try entry.plainText("reasoning_content"), !thought.isEmpty {
      parts.append(AssistantPart(kind: .thinking, text: thought))
    }
    for part in try blocks(of: entry).said {
      if part.kind == .text {
        let said = ClineMarkup.answered(part.text)
        parts += said.isEmpty && (part.isEmpty || !part.attachments.isEmpty) ? [part] : said
      } else {
        parts.append(part)
      }
    }
    return parts
  }

  private mutating func asked(_ entry: JSONFields) throws(JSONError) -> [AssistantPart] {
    var parts: [AssistantPart] = []
    let blocks = try blocks(of: entry).filter { !$0.text.hasPrefix("<environment_details>") }.said
    mayBeAsked = index == 0 && !blocks.contains { !ClineMarkup.asked($0.text).isEmpty }
    for part in blocks {
      switch part.kind {
      case .text: parts += asked(part)
      case .result: parts += told(part)
      default: parts.append(part)
      }
    }
    if let tool = awaited { parts += told(AssistantPart(kind: .result), of: tool) }
    return parts
  }

  private mutating func asked(_ part: AssistantPart) -> [AssistantPart] {
    if let result = ClineMarkup.result(part.text) {
      guard !result.text.isEmpty || !part.attachments.isEmpty else {
        awaited = result.tool
        return []
      }
      return told(part, result.text, of: result.tool)
    }
    if let tool = awaited {
      awaited = nil
      return told(part, part.text, of: tool)
    }
    let words = ClineMarkup.asked(part.text)
    var asked = part
    guard !words.isEmpty else {
      if !mayBeAsked, !part.text.isEmpty { asked.becomeNote() }
      return [asked]
    }
    asked.text = words.joined(separator: "\n\n")
    return [asked]
  }

  private func told(_ part: AssistantPart, _ text: String? = nil, of tool: String? = nil) -> [AssistantPart] {
    var result = part
    result.kind = .result
    result.tool = tool ?? part.tool
    result.text = ClineMarkup.told(text ?? part.text)
    let words = ClineMarkup.asked(part.text)
    return [result.ended()] + words.map { AssistantPart(kind: .text, text: $0) }
  }

  /// Blocks in Anthropic's form or, since 2026, the AI SDK's.
  private mutating func blocks(of entry: JSONFields) throws(JSONError) -> [AssistantPart] {
    guard let content = entry["content"] else { return [] }
    guard content.first == UInt8(ascii: "[") else { return try AnthropicContent(content, &tools).parts }
    var parts: [AssistantPart] = []
    try entry.forEach("content") { value throws(JSONError) in
      let block = try JSONFields.reading(value)
      if try block.plainText("type") == "thoughtSignature" { return }
      if let part = try part(of: block) { return parts.append(part) }
      var blocks = AnthropicContent()
      try blocks.take(value, &tools)
      for part in blocks.parts {
        if part.text.isEmpty, part.kind == .text, let end = parts.indices.last, parts[end].kind != .tool {
          parts[end].adopt(part)
        } else {
          parts.append(part)
        }
      }
    }
    return parts
  }

  private mutating func part(of block: JSONFields) throws(JSONError) -> AssistantPart? {
    switch try block.plainText("type") {
    case "tool_use":
      let name = try block.plainText("name") ?? "tool"
      guard let keys = ClineMarkup.words(of: name), let input = block.object("input"),
        let said = try input.firstText(keys)
      else { return nil }
      tools.note(try block.plainText("id"), name)
      return AssistantPart(kind: .text, text: said)
    case "tool-call":
      let name = try block.plainText("toolName") ?? "tool"
      tools.note(try block.plainText("toolCallId"), name)
      if let keys = ClineMarkup.words(of: name), let said = try block.object("input")?.firstText(keys) {
        return AssistantPart(kind: .text, text: said)
      }
      return AssistantPart(kind: .tool, text: try AssistantText.call(name, block["input"]))
    case "tool-result":
      var part = AssistantPart(kind: .result)
      let called = tools.name(of: try block.plainText("toolCallId"))
      part.tool = try block.plainText("toolName") ?? called
      if let output = block["output"] {
        let (text, plain) = (try JSONFields(output)?.firstText(["value"]), try AssistantText.plain(output))
        part.text = text ?? plain
      }
      return part
    case "reasoning":
      let text = try block.firstText(["text", "thinking"])
      return text.map { AssistantPart(kind: .thinking, text: $0) }
    default: return nil
    }
  }
}

extension AssistantPart {
  mutating func becomeNote() {
    kind = .system
    isNote = true
  }

  mutating func adopt(_ other: AssistantPart) {
    for (place, attachment) in other.attachments.enumerated() {
      contents[attachments.count] = other.contents[place]
      attachments.append(attachment)
    }
  }
}

internal import MessageModel

/// LM Studio's chats, `~/.lmstudio/conversations/*.conversation.json`.
struct LMStudioChat: JSONHistory {
  private let reader: AssistantReader
  private let id: String
  private var trunk: AssistantConversation
  private var tools = ToolNames()
  private var count = 0
  private var last: Timestamp?

  private static let peekByteCount = 1 << 20

  init(file: InputFile, options: ImportOptions) {
    reader = AssistantReader("lm-studio", assistant: "LM Studio", options)
    let name = PathNames.withoutArchiveExtensions(file.name)
    let ending = ".conversation.json"
    id = name.hasSuffix(ending) ? String(name.dropLast(ending.count)) : name
    var title: String?
    let start = (try? file.source.peek(Self.peekByteCount)) ?? Bytes(start: nil, count: 0)
    var stream = JSONStream(ByteSource(MemoryProducer(Array(start))))
    while let next = try? stream.nextValue({ $0.isEmpty || $0 == ["messages"] }),
      case .value(let value, _) = next
    {
      switch stream.path {
      case ["name"]: title = try? AssistantText.plain(value)
      case ["createdAt"]: last = Self.moment(value.string)
      case ["messages", "*"]:
        if title?.isEmpty != false { title = Self.firstText(value) }
      default: continue
      }
    }
    last = last ?? Self.moment(id)
    trunk = AssistantConversation(reader.platform, id: id, title: title)
  }

  func descends(into path: [String]) -> Bool { path.isEmpty || path == ["messages"] }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    switch path {
    case ["systemPrompt"]:
      let prompt = AssistantPart(kind: .system, text: try AssistantText.plain(value))
      giveFact(prompt, "system", into: &sink)
    case ["tokenCount"]:
      var facts = SessionFacts()
      facts.contextTokens = max(Int64(value.string) ?? 0, 0)
      giveFact(facts.part, "facts", into: &sink)
    case ["messages", "*"]:
      count += 1
      try takeMessage(value, into: &sink)
    default: break
    }
  }

  private mutating func takeMessage(_ value: Bytes, into sink: inout RecordSink) throws(JSONError) {
    let message = try JSONFields.reading(value)
    var versions: [Bytes] = []
    try message.forEach("versions") { version throws(JSONError) in versions.append(version) }
    guard !versions.isEmpty else { throw JSONError(reason: "it has no versions") }
    let selected = message.integer("currentlySelected").flatMap { Int(exactly: $0) } ?? 0
    let chosen = versions.indices.contains(selected) ? selected : 0
    for (place, bytes) in versions.enumerated() {
      let version = try JSONFields.reading(bytes)
      var read = LMStudioVersion()
      try read.read(version, &tools)
      let role = try version.plainText("role") ?? ""
      if let time = read.time { last = max(time, last ?? time) }
      guard !read.parts.isEmpty else { continue }
      guard last != nil else { throw JSONError(reason: "it has no time") }
      if role == "system" { read.setSystem() }
      var talk = trunk
      if place != chosen {
        talk = AssistantConversation(
          reader.platform, id: "\(id)/versions", title: "\(trunk.title) (other answers)", isSession: false)
      }
      let own = read.id ?? (place == 0 ? "\(count)" : "\(count)/version-\(place)")
      let name = role == "system" ? nil : read.sender ?? reader.assistant
      give(
        read.parts, by: role == "user" ? .me : .named(name, model: read.model), own, in: talk, bytes,
        into: &sink)
    }
  }

  private func giveFact(_ part: AssistantPart, _ own: String, into sink: inout RecordSink) {
    if !part.isEmpty { give([part], by: .program, own, in: trunk, into: &sink) }
  }

  private func give(
    _ parts: [AssistantPart], by speaker: AssistantReader.Speaker, _ own: String,
    in talk: AssistantConversation,
    _ original: Bytes? = nil, into sink: inout RecordSink
  ) {
    guard let last else { return }
    reader.append(
      parts.said, at: last, by: speaker, id: "\(id)/\(own)", original: original, in: talk,
      copiedWithin: trunk,
      into: &sink)
  }

  private static func firstText(_ message: Bytes) -> String? {
    var found: String?
    try? JSONFields(message)?.forEach("versions") { version throws(JSONError) in
      var read = LMStudioVersion()
      var tools = ToolNames()
      guard found == nil, let version = JSONFields(version), try version.plainText("role") == "user" else {
        return
      }
      try read.read(version, &tools)
      found = read.parts.first { $0.kind == .text }?.text
    }
    return found
  }

  /// Milliseconds since 1970, possibly followed by `-` and more.
  static func moment(_ text: String) -> Timestamp? {
    guard let milliseconds = Int64(text.prefix { $0 != "-" && $0 != "." }), milliseconds > 1_000_000_000_000,
      milliseconds < 100_000_000_000_000
    else { return nil }
    return Timestamp(millisecondsSince1970: milliseconds)
  }
}

struct LMStudioVersion {
  private(set) var parts: [AssistantPart] = []
  private(set) var sender: String?
  private(set) var model: String?
  private var lastTool: String?
  private(set) var id: String?
  private(set) var time: Timestamp?
  /// Whether it has what is of the program.
  private var isOfProgram = false

  mutating func setSystem() {
    for index in parts.indices where parts[index].kind == .text { parts[index].kind = .system }
  }

  mutating func read(_ version: JSONFields, _ tools: inout ToolNames) throws(JSONError) {
    sender = try version.object("senderInfo")?.plainText("senderName")
    defer { if parts.isEmpty, !isOfProgram { parts = [AssistantPart(kind: .text)] } }
    if let content = version["content"] { try read(content: content, textKind: .text, &tools) }
    try version.forEach("steps") { value throws(JSONError) in
      guard let step = JSONFields(value) else { return parts.append(.unknown(value)) }
      if let id = try step.plainText("stepIdentifier"), let begun = LMStudioChat.moment(id) {
        time = max(begun, time ?? begun)
        if self.id == nil { self.id = id }
      }
      switch try step.plainText("type") ?? "" {
      case "contentBlock":
        let isThought = try step.object("style")?.plainText("type") == "thinking"
        if let name = try step.object("genInfo")?.plainText("identifier") { model = name }
        guard let content = step["content"] else { return parts.append(.unknown(value)) }
        try read(content: content, textKind: isThought ? .thinking : .text, &tools)
      case "toolStatus": try readStatus(step, value, tools)
      // The program's progress and debugging information.
      case "debugInfoBlock", "status": isOfProgram = true
      default: parts.append(.unknown(value))
      }
    }
  }

  private mutating func read(content: Bytes, textKind: Message.Kind, _ tools: inout ToolNames)
    throws(JSONError)
  {
    var scanner = JSONScanner(content)
    guard try scanner.kind() == .array else {
      return parts.append(AssistantPart(kind: textKind, text: try AssistantText.plain(content)))
    }
    try scanner.array { scanner throws(JSONError) in
      let value = try scanner.value()
      let item = JSONFields(value) ?? JSONFields()
      switch try item.plainText("type") ?? "" {
      case "text":
        guard let text = try item.plainText("text") else { return parts.append(.unknown(value)) }
        if let last = parts.last, last.kind == textKind {
          parts[parts.count - 1].text += text
        } else {
          parts.append(AssistantPart(kind: textKind, text: text))
        }
      case "file":
        if parts.last?.kind != textKind { parts.append(AssistantPart(kind: textKind)) }
        let path = try item.plainText("fileIdentifier")
        let size = item.integer("sizeBytes").flatMap { Int(exactly: max($0, 0)) }
        let name = try item.plainText("name")
        parts[parts.count - 1].attachments.append(
          Message.Attachment(name: name ?? path ?? "file", byteCount: size, path: path))
      case "toolCallRequest":
        let name = try item.plainText("name") ?? "tool"
        for key in ["callId", "toolCallRequestId"] { tools.note(try item.plainText(key), name) }
        lastTool = name
        parts.append(AssistantPart(kind: .tool, text: try AssistantText.call(name, item["parameters"])))
      case "toolCallResult":
        var result = AssistantPart(kind: .result, text: try Self.result(item["content"]))
        let id = try item.firstText(["callId", "toolCallId", "toolCallRequestId"])
        result.tool = id == nil ? lastTool ?? "tool" : tools.name(of: id)
        parts.append(result.ended())
      default: parts.append(.unknown(value))
      }
    }
  }

  private static func result(_ content: Bytes?) throws(JSONError) -> String {
    guard let content else { return "" }
    var text = try AssistantText.plain(content)
    guard text.hasPrefix("[") else { return text }
    var texts: [String] = []
    text.withUTF8 { bytes in
      var scanner = JSONScanner(Bytes(bytes))
      try? scanner.array { scanner throws(JSONError) in
        if let found = try JSONFields(try scanner.value())?.plainText("text") { texts.append(found) }
      }
    }
    return texts.isEmpty ? text : texts.joined(separator: "\n")
  }

  private static let silentStates: Set<String> = [
    "generatingToolCall", "toolCallQueued", "confirmingToolCall", "callingTool", "toolCallSucceeded",
  ]

  private mutating func readStatus(
    _ step: JSONFields, _ value: Bytes, _ tools: ToolNames
  ) throws(JSONError) {
    guard let status = step.object("statusState")?.object("status") else {
      return parts.append(.unknown(value))
    }
    let type = try status.plainText("type") ?? ""
    if Self.silentStates.contains(type) {
      isOfProgram = true
      return
    }
    guard type.contains("Failed") || type.contains("Denied") else {
      return parts.append(
        AssistantPart(kind: .unknown, text: step.object("statusState")?["status"]?.string ?? type))
    }
    var result = AssistantPart(kind: .result)
    result.tool = tools.name(of: try step.plainText("callId"))
    let reason = try status.firstText(["error", "denyReason", "message"])
    result.text = (type.contains("Denied") ? "rejected" : "failed") + (reason.map { ": \($0)" } ?? "")
    parts.append(result)
  }
}

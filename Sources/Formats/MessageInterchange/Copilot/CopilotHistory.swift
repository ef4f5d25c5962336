internal import MessageModel

struct CopilotHistory: JSONSessionRows {
  private var reader: AssistantReader
  private let name: String
  private var title: String?
  private var times: LooseTime
  private var tools = ToolNames()
  private var session: (id: String, talk: AssistantConversation)?
  private var agentNames = ToolNames()
  private var called = ToolNames()
  private var thought: String?
  private var model: String?
  private(set) var hasSeenItsFormat = false

  init(file: InputFile, options: ImportOptions) {
    reader = AssistantReader("copilot", assistant: "Copilot", options)
    times = LooseTime(options)
    name = file.name == "events.jsonl" ? file.folder.last ?? file.name : file.name
    title = Self.title(beside: file)
    if title == nil {
      var asked: String?
      _ = Transcript(file).look { (fields) throws(JSONError) in
        guard let data = fields.object("data") else { return }
        switch try fields.plainText("type") {
        case "session.title_changed": asked = try data.plainText("title") ?? asked
        case "user.message" where asked == nil && !Self.isOfProgram(data):
          asked = try data.plainText("content").flatMap { AssistantConversation.title($0) }
        default: break
        }
      }
      title = asked
    }
  }

  private static func title(beside file: InputFile) -> String? {
    guard file.name == "events.jsonl", let bytes = file.facts(in: "workspace.yaml") else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    for key in ["name: ", "summary: "] {
      for line in lines where line.hasPrefix(key) {
        let name = line.dropFirst(key.count).filter { $0 != "\"" }
        if let title = AssistantConversation.title(name) { return title }
      }
    }
    return nil
  }

  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    let data = fields.object("data") ?? JSONFields()
    let type = try fields.plainText("type") ?? ""
    hasSeenItsFormat = true
    if type == "session.start" { try begin(data) }
    let (parts, speaker) = try said(type, data, line)
    guard !parts.isEmpty else { return }
    let time = try times.moment(try fields.plainText("timestamp")).time
    let (id, trunk) = session ?? unnamed()
    let (own, parent) = (try fields.plainText("agentId"), try data.plainText("parentToolCallId"))
    let agent = own ?? parent
    let talk = type.hasPrefix("subagent.") ? trunk : self.talk(of: agent, id, trunk)
    let key = try fields.plainText("id") ?? "\(id)/\(number)"
    reader.append(parts, at: time, by: speaker, id: key, original: line, in: talk, into: &sink)
  }

  // MARK: Where it belongs

  private mutating func begin(_ data: JSONFields) throws(JSONError) {
    guard session == nil else { return }
    let id = try data.plainText("sessionId") ?? name
    let folder = try data.object("context")?.plainText("cwd")
    var talk = AssistantConversation(reader.platform, id: id, folder: folder, title: title)
    talk.note?.branch = try data.object("context")?.plainText("branch")
    session = (id, talk)
    model = try data.plainText("selectedModel") ?? model
  }

  private mutating func unnamed() -> (id: String, talk: AssistantConversation) {
    let made = (name, AssistantConversation(reader.platform, id: name, title: title))
    session = made
    return made
  }

  private mutating func talk(of agent: String?, _ id: String, _ trunk: AssistantConversation)
    -> AssistantConversation
  {
    guard let agent else { return trunk }
    let own = agentNames.name(of: agent)
    return reader.agent(agent, called: own == "tool" ? "agent" : own, of: id)
  }

  // MARK: Content

  private mutating func said(
    _ type: String, _ data: JSONFields, _ line: Bytes
  ) throws(JSONError) -> ([AssistantPart], AssistantReader.Speaker) {
    switch type {
    case "user.message":
      if Self.isOfProgram(data) { return (try Self.told(data, "content", word: type), .program) }
      return ([try asked(data)], .me)
    case "assistant.message": return (try answered(data), .assistant(model: model))
    case "assistant.reasoning":
      let text = try data.firstText(["content", "reasoningText"]) ?? ""
      if text == thought { return ([], .program) }
      thought = text
      let isEncrypted = text.isEmpty && Self.isEncrypted(data)
      return (isEncrypted ? [] : [AssistantPart(kind: .thinking, text: text)], .assistant(model: model))
    case "tool.execution_start":
      let id = try data.plainText("toolCallId")
      let name = try data.plainText("toolName") ?? tools.name(of: id)
      tools.note(id, name)
      if called.name(of: id) != "tool" { return ([], .program) }
      let part = AssistantPart(kind: .tool, text: try AssistantText.call(name, data["arguments"]))
      return ([part], .assistant(model: model))
    case "tool.execution_complete": return ([try result(data)], .program)
    default: return (try happened(type, data, line), .program)
    }
  }

  private static func isOfProgram(_ data: JSONFields) -> Bool {
    let source = (try? data.plainText("source")) ?? nil
    if let source, source.hasPrefix("skill-") || source == "system" { return true }
    return ((try? data.plainText("content")) ?? nil)?.hasPrefix("<skill-context") ?? false
  }

  private static func told(
    _ data: JSONFields, _ key: String, word: String
  ) throws(JSONError) -> [AssistantPart] {
    var part = AssistantPart.note(try data.plainText(key) ?? "")
    part.word = word
    return [part]
  }

  /// Whether its thoughts are ones that only their maker can read.
  private static func isEncrypted(_ data: JSONFields) -> Bool {
    data["reasoningOpaque"] != nil || data["encryptedContent"] != nil
  }

  private func asked(_ data: JSONFields) throws(JSONError) -> AssistantPart {
    var part = AssistantPart(kind: .text, text: try data.plainText("content") ?? "")
    try data.forEach("attachments") { value throws(JSONError) in
      guard let file = JSONFields(value) else { return }
      let path = try file.plainText("path")
      let name = try file.firstText(["displayName", "name"]) ?? path ?? "file-\(part.attachments.count + 1)"
      let type = try file.firstText(["mimeType", "mediaType"])
      if let bytes = file["data"], bytes.first == UInt8(ascii: "\"") {
        part.attach(name, type: type, TransferEncoding.base64(bytes))
      } else {
        part.attachments.append(Message.Attachment(name: name, mediaType: type, path: path))
      }
    }
    return part
  }

  private mutating func answered(_ data: JSONFields) throws(JSONError) -> [AssistantPart] {
    model = try data.plainText("model") ?? model
    var parts: [AssistantPart] = []
    if let text = try data.plainText("reasoningText"), text != thought {
      parts.append(AssistantPart(kind: .thinking, text: text))
      thought = text
    }
    parts.append(AssistantPart(kind: .text, text: try data.plainText("content") ?? ""))
    try data.forEach("toolRequests") { value throws(JSONError) in
      guard let call = JSONFields(value) else { return }
      let (id, name) = (try call.plainText("toolCallId"), try call.plainText("name") ?? "tool")
      tools.note(id, name)
      called.note(id, name)
      parts.append(AssistantPart(kind: .tool, text: try AssistantText.call(name, call["arguments"])))
    }
    return parts.allSatisfy(\.isEmpty) && Self.isEncrypted(data) ? [] : parts.said
  }

  private func result(_ data: JSONFields) throws(JSONError) -> AssistantPart {
    var part = AssistantPart(kind: .result)
    part.tool = tools.name(of: try data.plainText("toolCallId"))
    if let result = data.object("result") {
      part.text = try result.firstText(["content", "detailedContent"]) ?? ""
      try result.forEach("contents") { value throws(JSONError) in
        guard let block = JSONFields(value), try block.plainText("type") == "image",
          let bytes = block["data"],
          bytes.first == UInt8(ascii: "\"")
        else { return }
        let type = try block.plainText("mimeType")
        part.attach("image-\(part.attachments.count + 1)", type: type, TransferEncoding.base64(bytes))
      }
    } else if let text = try data.firstText(["result", "stdout"]) {
      part.text = text
    }
    if let code = data.integer("exitCode"), code != 0 {
      part.text = "failed (\(code)): \(try data.plainText("stderr") ?? part.text)"
    } else if data["success"]?.has("false") == true {
      let told = data.object("error")
      let (message, error) = (try told?.plainText("message"), try data.plainText("error"))
      part.text = "failed: \(message ?? error ?? part.text)"
    }
    return part.ended()
  }

  private static let silent: Set<String> = [
    "session.title_changed", "session.idle", "session.usage_info", "session.usage_checkpoint",
    "session.compaction_start", "session.plan_changed", "session.context_changed", "session.mode_changed",
    "session.workspace_file_changed", "session.tools_updated", "session.background_tasks_changed",
    "session.task_complete", "session.result", "assistant.turn_start", "assistant.turn_end",
    "assistant.intent", "assistant.usage", "assistant.message_delta", "assistant.reasoning_delta",
    "assistant.streaming_delta", "tool.execution_progress", "tool.execution_partial_result",
    "tool.user_requested", "hook.start", "hook.end", "system.message", "skill.invoked",
    "pending_messages.modified",
    "permission.requested", "permission.completed", "subagent.selected", "subagent.deselected",
    "subagent.configured", "user_input.requested", "user_input.completed",
  ]

  private mutating func happened(
    _ type: String, _ data: JSONFields, _ line: Bytes
  ) throws(JSONError) -> [AssistantPart] {
    switch type {
    case "session.start", "session.resume": return [try Self.begun(type, data)]
    case "session.model_change":
      model = try data.plainText("newModel") ?? model
      return [model.map { .note("model: \($0)") } ?? AssistantPart(kind: .system, word: type)]
    case "session.error", "model.call_failure":
      return [
        AssistantPart.note("failed: \(try data.firstText(["message", "error"]) ?? type)")
      ]
    case "session.warning", "session.info": return try Self.told(data, "message", word: type)
    case "system.notification": return try Self.told(data, "content", word: type)
    case "abort":
      return [AssistantPart.note("aborted: \(try data.plainText("reason") ?? "by the user")")]
    case "session.compaction_complete": return [try Self.compacted(data)]
    case "session.truncation":
      let count = data.integer("messagesRemovedDuringTruncation") ?? 0
      return [AssistantPart.note("context truncated: \(count) messages")]
    case "session.snapshot_rewind": return [AssistantPart.note("went back in the session")]
    case "session.handoff":
      return [AssistantPart.note("handed over: \(try data.plainText("summary") ?? "")")]
    case "session.shutdown": return try Self.ended(data)
    case "subagent.started", "subagent.completed", "subagent.failed": return [try agent(type, data)]
    default:
      if Self.silent.contains(type) { return [] }
      let isPiece = ["_delta", "_progress", "_partial_result"].contains(where: type.hasSuffix)
      return isPiece ? [] : [.unknown(line)]
    }
  }

  private static func begun(_ type: String, _ data: JSONFields) throws(JSONError) -> AssistantPart {
    let context = data.object("context")
    let word = type == "session.start" ? "session" : "session resumed"
    var told = [try context?.plainText("cwd").map { "\(word) in \($0)" } ?? word]
    if let branch = try context?.plainText("branch"), !branch.isEmpty { told.append("branch \(branch)") }
    if let version = try data.plainText("copilotVersion") { told.append("Copilot CLI \(version)") }
    if let model = try data.plainText("selectedModel") { told.append("model \(model)") }
    return AssistantPart.note(told.joined(separator: ", "))
  }

  private static func compacted(_ data: JSONFields) throws(JSONError) -> AssistantPart {
    if data["success"]?.has("false") == true {
      let reason = try data.plainText("error") ?? "unknown"
      return AssistantPart.note("failed: compaction: \(reason)")
    }
    let count = data.integer("preCompactionTokens").map { " (\($0) tokens)" } ?? ""
    let summary = try data.plainText("summaryContent").map { "\n\($0)" } ?? ""
    return AssistantPart.note("context compacted\(count)\(summary)")
  }

  private static func ended(_ data: JSONFields) throws(JSONError) -> [AssistantPart] {
    guard let metrics = data.object("modelMetrics") else { return [] }
    var lines: [String] = []
    for model in metrics.keys.sorted() {
      guard let used = metrics.object(model)?.object("usage") else { continue }
      var usage = TurnUsage()
      usage.add(
        sent: used.integer("inputTokens"), received: used.integer("outputTokens"),
        cached: used.integer("cacheReadTokens"))
      if !usage.isEmpty { lines.append("\(model): \(usage.part.text)") }
    }
    if let count = data.real("totalPremiumRequests"), count > 0 {
      lines.append("Premium requests: \(try data.plainText("totalPremiumRequests") ?? "\(count)").")
    }
    return lines.isEmpty ? [] : [AssistantPart.note(lines.joined(separator: "\n"))]
  }

  private mutating func agent(_ type: String, _ data: JSONFields) throws(JSONError) -> AssistantPart {
    let name = try data.firstText(["agentDisplayName", "agentName"]) ?? "agent"
    agentNames.note(try data.plainText("toolCallId"), name)
    var text = "agent \(name) \(type.dropFirst("subagent.".count))"
    if let more = try data.firstText(["error", "agentDescription"]) { text += ": \(more)" }
    if let tokens = data.integer("totalTokens") { text += ", \(tokens) tokens" }
    return AssistantPart.note(text)
  }
}

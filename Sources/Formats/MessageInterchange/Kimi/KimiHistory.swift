internal import MessageModel

/// Lines have no ids; their numbers serve as ids, since a file only grows.
struct KimiHistory: JSONSessionRows {
  private var reader: AssistantReader
  private let isFollowed: Bool
  private let id: String
  private var talk: AssistantConversation
  private var times: LooseTime
  private var tools = ToolNames()
  private(set) var hasSeenItsFormat = false

  init(file: InputFile, options: ImportOptions) {
    reader = AssistantReader("kimi", assistant: "Kimi", options)
    times = LooseTime(options)
    isFollowed = file.source.isReadOn
    id = file.folder.last ?? file.name
    talk = AssistantConversation(
      reader.platform, id: id, title: Self.title(beside: file) ?? Self.question(in: file))
  }

  private static func title(beside file: InputFile) -> String? {
    file.facts(in: "state.json")?.withUnsafeBytes { bytes in
      (try? JSONFields(bytes)?.plainText("custom_title")) ?? nil
    }
  }

  private static func question(in file: InputFile) -> String? {
    Transcript(file).first { (fields) throws(JSONError) in
      guard let message = fields.object("message"), try message.plainText("type") == "TurnBegin",
        let payload = message.object("payload")
      else { return nil }
      return AssistantConversation.title(try KimiContent.said(payload["user_input"]).text)
    }
  }

  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    guard let event = fields.object("message") else {
      guard try fields.plainText("type") == "metadata" else { throw JSONError(reason: "it has no message") }
      hasSeenItsFormat = true
      return
    }
    let payload = event.object("payload") ?? JSONFields()
    hasSeenItsFormat = true
    let time = try times.moment(try fields.plainText("timestamp")).time
    let key = "\(id)/\(number)"
    let type = try event.plainText("type") ?? ""
    if type == "TurnBegin" {
      if !talk.hasTitle { talk.retitle(try KimiContent.said(payload["user_input"]).text) }
      reader.beginTurn(key, in: talk, into: &sink)
    }
    reader.last = time
    if type == "SubagentEvent" { return try takeAgent(payload, line, at: time, key, into: &sink) }
    let (parts, speaker) = try said(type, payload, line)
    reader.append(parts.said, at: time, by: speaker, id: key, original: line, in: talk, into: &sink)
    if isFollowed, type == "TurnEnd" { reader.noteUsage(into: &sink) }
  }

  mutating func finish(into sink: inout RecordSink) {
    if !isFollowed { reader.endTurn(into: &sink) }
  }

  /// An agent's steps become a conversation of their own.
  private mutating func takeAgent(
    _ payload: JSONFields, _ line: Bytes, at time: Timestamp, _ key: String, into sink: inout RecordSink
  ) throws(JSONError) {
    guard let event = payload.object("event") else {
      return reader.append([.unknown(line)], at: time, id: key, original: line, in: talk, into: &sink)
    }
    let inner = event.object("payload") ?? JSONFields()
    let agent = try payload.firstText(["agent_id", "parent_tool_call_id", "task_tool_call_id"]) ?? "agent"
    let name = try payload.plainText("subagent_type") ?? "agent"
    let talk = reader.agent(agent, called: name, of: id)
    let (parts, speaker) = try said(try event.plainText("type") ?? "", inner, line)
    reader.append(parts.said, at: time, by: speaker, id: key, original: line, in: talk, into: &sink)
  }

  private static let silent: Set<String> = [
    "TurnEnd", "StepBegin", "HookTriggered", "HookResolved", "HookRequest", "CompactionBegin",
    "MCPLoadingBegin", "MCPLoadingEnd", "ToolCallPart", "ToolCallRequest", "ApprovalRequest",
  ]

  private mutating func said(
    _ type: String, _ payload: JSONFields, _ line: Bytes
  ) throws(JSONError) -> ([AssistantPart], AssistantReader.Speaker) {
    switch type {
    case "TurnBegin", "SteerInput":
      return ([try KimiContent.said(payload["user_input"])], .me)
    case "ContentPart":
      var part = AssistantPart(kind: .text)
      try KimiContent.take(payload, line, into: &part)
      let isEncrypted = part.isEmpty && payload["encrypted"] != nil
      return (isEncrypted ? [] : [part], .assistant())
    case "ToolCall":
      let call = payload.object("function") ?? JSONFields()
      let name = try call.plainText("name") ?? "tool"
      tools.note(try payload.plainText("id"), name)
      return (
        [AssistantPart(kind: .tool, text: try AssistantText.call(name, call["arguments"]))], .assistant()
      )
    case "ToolResult": return ([try result(payload)], .program)
    case "PlanDisplay":
      return ([AssistantPart(kind: .text, text: try payload.plainText("content") ?? "")], .assistant())
    case "BtwBegin":
      return (
        [AssistantPart(kind: .text, text: "/btw \(try payload.plainText("question") ?? "")")],
        .me
      )
    case "BtwEnd":
      if let error = try payload.plainText("error") { return ([.note("failed: \(error)")], .program) }
      return ([AssistantPart(kind: .text, text: try payload.plainText("response") ?? "")], .assistant())
    case "QuestionRequest": return ([try question(payload)], .assistant())
    default: return (try happened(type, payload, line), .program)
    }
  }

  private func result(_ payload: JSONFields) throws(JSONError) -> AssistantPart {
    let value = payload.object("return_value") ?? JSONFields()
    var part = try KimiContent.said(value["output"])
    part.kind = .result
    part.tool = tools.name(of: try payload.plainText("tool_call_id"))
    let message = try value.plainText("message") ?? ""
    if part.isBlank { part.text = message }
    if value.isTrue("is_error") { part.text = "failed: \(message.isEmpty ? part.text : message)" }
    return part.ended()
  }

  private func question(_ payload: JSONFields) throws(JSONError) -> AssistantPart {
    var lines: [String] = []
    try payload.forEach("questions") { value throws(JSONError) in
      guard let question = JSONFields(value) else { return }
      lines.append(try question.plainText("question") ?? "")
      try question.forEach("options") { option throws(JSONError) in
        if let label = try JSONFields(option)?.plainText("label") { lines.append("- \(label)") }
      }
    }
    return AssistantPart(kind: .text, text: lines.joined(separator: "\n"))
  }

  private mutating func happened(
    _ type: String, _ payload: JSONFields, _ line: Bytes
  ) throws(JSONError) -> [AssistantPart] {
    switch type {
    case "StatusUpdate":
      addUsage(payload.object("token_usage"))
      return []
    case "StepInterrupted": return [.note("interrupted")]
    case "StepRetry":
      let reason = try payload.firstText(["error_type", "status_code"]) ?? "the request"
      return [.note("failed: \(reason), tried again")]
    case "CompactionEnd": return [.note("context compacted")]
    case "Notification":
      let told = [try payload.plainText("title"), try payload.plainText("body")].compactMap { $0 }
      return [.note(told.filter { !$0.isEmpty }.joined(separator: "\n"))]
    case "ApprovalResponse", "ApprovalRequestResolved":
      let response = try payload.plainText("response") ?? ""
      guard response == "reject" else { return response.hasPrefix("approve") ? [] : [.unknown(line)] }
      let feedback = try payload.plainText("feedback") ?? ""
      return [.note(feedback.isEmpty ? "rejected" : "rejected: \(feedback)")]
    default: return Self.silent.contains(type) ? [] : [.unknown(line)]
    }
  }

  private mutating func addUsage(_ tokens: JSONFields?) {
    guard let tokens else { return }
    reader.usage.add(
      fresh: tokens.integer("input_other"), cached: tokens.integer("input_cache_read"),
      written: tokens.integer("input_cache_creation"), received: tokens.integer("output"))
  }
}

extension AssistantPart {
  /// Attaches a picture, which Kimi Code may keep beside the session: `blobref:image/png;DIGEST`.
  fileprivate mutating func attach(keptOr address: String) {
    guard address.hasPrefix("blobref:"), let end = address.lastIndex(of: ";") else {
      return attach(addressed: address)
    }
    let type = address[..<end].dropFirst("blobref:".count)
    let ending = type.split(separator: "/").last.map { "." + $0.prefix(8) } ?? ""
    attachments.append(
      Message.Attachment(
        name: "image-\(attachments.count + 1)\(ending)", mediaType: String(type),
        path: "blobs/\(address[address.index(after: end)...])"))
  }
}

/// A message's content: a string, or a list of parts.
enum KimiContent {
  static func said(_ content: Bytes?) throws(JSONError) -> AssistantPart {
    var part = AssistantPart(kind: .text)
    guard let content else { return part }
    guard content.first == UInt8(ascii: "[") else {
      part.text = try AssistantText.plain(content)
      return part
    }
    var texts: [String] = []
    var scanner = JSONScanner(content)
    try scanner.array { scanner throws(JSONError) in
      let value = try scanner.value()
      guard let fields = JSONFields(value) else { return texts.append(try AssistantText.plain(value)) }
      part.text = ""
      try take(fields, value, into: &part)
      if !part.text.isEmpty { texts.append(part.text) }
    }
    part.kind = .text
    part.text = texts.joined(separator: "\n")
    return part
  }

  static func take(_ fields: JSONFields, _ original: Bytes, into part: inout AssistantPart) throws(JSONError)
  {
    let type = try fields.plainText("type") ?? ""
    switch type {
    case "text":
      if let text = try fields.plainText("text") {
        part.text = text
        return
      }
    case "think":
      part.kind = .thinking
      if let thought = try fields.plainText("think") {
        part.text = thought
        return
      }
    case "image_url", "audio_url", "video_url":
      if let url = try fields.object(type)?.plainText("url") { return part.attach(keptOr: url) }
    default: break
    }
    part.kind = .unknown
    part.text = original.string
  }
}

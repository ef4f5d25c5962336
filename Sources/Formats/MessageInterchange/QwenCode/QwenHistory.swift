internal import MessageModel

/// Qwen Code's sessions, `~/.qwen/projects/*/chats/*.jsonl`: a record per line that names its predecessor, with
/// contents as Gemini's models have them.
struct QwenHistory: JSONSessionRows {
  private var reader: AssistantReader
  private let outline: EntryOutline
  private let isFollowed: Bool
  private var times: LooseTime
  private var session: (id: String, talk: AssistantConversation)?
  private(set) var hasSeenItsFormat = false

  private typealias Said = (parts: [AssistantPart], speaker: AssistantReader.Speaker)

  /// Records of the program's own state, or of what other records have.
  private static let silentKinds: Set<String> = [
    "agent_bootstrap", "agent_launch_prompt", "agent_retry", "agent_session_ready", "at_command",
    "attribution_snapshot", "branch_checkpoint", "custom_title", "file_history_snapshot", "goal_runtime",
    "goal_state", "goal_turn_end", "parent_session", "rewind", "session_approval_mode",
    "session_artifact_event", "session_artifact_snapshot", "session_execution_engine", "session_model",
    "session_notes", "session_source", "session_sources_snapshot", "turn_result", "ui_telemetry",
    "user_text_elements",
  ]

  init(file: InputFile, options: ImportOptions) {
    reader = AssistantReader("qwen-code", assistant: "Qwen", options)
    times = LooseTime(options)
    outline = EntryOutline(of: file, Self.entry)
    isFollowed = file.source.isReadOn
  }

  static func isOurs(_ record: JSONFields) -> Bool {
    guard record["uuid"] != nil, record["sessionId"] != nil, record["type"] != nil else { return false }
    return record.object("message")?["parts"] != nil || record["systemPayload"] != nil
  }

  private static func entry(_ fields: JSONFields) throws(JSONError) -> EntryOutline.Entry {
    var entry = EntryOutline.Entry()
    entry.title = try fields.object("systemPayload")?.plainText("customTitle")
    guard !fields.isTrue("isSidechain") else { return entry }
    entry.id = try fields.plainText("uuid")
    entry.parent = try fields.plainText("parentUuid")
    if try fields.plainText("type") == "user", fields["subtype"] == nil {
      entry.question = try asked(fields)?.text
    }
    return entry
  }

  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    hasSeenItsFormat = hasSeenItsFormat || Self.isOurs(fields)
    guard let own = try fields.plainText("uuid"), let id = try fields.plainText("sessionId") else {
      throw JSONError(reason: "it has no id, or no session")
    }
    let (parts, speaker) = try said(fields, line)
    guard !parts.isEmpty || !reader.usage.isEmpty else { return }
    let time = try times.moment(try fields.plainText("timestamp")).time
    let talk = try talk(of: fields, own, in: id, at: time, into: &sink)
    let key = "\(id)/\(own)"
    if case .me = speaker { reader.beginTurn(key, in: talk, into: &sink) }
    reader.last = time
    reader.append(parts, at: time, by: speaker, id: key, original: line, in: talk, into: &sink)
  }

  mutating func finish(into sink: inout RecordSink) {
    if !isFollowed { reader.endTurn(into: &sink) }
  }

  private mutating func talk(
    of fields: JSONFields, _ own: String, in id: String, at time: Timestamp, into sink: inout RecordSink
  ) throws(JSONError) -> AssistantConversation {
    if let agent = try fields.plainText("agentId"), fields.isTrue("isSidechain") {
      return reader.agent(agent, called: try fields.plainText("agentName") ?? agent, of: id)
    }
    if session?.id != id { try begin(id, fields, at: time, into: &sink) }
    let trunk = session?.talk ?? AssistantConversation(reader.platform, id: id, title: nil)
    guard let branch = outline.branch(of: own) else { return trunk }
    return reader.leftBehind(branch.id, title: branch.title, of: trunk)
  }

  private mutating func begin(
    _ id: String, _ fields: JSONFields, at time: Timestamp, into sink: inout RecordSink
  ) throws(JSONError) {
    let folder = try fields.plainText("cwd")
    let talk = AssistantConversation(reader.platform, id: id, folder: folder, title: outline.title)
    session = (id, talk)
    var facts = [folder.map { "session in \($0)" } ?? "session"]
    if let branch = try fields.plainText("gitBranch"), !branch.isEmpty { facts.append("branch \(branch)") }
    if let version = try fields.plainText("version") { facts.append("Qwen Code \(version)") }
    if let source = try fields.object("forkedFrom")?.plainText("sessionId") {
      facts.append("branched from \(source)")
    }
    reader.append(
      [.note(facts.joined(separator: ", "))], at: time, id: "\(id)/start", in: talk, into: &sink)
  }

  private mutating func said(_ fields: JSONFields, _ line: Bytes) throws(JSONError) -> Said {
    switch try fields.plainText("type") ?? "" {
    case "user":
      guard var part = try Self.asked(fields) else { return ([.unknown(line)], .me) }
      if fields["subtype"] != nil, try fields.plainText("subtype") != "mid_turn_user_message" {
        part.becomeNote()
        return ([part], .program)
      }
      return ([part], .me)
    case "assistant":
      addUsage(fields.object("usageMetadata"))
      return (try parts(of: fields, line), .assistant(model: try fields.plainText("model")))
    case "tool_result": return (try parts(of: fields, line), .program)
    case "system": return try noted(fields, line)
    default: return ([.unknown(line)], .program)
    }
  }

  /// What a person typed, before the program added to it.
  private static func asked(_ fields: JSONFields) throws(JSONError) -> AssistantPart? {
    guard let pieces = fields.object("message")?["parts"] else { return nil }
    var part = try GeminiSession.text(pieces)
    if let typed = try fields.object("systemPayload")?.plainText("displayText"), !typed.isEmpty {
      part.text = typed
    }
    return part
  }

  private func parts(of fields: JSONFields, _ line: Bytes) throws(JSONError) -> [AssistantPart] {
    guard let message = fields.object("message"), message["parts"] != nil else { return [.unknown(line)] }
    let status = try fields.object("toolCallResult")?.plainText("status")
    var parts: [AssistantPart] = []
    try message.forEach("parts") { value throws(JSONError) in
      parts.append(try Self.part(value, status))
    }
    return parts.isEmpty ? [AssistantPart(kind: .text)] : parts.said
  }

  private static func part(_ value: Bytes, _ status: String?) throws(JSONError) -> AssistantPart {
    let piece = JSONFields(value) ?? JSONFields()
    if let call = piece.object("functionCall") {
      let name = try call.plainText("name") ?? "tool"
      return AssistantPart(kind: .tool, text: try AssistantText.call(name, call["args"]))
    }
    if let answer = piece.object("functionResponse") {
      var part = AssistantPart(kind: .result)
      part.tool = try answer.plainText("name") ?? "tool"
      part.text = try answer.object("response")?.firstText(["output", "error", "content"]) ?? ""
      switch status {
      case "error": part.text = "failed: \(part.text)"
      case "cancelled": part.text = part.text.isEmpty ? "cancelled" : "cancelled: \(part.text)"
      default: break
      }
      return part.ended()
    }
    var part = try GeminiSession.text(value)
    if piece.isTrue("thought") { part.kind = .thinking }
    return part
  }

  private func noted(_ fields: JSONFields, _ line: Bytes) throws(JSONError) -> Said {
    let kind = try fields.plainText("subtype") ?? ""
    let payload = fields.object("systemPayload") ?? JSONFields()
    switch kind {
    case "chat_compression":
      let tokens = try payload.object("info")?.plainText("originalTokenCount")
      return ([.note("context compacted" + (tokens.map { " (\($0) tokens)" } ?? ""))], .program)
    case "slash_command":
      if try payload.plainText("phase") == "result" { return (try shown(payload), .program) }
      let isRepeated = payload.isTrue("sentToModel") || payload.isTrue("hiddenInvocation")
      let command = AssistantPart(kind: .text, text: try payload.plainText("rawCommand") ?? "", word: kind)
      return (isRepeated ? [] : [command], .me)
    case "notification", "background_task_completed", "realtime_message":
      var part = AssistantPart.note(try payload.plainText("displayText") ?? "")
      part.word = kind
      return ([part], .program)
    case _ where Self.silentKinds.contains(kind): return ([], .program)
    default: return ([.unknown(line)], .program)
    }
  }

  /// What the program showed after a command.
  private func shown(_ payload: JSONFields) throws(JSONError) -> [AssistantPart] {
    let texts = try payload.map("outputHistoryItems") { item throws(JSONError) in
      try item.plainText("text")
    }
    return texts.filter { !$0.isEmpty }.map { .note($0) }
  }

  private mutating func addUsage(_ usage: JSONFields?) {
    guard let usage else { return }
    let sent = usage.integer("promptTokenCount")
    let total = usage.integer("totalTokenCount").flatMap { all in
      sent.flatMap { all > $0 ? all.subtractingReportingOverflow($0).partialValue : nil }
    }
    reader.usage.add(
      sent: sent, received: total ?? usage.integer("candidatesTokenCount"),
      cached: usage.integer("cachedContentTokenCount"))
  }
}

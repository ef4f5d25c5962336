internal import MessageModel

struct ClineWindow: JSONHistory {
  private var reader: AssistantReader
  private let task: ClineTask
  private var talk: AssistantConversation?
  private var last: (time: Timestamp, count: Int)?
  private var model: String?

  init(_ task: ClineTask, options: ImportOptions) {
    self.task = task
    reader = AssistantReader(ClineTask.platform, assistant: "Cline", options)
  }

  func descends(into path: [String]) -> Bool { path.isEmpty }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    guard path == ["*"] else { return }
    let shown = try JSONFields.reading(value)
    guard let written = shown.integer("ts"), written > 0 else { throw JSONError(reason: "it has no time") }
    let time = Timestamp(millisecondsSince1970: written)
    model = try shown.object("modelInfo")?.plainText("modelId") ?? model
    let isFirst = talk == nil
    let (parts, isMine) = try said(shown, value, isFirst: isFirst)
    let count = last?.time == time ? (last?.count ?? 0) + 1 : 1
    last = (time, count)
    if isFirst { begin(parts) }
    guard let talk, !parts.isEmpty else { return }
    let id = "\(task.id)/shown-\(written)" + (count == 1 ? "" : "~\(count)")
    if isMine { reader.beginTurn(id, in: talk, at: time, into: &sink) }
    let isSaid = parts.contains { $0.kind == .text || $0.kind.isStep }
    reader.append(
      parts, at: time, by: !isSaid ? .program : isMine ? .me : .assistant(model: model), id: id,
      original: value,
      in: talk, into: &sink)
  }

  mutating func leave(_ path: [String], into sink: inout RecordSink) {
    if path.isEmpty { reader.endTurn(at: last?.time, into: &sink) }
  }

  private mutating func begin(_ parts: [AssistantPart]) {
    guard !parts.isEmpty else { return }
    talk = task.talk(in: nil, title: parts.first { $0.kind == .text }?.text)
  }

  private mutating func said(
    _ shown: JSONFields, _ value: Bytes, isFirst: Bool
  ) throws(JSONError) -> (parts: [AssistantPart], isMine: Bool) {
    let type = try shown.firstText(["say", "ask"]) ?? ""
    let text = try shown.plainText("text") ?? ""
    switch type {
    case "task", "user_feedback": return (try mine(shown, text), true)
    case "text", "info": return isFirst ? (try mine(shown, text), true) : (try words(shown, text), false)
    case "user_feedback_diff":
      return ([AssistantPart(kind: .text, text: try field("diff", of: text) ?? text)], true)
    // What was said before is asked to be accepted.
    case "completion_result" where text.isEmpty && shown["ask"] != nil: return ([], false)
    case "completion_result", "plan_mode_respond", "act_mode_respond":
      let said = try field("response", of: text) ?? text
      return ([AssistantPart(kind: .text, text: Self.withoutFlag(said))], false)
    case "followup":
      return ([AssistantPart(kind: .text, text: try field("question", of: text) ?? text)], false)
    case "reasoning":
      let thought = text.isEmpty ? try shown.plainText("reasoning") ?? "" : text
      return ([AssistantPart(kind: .thinking, text: thought)], false)
    case "tool", "command", "use_mcp_server", "browser_action", "browser_action_launch", "new_task",
      "use_subagents", "mcp_server_request_started":
      return ([text.isEmpty ? AssistantPart(kind: .tool, word: type) : try call(type, text)], false)
    case "command_output", "mcp_server_response", "browser_action_result", "subtask_result",
      "codebase_search_result", "subagent":
      return (try result(type, text), false)
    case "api_req_started", "deleted_api_reqs", "subagent_usage": return (try request(type, text), false)
    case "error", "error_retry", "api_req_failed", "diff_error", "clineignore_error", "rooignore_error",
      "mistake_limit_reached", "condense_context_error", "command_permission_denied":
      return ([AssistantPart.note(Self.failure(text))], false)
    case "condense_context", "condense", "summarize_task":
      let summary = try shown.object("contextCondense")?.plainText("summary") ?? text
      return ([AssistantPart.note("context condensed\n\(summary)")], false)
    case "checkpoint_created", "checkpoint_saved", "task_progress", "resume_task", "resume_completed_task",
      "api_req_retried", "api_req_finished", "api_req_retry_delayed", "api_req_rate_limited",
      "api_req_deleted", "shell_integration_warning", "shell_integration_warning_with_suggestion",
      "hook_status", "hook_output_stream", "load_mcp_documentation", "conditional_rules_applied",
      "browser_session_status", "sliding_window_truncation", "user_edit_todos",
      "auto_approval_max_req_reached":
      return ([], false)
    default:
      return ([text.isEmpty ? .unknown(value) : AssistantPart(kind: .unknown, text: text)], false)
    }
  }

  private func mine(_ shown: JSONFields, _ text: String) throws(JSONError) -> [AssistantPart] {
    var part = AssistantPart(kind: .text, text: text)
    for address in try shown.strings("images") { part.attach(addressed: address) }
    for path in try shown.strings("files") {
      let name = path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? path
      part.attachments.append(Message.Attachment(name: name, path: path))
    }
    return [part]
  }

  private func words(_ shown: JSONFields, _ text: String) throws(JSONError) -> [AssistantPart] {
    var parts = text.isEmpty ? [AssistantPart(kind: .text)] : ClineMarkup.answered(text)
    if let thought = try shown.plainText("reasoning"), !thought.isEmpty {
      parts.insert(AssistantPart(kind: .thinking, text: thought), at: 0)
    }
    return parts
  }

  private func call(_ type: String, _ text: String) throws(JSONError) -> AssistantPart {
    try Array(text.utf8).withRawBytes { bytes throws(JSONError) in
      guard let fields = JSONFields(bytes) else {
        let name = type == "command" ? "execute_command" : type
        return AssistantPart(kind: .tool, text: "\(name)\n\(text)")
      }
      let name = try fields.firstText(["tool", "toolName", "action"]) ?? type
      return AssistantPart(kind: .tool, text: try AssistantText.call(name, bytes))
    }
  }

  private func result(_ type: String, _ text: String) throws(JSONError) -> [AssistantPart] {
    var part = AssistantPart(kind: .result, text: text, word: type)
    part.tool = type == "command_output" ? "execute_command" : type.replacing("_result", with: "")
    if type == "browser_action_result", let picture = try field("screenshot", of: text) {
      part.text = try field("logs", of: text) ?? ""
      part.attach(addressed: picture)
    }
    return [part]
  }

  private mutating func request(_ type: String, _ text: String) throws(JSONError) -> [AssistantPart] {
    var copy = text
    guard let facts = copy.withUTF8({ bytes in Self.facts(Bytes(bytes)) }) else { return [] }
    if type != "deleted_api_reqs" {
      reader.usage.add(sent: facts.sent, received: facts.received, cost: facts.cost)
    }
    return facts.failure.map { [AssistantPart.note("request failed: \($0)")] } ?? []
  }

  private struct RequestFacts {
    var sent: Int64
    var received: Int64?
    var cost: Double?
    var failure: String?
  }

  private static func facts(_ bytes: Bytes) -> RequestFacts? {
    guard let fields = JSONFields(bytes) else { return nil }
    let parts = ["tokensIn", "cacheReads", "cacheWrites"].compactMap { fields.integer($0) }
    let sent = parts.reduce(Int64(0)) { $0 &+ max(0, min($1, 1 << 40)) }
    return RequestFacts(
      sent: sent, received: fields.integer("tokensOut"), cost: fields.real("cost"),
      failure: (try? fields.plainText("streamingFailedMessage")) ?? nil)
  }

  private func field(_ key: String, of text: String) throws(JSONError) -> String? {
    guard text.utf8.first == UInt8(ascii: "{") else { return nil }
    return try Array(text.utf8).withRawBytes { bytes throws(JSONError) in
      try JSONFields(bytes)?.plainText(key)
    }
  }

  private static func failure(_ text: String) -> String {
    var copy = text
    let message: String? = copy.withUTF8 { bytes in
      let fields = JSONFields(Bytes(bytes))
      return (try? fields?.firstText(["message", "errorMessage"])) ?? nil
    }
    return "failed: \(message ?? text)"
  }

  private static func withoutFlag(_ text: String) -> String {
    text.hasSuffix("HAS_CHANGES") ? String(text.dropLast("HAS_CHANGES".count)) : text
  }
}

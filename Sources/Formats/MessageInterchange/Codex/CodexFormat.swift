/// Codex CLI's sessions, `~/.codex/sessions/**/rollout-*.jsonl`: a JSON object per event.
extension CodexHistory {
  /// Until version 0.31 lines had no time, and the first one had no type.
  static func isFormerHead(_ line: Bytes) -> Bool {
    JSONFields(line).map { $0["id"] != nil && $0["timestamp"] != nil } ?? false
  }

  private static let types: Set<String> = [
    "session_meta", "response_item", "event_msg", "turn_context", "compacted",
  ]

  static func isOurs(_ record: JSONFields) -> Bool {
    guard let type = try? record.plainText("type"), record["payload"] != nil else { return false }
    return types.contains(type) && record["timestamp"] != nil
  }
}

struct CodexRecord {
  enum Topic {
    /// The session: its id, folder and version.
    case session(JSONFields)
    /// The turn that begins: its model and folder.
    case turn(JSONFields)
    /// An item of the model's conversation.
    case item(JSONFields)
    /// An event for the screen, which mostly repeats an item.
    case event(JSONFields)
    /// A summary replaced the conversation so far.
    case compaction(JSONFields)
    /// A kind of later versions.
    case unknown
    case nothing
  }

  let topic: Topic
  let time: Bytes?

  init(_ fields: JSONFields) throws(JSONError) {
    time = fields["timestamp"]
    guard let payload = fields.object("payload") else {
      let isSession = fields["id"] != nil && fields["timestamp"] != nil && fields["type"] == nil
      let isState = fields["record_type"] != nil
      topic =
        isSession ? .session(fields) : fields["type"] != nil ? .item(fields) : isState ? .nothing : .unknown
      return
    }
    switch try fields.plainText("type") {
    case "session_meta": topic = .session(payload)
    case "turn_context": topic = .turn(payload)
    case "response_item": topic = .item(payload)
    case "event_msg": topic = .event(payload)
    case "compacted": topic = .compaction(payload)
    case let type: topic = type.map(CodexKinds.silentLines.contains) == true ? .nothing : .unknown
    }
  }

  /// Whether it is a message, of which some versions leave out the type.
  static func isMessage(_ item: JSONFields) throws(JSONError) -> Bool {
    let type = try item.plainText("type") ?? ""
    return type == "message" || type.isEmpty && item["role"] != nil
  }

  /// The user's prompt; `nil` for other items and for texts that the program adds in the user's name.
  static func question(_ item: JSONFields) throws(JSONError) -> String? {
    guard try isMessage(item), try item.plainText("role") == "user" else { return nil }
    var texts: [String] = []
    var hasPicture = false
    try item.forEach("content") { value throws(JSONError) in
      guard let part = JSONFields(value) else { return }
      if part["image_url"] != nil { hasPicture = true }
      if let text = try part.plainText("text") { texts.append(text) }
    }
    let text = texts.joined(separator: "\n")
    return isOfProgram(text) || (text.isEmpty && !hasPicture) ? nil : text
  }

  private static let programMarks = [
    "<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<turn_aborted>",
    "<INSTRUCTIONS>",
    "<subagent_notification>", "<skill>", "<user_shell_command>", "<permissions instructions>",
  ]

  static func isOfProgram(_ text: String) -> Bool { programMarks.contains { text.hasPrefix($0) } }
}

/// Kinds that do not become messages; unknown ones are of later versions and kept as they are. The known ones
/// are in <https://github.com/openai/codex>, `codex-rs/protocol/src/protocol.rs` and `models.rs`.
enum CodexKinds {
  static let silentLines: Set<String> = [
    "world_state", "security_risk_score", "inter_agent_communication_metadata", "state",
  ]

  static let silentItems: Set<String> = [
    "ghost_snapshot", "compaction", "compaction_summary", "compaction_trigger", "context_compaction",
    "additional_tools", "other",
  ]

  /// Events for the screen, which repeat items or report progress.
  static func isSilentEvent(_ type: String) -> Bool {
    events.contains(type) || endings.contains { type.hasSuffix($0) }
  }

  private static let events: Set<String> = [
    "user_message", "agent_message", "agent_reasoning", "agent_reasoning_raw_content",
    "agent_reasoning_section_break", "token_count", "task_started", "task_complete", "turn_started",
    "turn_complete", "turn_diff", "context_compacted", "entered_review_mode", "exited_review_mode",
    "item_started", "item_completed", "background_event", "session_configured", "shutdown_complete",
    "deprecation_notice", "view_image_tool_call", "thread_name_updated", "thread_settings_applied",
    "raw_response_item", "model_reroute", "conversation_path", "review_completed", "undo_started",
    "undo_completed", "world_state",
  ]
  private static let endings = [
    "_begin", "_end", "_delta", "_request", "_response", "_update", "_updated", "_progress", "_interaction",
  ]
}

/// What a session's first message needs from the rest of the file: the title and the withdrawn turns.
struct CodexOutline {
  private(set) var title: String?
  private(set) var branches: [Int: Int] = [:]
  private var asked: String?
  private var turns: [Int] = []
  private var turnCount = 0

  init(of file: InputFile) {
    _ = Transcript(file).look { (fields) throws(JSONError) in try take(fields) }
    title = title ?? asked
  }

  private mutating func take(_ fields: JSONFields) throws(JSONError) {
    switch try CodexRecord(fields).topic {
    case .item(let item):
      guard let question = try CodexRecord.question(item) else { return }
      asked = asked ?? AssistantConversation.title(question)
      turns.append(turnCount)
      turnCount += 1
    case .event(let event):
      switch try event.plainText("type") {
      case "thread_name_updated": title = try event.plainText("thread_name") ?? title
      case "thread_rolled_back": takeBack(event.integer("num_turns") ?? 0)
      default: break
      }
    case .session, .turn, .compaction, .unknown, .nothing: break
    }
  }

  private mutating func takeBack(_ count: Int64) {
    let gone = turns.suffix(Int(clamping: max(count, 0)))
    guard let first = gone.first else { return }
    for turn in gone { branches[turn] = first }
    turns.removeLast(gone.count)
  }
}

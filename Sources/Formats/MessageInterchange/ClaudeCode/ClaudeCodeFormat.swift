internal import MessageModel

/// Claude Code's sessions, `~/.claude/projects/**/*.jsonl`: a JSON object per event.
extension ClaudeCodeHistory {
  static func isSession(_ sample: FormatSample) -> Bool {
    sample.hasRecord { isOfSession($0, calledBy: sample.name) }
  }

  /// A record of Claude Code has a session and an id, or its file is named after the session.
  private static func isOfSession(_ record: JSONFields, calledBy name: String) -> Bool {
    guard record["type"] != nil, let session = try? record.plainText("sessionId") else { return false }
    return record["uuid"] != nil || isID(session) && name.hasPrefix(session)
  }

  static func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    let folders = sample.components.dropLast()
    let isInSession = folders.dropLast().last.map { isID($0) } ?? false
    switch folders.last {
    case "tool-results": return isInSession
    case "subagents": return isInSession && sample.name.hasSuffix(".meta.json")
    case "paste-cache": return sample.name.hasSuffix(".txt")
    case "memory": return folders.dropLast().last?.hasPrefix("-") == true && sample.name.hasSuffix(".md")
    default:
      if AssistantPlace.fits(sample.name, "local_*.json") { return sample.has("\"cliSessionId\"") }
      return sample.name == "sessions-index.json" && sample.has("\"entries\"")
    }
  }

  static func isID(_ name: String) -> Bool {
    name.utf8.count == 36 && name.utf8.allSatisfy { $0 == UInt8(ascii: "-") || isHexDigit($0) }
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }
}

struct ClaudeCodeRecord {
  enum Role {
    /// A person's prompt, where a session may branch.
    case prompt
    /// Everything else that was said or done.
    case other
  }

  var id: String
  var parent: String?
  var role: Role
  /// Whether it belongs to a side chain: an agent with a task of its own.
  var isOnSide: Bool
  var agent: String?

  private static let sessionTypes: Set<String> = [
    "summary", "custom-title", "ai-title", "agent-name", "agent-color", "last-prompt", "mode",
    "file-history-snapshot", "queue-operation", "progress", "permission-mode", "pr-link", "worktree-state",
    "content-replacement", "attribution-snapshot", "bridge-session",
  ]

  static func isAboutSession(_ record: JSONFields) -> Bool {
    guard let type = try? record.plainText("type"), sessionTypes.contains(type) else { return false }
    return record["sessionId"] != nil || record["leafUuid"] != nil || record["messageId"] != nil
  }

  static func isOfQueue(_ record: JSONFields) throws(JSONError) -> Bool {
    try record.plainText("type") == "queue-operation"
  }

  init(unnamed id: String) {
    self.id = id
    (role, isOnSide) = (.other, false)
  }

  init?(_ record: JSONFields) throws(JSONError) {
    guard let id = try record.plainText("uuid") else { return nil }
    self.id = id
    // After a compaction a chain begins anew and names the record it continues.
    parent = try record.firstText(["parentUuid", "logicalParentUuid"])
    isOnSide = record.isTrue("isSidechain")
    agent = try record.plainText("agentId")
    role = try Self.isPrompt(record) ? .prompt : .other
  }

  private static func isPrompt(_ record: JSONFields) throws(JSONError) -> Bool {
    guard try record.plainText("type") == "user", !record.isTrue("isMeta"), !isSummary(record),
      let content = record.object("message")?["content"]
    else { return false }
    var scanner = JSONScanner(content)
    guard try scanner.kind() == .array else { return true }
    var isPrompt = true
    try scanner.array { scanner throws(JSONError) in
      let type = try JSONFields(try scanner.value())?.plainText("type")
      if type == "tool_result" { isPrompt = false }
    }
    return isPrompt
  }

  /// The program's summary of the conversation so far, written when it became too long.
  static func isSummary(_ record: JSONFields) -> Bool {
    if record.isTrue("isCompactSummary") { return true }
    guard record["parentUuid"] == nil, let content = record.object("message")?["content"] else {
      return false
    }
    return content.has("\"This session is being continued from a previous conversation")
  }
}

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

  /// As far as the record itself shows.
  static func isAboutSession(_ record: JSONFields) -> Bool {
    guard let type = try? record.plainText("type"), sessionTypes.contains(type) else { return false }
    return record["sessionId"] != nil || record["leafUuid"] != nil || record["messageId"] != nil
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

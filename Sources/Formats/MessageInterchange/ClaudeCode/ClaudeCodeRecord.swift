/// A record of a session of Claude Code: the facts that say where it belongs.
struct ClaudeCodeRecord {
  /// The role of a record: whether it is part of the talk, and what sort of part.
  enum Role {
    /// A person asked something: from here on a session may take another way.
    case prompt
    /// Everything else that was said or done.
    case other
  }

  var id: String
  var parent: String?
  var role: Role
  /// The side chain that it belongs to: an agent that was sent out with a task of its own; `nil` for the session itself.
  var isOnSide: Bool
  var agent: String?

  /// The records that say something about a session, and of which no message is made.
  private static let sessionTypes: Set<String> = [
    "summary", "custom-title", "ai-title", "agent-name", "agent-color", "last-prompt", "mode",
    "file-history-snapshot", "queue-operation", "progress", "permission-mode", "pr-link", "worktree-state",
    "content-replacement", "attribution-snapshot", "bridge-session",
  ]

  /// Whether a record is one of those, as far as can be told by itself.
  static func isAboutSession(_ record: JSONFields) -> Bool {
    guard let type = try? record.plainText("type"), sessionTypes.contains(type) else { return false }
    return record["sessionId"] != nil || record["leafUuid"] != nil || record["messageId"] != nil
  }

  /// Creates a record of a kind that is not known and has no id.
  init(unnamed id: String) {
    self.id = id
    (role, isOnSide) = (.other, false)
  }

  /// Reads a record; `nil` if it has no id.
  init?(_ record: JSONFields) throws(JSONError) {
    guard let id = try record.plainText("uuid") else { return nil }
    self.id = id
    // After a compaction the chain begins anew, and says where it would go on.
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

  /// Whether a record has what the program wrote about all that came before, when that had become too long.
  static func isSummary(_ record: JSONFields) -> Bool {
    if record.isTrue("isCompactSummary") { return true }
    guard record["parentUuid"] == nil, let content = record.object("message")?["content"] else {
      return false
    }
    return content.has("\"This session is being continued from a previous conversation")
  }
}

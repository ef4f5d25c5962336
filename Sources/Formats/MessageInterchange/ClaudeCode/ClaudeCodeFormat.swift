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

/// Each part of a reply is a record with the tokens and costs of the reply so far.
struct ClaudeCodeUsage {
  private var notes: [String: SessionNote] = [:]
  private var counted: [UInt64: Amounts] = [:]

  private struct Amounts {
    var (sent, cached, received): (Int64, Int64, Int64) = (0, 0, 0)
  }

  private static let mostSessions = 256
  private static let mostAnswers = 4_096

  mutating func take(_ record: JSONFields, _ message: JSONFields?) throws(JSONError) {
    guard let session = try record.plainText("sessionId") else { return }
    if notes[session] == nil, notes.count >= Self.mostSessions { notes = [:] }
    var note = notes[session] ?? SessionNote()
    // A session is resumed where it began.
    if note.folder == nil { note.folder = try record.plainText("cwd") }
    if let branch = try record.plainText("gitBranch"), !branch.isEmpty { note.branch = branch }
    if let message, let usage = message.object("usage") {
      try add(usage, of: message, record, to: &note)
    }
    notes[session] = note
  }

  private mutating func add(
    _ usage: JSONFields, of message: JSONFields, _ record: JSONFields, to note: inout SessionNote
  ) throws(JSONError) {
    var amounts = Amounts()
    amounts.cached = Self.count(usage, "cache_read_input_tokens")
    amounts.sent = amounts.cached
    for key in ["input_tokens", "cache_creation_input_tokens"] {
      amounts.sent = amounts.sent.adding(Self.count(usage, key))
    }
    amounts.received = Self.count(usage, "output_tokens")
    let (answer, own) = (try message.plainText("id"), try record.plainText("uuid"))
    let id = FNVHash.of(answer ?? own ?? "")
    let known = counted[id]
    let before = known ?? Amounts()
    note.add(
      sent: max(amounts.sent - before.sent, 0), cached: max(amounts.cached - before.cached, 0),
      received: max(amounts.received - before.received, 0), cost: known == nil ? Self.cost(record) : nil)
    if counted.count >= Self.mostAnswers { counted = [:] }
    counted[id] = amounts
  }

  private static func count(_ usage: JSONFields, _ key: String) -> Int64 { max(usage.integer(key) ?? 0, 0) }

  private static func cost(_ record: JSONFields) -> Int64? {
    record.real("costUSD").flatMap { $0 >= 0 && $0 < 1e12 ? Int64(($0 * 1e6).rounded()) : nil }
  }

  func note(of session: String) -> SessionNote { notes[session] ?? SessionNote() }
}

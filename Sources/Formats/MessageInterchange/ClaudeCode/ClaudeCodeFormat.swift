/// Claude Code's sessions, `~/.claude/projects/**/*.jsonl`: a JSON object per event.
struct ClaudeCodeFormat: GrowingFormat, MultiFileFormat {
  let name = "claude-code"
  let title = "Claude Code's sessions"
  let whole = "a session of Claude Code"

  func score(_ sample: FormatSample) -> Int {
    if sample.hasRecord(where: { Self.isOfSession($0, calledBy: sample.name) }) { return 96 }
    if sample.hasOnlyRecords(where: ClaudeCodeRecord.isAboutSession) { return 96 }
    guard Self.beginnings.contains(where: { sample.hasCutFirstLine(beginningWith: $0) }) else { return 0 }
    return 92
  }

  /// A record of Claude Code has a session and an id, or its file is named after the session.
  private static func isOfSession(_ record: JSONFields, calledBy name: String) -> Bool {
    guard record["type"] != nil, let session = try? record.plainText("sessionId") else { return false }
    return record["uuid"] != nil || isID(session) && name.hasPrefix(session)
  }

  private static let beginnings: [StaticString] = [
    "{\"parentUuid\":", "{\"parentUuid\": ", "{\"type\":\"file-history-snapshot\",\"messageId\":",
  ]

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONRowsReader(ClaudeCodeHistory(file: file, options: options), file: file)
  }

  func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    let folders = sample.components.dropLast()
    let isInSession = folders.dropLast().last.map { Self.isID($0) } ?? false
    switch folders.last {
    case "tool-results": return isInSession
    case "subagents": return isInSession && sample.name.hasSuffix(".meta.json")
    case "memory": return folders.dropLast().last?.hasPrefix("-") == true && sample.name.hasSuffix(".md")
    default: return sample.name == "sessions-index.json" && sample.has("\"entries\"")
    }
  }

  private static func isID(_ name: String) -> Bool {
    name.utf8.count == 36 && name.utf8.allSatisfy { $0 == UInt8(ascii: "-") || Self.isHexDigit($0) }
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }
}

extension ClaudeCodeFormat: AssistantFormat {
  var places: [AssistantPlace] {
    [
      AssistantPlace(
        "Claude Code", .home, ".claude", "projects", files: "*.jsonl", depth: 6, variable: "CLAUDE_CONFIG_DIR"
      ),
      AssistantPlace("Claude Code", .settings, "claude", "projects", files: "*.jsonl", depth: 6),
    ]
  }
}

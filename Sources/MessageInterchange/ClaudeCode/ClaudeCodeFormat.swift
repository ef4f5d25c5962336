/// Claude Code's sessions, `~/.claude/projects/**/*.jsonl`: a line of JSON for each thing that happened.
struct ClaudeCodeFormat: GrowingFormat {
  let name = "claude-code"
  let title = "Claude Code's sessions"

  func score(_ sample: FormatSample) -> Int {
    let fitting = sample.percent { line in JSONFields(line).map(Self.isOurs) ?? false }
    if fitting >= 50 { return 96 }
    // A first line may be longer than all that is looked at.
    guard sample.isFirstLineCut, sample.bytes.first == UInt8(ascii: "{") else { return 0 }
    return sample.has("\"sessionId\":\"") && sample.has("\"parentUuid\":") ? 92 : 0
  }

  private static func isOurs(_ record: JSONFields) -> Bool {
    guard record["type"] != nil else { return false }
    let isOfSession = record["sessionId"] != nil && record["message"] != nil && record["uuid"] != nil
    return isOfSession || ClaudeCodeRecord.isAboutSession(record)
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONRowsReader(ClaudeCodeHistory(file: file, options: options), file: file)
  }

  /// Whether a file belongs to sessions and has no messages: lists, notes, and what tools wrote, which messages name.
  static func isCompanion(_ sample: FormatSample) -> Bool {
    let folders = sample.components.dropLast()
    let isInSession = folders.dropLast().last.map { isID($0) } ?? false
    switch folders.last {
    case "tool-results": return isInSession
    case "subagents": return isInSession && sample.name.hasSuffix(".meta.json")
    case "memory": return folders.dropLast().last?.hasPrefix("-") == true && sample.name.hasSuffix(".md")
    default: return sample.name == "sessions-index.json" && sample.has("\"entries\"")
    }
  }

  /// Whether a name is the id of a session.
  private static func isID(_ name: String) -> Bool {
    name.utf8.count == 36 && name.utf8.allSatisfy { $0 == UInt8(ascii: "-") || Self.isHexDigit($0) }
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }
}

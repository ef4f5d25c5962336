/// Sessions of Pi, `~/.pi/agent/sessions/**/*.jsonl`, and of OpenClaw, which is based on it,
/// `~/.openclaw/agents/*/sessions/*.jsonl`: an entry per line that names its predecessor.
struct PiFormat: GrowingFormat, MultiFileFormat {
  let name = "pi"
  let title = "Pi's and OpenClaw's sessions"
  let whole = "a session of Pi or OpenClaw"

  func score(_ sample: FormatSample) -> Int {
    if sample.hasRecord(where: Self.isOurs) { return 93 }
    guard sample.hasCutFirstLine(beginningWith: "{\"type\":\"message\",\"id\":") else { return 0 }
    return sample.has("\"parentId\":", inFirst: 256) ? 91 : 0
  }

  private static func isOurs(_ record: JSONFields) -> Bool {
    switch try? record.plainText("type") {
    case "session":
      return record["id"] != nil && record["timestamp"] != nil
        && (record["version"] != nil || record["cwd"] != nil)
    case "message":
      guard let message = record.object("message"), record["timestamp"] != nil else { return false }
      let role = try? message.plainText("role")
      return role == "toolResult" || record["parentId"] != nil && record["id"] != nil && role != nil
        || hasCalls(message)
    default: return false
    }
  }

  private static func hasCalls(_ message: JSONFields) -> Bool {
    let types = try? message.map("content") { block throws(JSONError) in try block.plainText("type") }
    return types?.contains("toolCall") ?? false
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONRowsReader(PiHistory(file: file, options: options), file: file)
  }

  func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    sample.name == "sessions.json" && sample.folder.last == "sessions" && sample.has("\"sessionId\"")
  }
}

extension PiFormat: AssistantFormat {
  var places: [AssistantPlace] {
    [
      AssistantPlace(
        "Pi", .home, ".pi/agent", "sessions", files: "*.jsonl", depth: 2, variable: "PI_CODING_AGENT_DIR"),
      AssistantPlace(
        "OpenClaw", .home, ".openclaw", "agents/*/sessions", files: "*.jsonl", depth: 1,
        variable: "OPENCLAW_STATE_DIR"),
    ]
  }
}

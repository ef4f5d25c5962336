/// Codex CLI's sessions, `~/.codex/sessions/**/rollout-*.jsonl`: a JSON object per event.
struct CodexFormat: GrowingFormat {
  let name = "codex"
  let title = "Codex CLI's sessions"

  func score(_ sample: FormatSample) -> Int {
    if sample.hasRecord(where: Self.isOurs) { return 96 }
    let isNamed = sample.name.hasPrefix("rollout-") && sample.name.hasSuffix(".jsonl")
    // Until version 0.31 lines had no time, and the first one had no type.
    if isNamed, let first = sample.lines.first?.withUnsafeBytes({ JSONFields($0) }), first["id"] != nil,
      first["timestamp"] != nil
    {
      return 94
    }
    guard sample.hasCutFirstLine(beginningWith: "{") else { return 0 }
    return sample.has("\"type\":\"session_meta\"", inFirst: 256) && sample.has("\"payload\":", inFirst: 256)
      ? 94 : 0
  }

  private static let types: Set<String> = [
    "session_meta", "response_item", "event_msg", "turn_context", "compacted",
  ]

  private static func isOurs(_ record: JSONFields) -> Bool {
    guard let type = try? record.plainText("type"), record["payload"] != nil else { return false }
    return types.contains(type) && record["timestamp"] != nil
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONRowsReader(CodexHistory(file: file, options: options), file: file)
  }
}

extension CodexFormat: AssistantFormat {
  var places: [AssistantPlace] {
    [
      AssistantPlace(
        "Codex CLI", .home, ".codex", "sessions", files: "rollout-*.jsonl", depth: 4, variable: "CODEX_HOME"),
      AssistantPlace(
        "Codex CLI", .home, ".codex", "archived_sessions", files: "rollout-*.jsonl", depth: 4,
        variable: "CODEX_HOME"),
    ]
  }
}

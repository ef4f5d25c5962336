/// GitHub Copilot CLI's sessions, `~/.copilot/session-state/*/events.jsonl`: a JSON object per event.
struct CopilotFormat: GrowingFormat, MultiFileFormat {
  let name = "copilot"
  let title = "GitHub Copilot CLI's sessions"
  let whole = "a session of GitHub Copilot CLI"

  func score(_ sample: FormatSample) -> Int {
    if sample.hasRecord(where: Self.isOurs) { return 93 }
    guard sample.hasCutFirstLine(beginningWith: "{\"type\":\"") else { return 0 }
    return sample.has("{\"type\":\"session.start\",\"data\":{", inFirst: 64) ? 92 : 0
  }

  private static let types: Set<String> = [
    "session.start", "session.resume", "session.model_change", "session.info", "user.message",
    "assistant.message", "assistant.turn_start", "tool.execution_start", "tool.execution_complete",
  ]

  private static func isOurs(_ record: JSONFields) -> Bool {
    guard let type = try? record.plainText("type"), types.contains(type) else { return false }
    return record.object("data") != nil && record["timestamp"] != nil
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONRowsReader(CopilotHistory(file: file, options: options), file: file)
  }

  func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    guard let place = sample.components.lastIndex(of: "session-state") else { return false }
    return sample.components.count > place + 2 && sample.name != "events.jsonl"
  }
}

/// GitHub Copilot's chats in Visual Studio Code, `workspaceStorage/*/chatSessions/*.json`; since 2026
/// `.jsonl`, a document and its changes.
struct CopilotChatFormat: MultiFileFormat, RewrittenFormat {
  let name = "copilot-chat"
  let title = "Chats of GitHub Copilot in Visual Studio Code"
  let whole = "chats of Visual Studio Code"

  func score(_ sample: FormatSample) -> Int {
    guard sample.firstSign == UInt8(ascii: "{") else { return 0 }
    let isOurs =
      Self.hasLines(sample.bytes)
      ? sample.holdsAny(of: "\"requests\"", "\"creationDate\"")
      : sample.holds("\"requests\"")
        && sample.holdsAny(of: "\"responderUsername\"", "\"requesterUsername\"", "\"initialLocation\"")
    return isOurs ? 94 : 0
  }

  static func hasLines(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.prefix(32).filter { $0 > 0x20 }.starts(with: "{\"kind\":0,\"v\":{".utf8)
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    let start = try? file.source.peek(64)
    if let start, Self.hasLines(start) { return CopilotChatLog(file: file, options: options) }
    return JSONHistoryReader(CopilotChatDocument(file: file, options: options), file: file)
  }

  func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    sample.name == "workspace.json" && sample.isWhole && sample.bytes.count < 4_096
      && (sample.has("\"folder\"") || sample.has("\"workspace\"")) && sample.has("://")
  }
}

extension CopilotFormat: AssistantFormat {
  var places: [AssistantPlace] {
    [
      AssistantPlace(
        "GitHub Copilot CLI", .home, ".copilot", "session-state", files: "events.jsonl", depth: 1,
        variable: "COPILOT_HOME")
    ]
  }
}

extension CopilotChatFormat: AssistantFormat {
  var places: [AssistantPlace] {
    [
      AssistantPlace(
        "GitHub Copilot in the editor", .editor, "", "workspaceStorage/*/chatSessions", files: "*.json",
        "*.jsonl"),
      AssistantPlace(
        "GitHub Copilot in the editor", .editor, "", "globalStorage/emptyWindowChatSessions", files: "*.json",
        "*.jsonl"),
    ]
  }
}

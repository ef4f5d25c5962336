/// Sessions of GitHub Copilot's command line, `~/.copilot/session-state/*/events.jsonl`: a line for each thing that happened.
struct CopilotFormat: GrowingFormat, MultiFileFormat {
  let name = "copilot"
  let title = "GitHub Copilot CLI's sessions"
  let whole = "a session of GitHub Copilot CLI"

  func score(_ sample: FormatSample) -> Int {
    if sample.hasRecord(where: Self.isOurs) { return 93 }
    guard sample.hasCutFirstLine(beginningWith: "{\"type\":\"") else { return 0 }
    return sample.has("{\"type\":\"session.start\",\"data\":{", inFirst: 64) ? 92 : 0
  }

  /// The types of which one comes early in each session, and that other programs do not have.
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

  /// Whether a file lies in the folder of a session and has none of its messages.
  func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    guard let place = sample.components.lastIndex(of: "session-state") else { return false }
    return sample.components.count > place + 2 && sample.name != "events.jsonl"
  }
}

/// Chats with GitHub Copilot in Visual Studio Code, `workspaceStorage/*/chatSessions/*.json`, and since 2026 `.jsonl`: a document,
/// and lines that say how it changed.
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

  /// Whether a file has lines of changes, by its first bytes.
  static func hasLines(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.prefix(32).filter { $0 > 0x20 }.starts(with: "{\"kind\":0,\"v\":{".utf8)
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    let start = try? file.source.peek(64)
    if let start, Self.hasLines(start) { return CopilotChatLog(file: file, options: options) }
    return JSONHistoryReader(CopilotChatDocument(file: file, options: options), file: file)
  }

  /// Whether a file says of which folder the chats beside are.
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

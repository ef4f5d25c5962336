/// GitHub Copilot CLI's sessions, `~/.copilot/session-state/*/events.jsonl`: a JSON object per event.
extension CopilotHistory {
  private static let types: Set<String> = [
    "session.start", "session.resume", "session.model_change", "session.info", "user.message",
    "assistant.message", "assistant.turn_start", "tool.execution_start", "tool.execution_complete",
  ]

  static func isOurs(_ record: JSONFields) -> Bool {
    guard let type = try? record.plainText("type"), types.contains(type) else { return false }
    return record.object("data") != nil && record["timestamp"] != nil
  }

  static func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    guard let place = sample.components.lastIndex(of: "session-state") else { return false }
    return sample.components.count > place + 2 && sample.name != "events.jsonl"
  }
}

/// GitHub Copilot's chats in Visual Studio Code, `workspaceStorage/*/chatSessions/*.json`; since 2026
/// `.jsonl`, a document and its changes.
extension CopilotChatLog {
  static func hasLines(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.prefix(32).filter { $0 > 0x20 }.starts(with: "{\"kind\":0,\"v\":{".utf8)
  }

  static func reader(of file: InputFile, _ options: ImportOptions) -> any HistoryReader {
    let start = try? file.source.peek(64)
    if let start, hasLines(start) { return CopilotChatLog(file: file, options: options) }
    return JSONHistoryReader(CopilotChatDocument(file: file, options: options), file: file)
  }
}

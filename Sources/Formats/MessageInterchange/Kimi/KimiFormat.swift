/// Kimi Code CLI's sessions, `~/.kimi/sessions/*/*/wire.jsonl`: a line per event for the screen.
extension KimiHistory {
  static func isOurs(_ record: JSONFields) -> Bool {
    guard let message = record.object("message"), record["timestamp"] != nil else { return false }
    return message["type"] != nil && message.object("payload") != nil
  }

  /// Whether a session has only begun.
  static func isHead(_ record: JSONFields) -> Bool {
    (try? record.plainText("type")) == "metadata" && record["protocol_version"] != nil
  }

  static func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    if KimiCodeHistory.isCompanion(sample, beside: companions) { return true }
    let folder = sample.folder
    switch sample.name {
    case "context.jsonl", "state.json", "meta.json":
      return companions.hasBeside("wire.jsonl", in: folder)
    case "wire.jsonl":
      return folder.dropLast().last == "subagents"
        && companions.hasBeside("wire.jsonl", in: folder.dropLast(2))
    default: return false
    }
  }
}

/// Kimi Code CLI's sessions, `~/.kimi/sessions/*/*/wire.jsonl`: a line per event for the screen.
struct KimiFormat: GrowingFormat, MultiFileFormat {
  let name = "kimi"
  let title = "Kimi Code CLI's sessions"
  let whole = "a session of Kimi Code CLI"

  static let fileName = "wire.jsonl"

  func score(_ sample: FormatSample) -> Int {
    if sample.hasRecord(where: Self.isOurs) { return 93 }
    let isBegun = sample.hasOnlyRecords { record in
      (try? record.plainText("type")) == "metadata" && record["protocol_version"] != nil
    }
    if isBegun { return 90 }
    return sample.hasCutFirstLine(beginningWith: "{\"timestamp\": ")
      && sample.has("\"message\": {\"type\": ", inFirst: 256) ? 90 : 0
  }

  private static func isOurs(_ record: JSONFields) -> Bool {
    guard let message = record.object("message"), record["timestamp"] != nil else { return false }
    return message["type"] != nil && message.object("payload") != nil
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONRowsReader(KimiHistory(file: file, options: options), file: file)
  }

  func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    let folder = sample.folder
    switch sample.name {
    case "context.jsonl", "state.json", "meta.json":
      return companions.hasBeside(Self.fileName, in: folder)
    case Self.fileName:
      return folder.dropLast().last == "subagents"
        && companions.hasBeside(Self.fileName, in: folder.dropLast(2))
    default: return false
    }
  }
}

extension KimiFormat: AssistantFormat {
  var places: [AssistantPlace] {
    [
      AssistantPlace("Kimi Code CLI", .home, ".kimi", "sessions", files: Self.fileName, depth: 2)
    ]
  }
}

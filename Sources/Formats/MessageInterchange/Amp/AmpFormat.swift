/// Amp's threads, `~/.local/share/amp/threads/T-*.json`, as stored locally and exported.
struct AmpFormat: RewrittenFormat {
  let name = "amp"
  let title = "Amp's threads"

  func score(_ sample: FormatSample) -> Int {
    guard sample.firstSign == UInt8(ascii: "{"), sample.holds("\"messages\"") else { return 0 }
    guard sample.has("\"v\":", inFirst: 256) else { return 0 }
    return sample.has("\"id\":\"T-", inFirst: 256) || sample.has("\"id\": \"T-", inFirst: 256) ? 94 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONHistoryReader(AmpHistory(file: file, options: options), file: file)
  }
}

extension AmpFormat: AssistantFormat {
  var places: [AssistantPlace] {
    [
      AssistantPlace("Amp", .data, "amp", "threads", files: "T-*.json")
    ]
  }
}

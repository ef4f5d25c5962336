/// Hermes Agent's sessions, `~/.hermes/state.db`.
struct HermesFormat: ImportFormat {
  let name = "hermes"
  let title = "Hermes Agent's sessions"

  func score(_ sample: FormatSample) -> Int {
    sample.tables.isSuperset(of: ["schema_version", "sessions", "messages", "state_meta"]) ? 94 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    SQLiteHistoryReader<HermesHistory>(file: file, options: options)
  }
}

extension HermesFormat: AssistantFormat {
  var places: [AssistantPlace] {
    [
      AssistantPlace("Hermes Agent", .home, ".hermes", files: "state.db", followsFile: true)
    ]
  }
}

/// The log of `llm`, `logs.db`; `llm logs path` prints its place.
struct LLMFormat: ImportFormat {
  let name = "llm"
  let title = "llm's log"

  func score(_ sample: FormatSample) -> Int {
    guard SQLiteFile.fits(sample) else { return 0 }
    let hasTables = sample.tables.isSuperset(of: ["_llm_migrations", "responses", "conversations"])
    return hasTables || sample.holds("prompt_json", "conversation_id", "datetime_utc") ? 94 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    SQLiteHistoryReader<LLMHistory>(file: file, options: options)
  }
}

extension LLMFormat: AssistantFormat {
  var places: [AssistantPlace] {
    [
      AssistantPlace(
        "llm", .settings, "io.datasette.llm", files: "logs.db", variable: "LLM_USER_PATH", followsFile: true)
    ]
  }
}

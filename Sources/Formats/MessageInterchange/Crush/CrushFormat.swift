/// Crush's sessions, `.crush/crush.db` in a project's folder.
struct CrushFormat: ImportFormat {
  let name = "crush"
  let title = "Crush's sessions"

  func score(_ sample: FormatSample) -> Int {
    sample.tables.isSuperset(of: ["goose_db_version", "sessions", "messages", "files"]) ? 94 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    SQLiteHistoryReader<CrushHistory>(file: file, options: options)
  }
}

extension CrushFormat: AssistantFormat {
  var places: [AssistantPlace] {
    [
      AssistantPlace("Crush", .project, ".crush", files: "crush.db", followsFile: true)
    ]
  }
}

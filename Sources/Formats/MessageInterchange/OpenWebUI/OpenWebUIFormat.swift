/// Open WebUI's chats: its JSON export, and its database `webui.db`.
struct OpenWebUIFormat: ImportFormat {
  let name = "open-webui"
  let title = "Open WebUI's chats"

  func score(_ sample: FormatSample) -> Int {
    if SQLiteFile.fits(sample) {
      return sample.tables.isSuperset(of: ["chat", "auth", "user", "prompt"]) ? 94 : 0
    }
    guard sample.beginsJSON, sample.holds("\"history\"", "\"childrenIds\"") else { return 0 }
    return sample.holdsAny(of: "\"chat\"", "\"currentId\"") ? 92 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    if SQLiteFile.fits(file) {
      return SQLiteHistoryReader<OpenWebUIDatabase>(file: file, options: options)
    }
    return JSONHistoryReader(OpenWebUIExport(file: file, options: options), file: file)
  }
}

extension OpenWebUIFormat: AssistantFormat {
  var places: [AssistantPlace] {
    [
      AssistantPlace("Open WebUI", .home, ".open-webui", files: "webui.db", followsFile: true),
      AssistantPlace("Open WebUI", .root, "app/backend/data", files: "webui.db", followsFile: true),
    ]
  }
}

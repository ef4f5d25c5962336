/// opencode's sessions, `~/.local/share/opencode/opencode.db` since version 1.2.
struct OpenCodeFormat: ImportFormat {
  let name = "opencode"
  let title = "opencode's sessions"

  func score(_ sample: FormatSample) -> Int {
    guard SQLiteFile.fits(sample) else { return 0 }
    let whole = FormatSample.byteCount
    let hasTables = sample.has("`part`", inFirst: whole) || sample.has("\"part\"", inFirst: whole)
    return hasTables && sample.has("session_id", inFirst: whole) && sample.has("message_id", inFirst: whole)
      ? 94 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    SQLiteHistoryReader<OpenCodeHistory>(file: file, options: options)
  }
}

extension OpenCodeFormat: AssistantFormat {
  var places: [AssistantPlace] {
    [
      AssistantPlace("opencode", .data, "opencode", files: "opencode.db", followsFile: true)
    ]
  }
}

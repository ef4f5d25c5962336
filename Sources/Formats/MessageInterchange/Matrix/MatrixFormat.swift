/// Element's JSON export of a room, or other tools' dumps of the same events.
struct MatrixFormat: ImportFormat {
  let name = "matrix"
  let title = "Matrix, as Element exports a room in JSON"

  func score(_ sample: FormatSample) -> Int {
    sample.beginsJSON && sample.holds("\"origin_server_ts\"", "\"event_id\"") ? 93 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    let history = MatrixHistory(file: file, options: options)
    let first = (try? FormatSample(file))?.lines.first?.withUnsafeBytes { JSONFields($0) }
    if let first, first["origin_server_ts"] != nil { return JSONRowsReader(history, file: file) }
    return JSONHistoryReader(history, file: file)
  }
}

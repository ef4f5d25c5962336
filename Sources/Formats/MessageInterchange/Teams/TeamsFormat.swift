/// Microsoft Teams: messages of a chat or channel as returned by Microsoft Graph.
struct TeamsFormat: ImportFormat {
  let name = "teams"
  let title = "Microsoft Teams, messages of Microsoft Graph in JSON"

  func score(_ sample: FormatSample) -> Int {
    sample.beginsJSON && sample.holds("\"createdDateTime\"", "\"messageType\"")
      && sample.holdsAny(of: "\"chatId\"", "\"channelIdentity\"") ? 94 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    let history = TeamsHistory(file: file, options: options)
    let first = (try? FormatSample(file))?.lines.first?.withUnsafeBytes { JSONFields($0) }
    if let first, first["createdDateTime"] != nil { return JSONRowsReader(history, file: file) }
    return JSONHistoryReader(history, file: file)
  }
}

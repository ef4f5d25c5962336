/// Microsoft Teams, as Microsoft Graph gives the messages of a chat or a channel: what scripts save of it.
struct TeamsFormat: ImportFormat {
  let name = "teams"
  let title = "Microsoft Teams, messages of Microsoft Graph in JSON"

  func score(_ sample: FormatSample) -> Int {
    guard sample.beginsJSON, sample.has("\"createdDateTime\"", inFirst: FormatSample.byteCount) else {
      return 0
    }
    let isOfPlace =
      sample.has("\"chatId\"", inFirst: FormatSample.byteCount)
      || sample.has("\"channelIdentity\"", inFirst: FormatSample.byteCount)
    return isOfPlace && sample.has("\"messageType\"", inFirst: FormatSample.byteCount) ? 94 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    let history = TeamsHistory(file: file, options: options)
    let first = (try? FormatSample(file))?.lines.first?.withUnsafeBytes { JSONFields($0) }
    if let first, first["createdDateTime"] != nil { return JSONRowsReader(history, file: file) }
    return JSONHistoryReader(history, file: file)
  }
}

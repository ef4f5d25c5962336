/// DiscordChatExporter's CSV. It has no ids: what came in JSON or HTML before is not known again by it.
struct DiscordTableFormat: ImportFormat {
  let name = "discord-csv"
  let title = "Discord, as DiscordChatExporter exports it in CSV"

  func score(_ sample: FormatSample) -> Int {
    guard let first = sample.lines.first else { return 0 }
    let names = String(decoding: first, as: UTF8.self).replacing("\"", with: "")
    return names.hasPrefix("AuthorID,Author,Date,Content") ? 95 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    DiscordTableReader(file: file, options: options)
  }
}

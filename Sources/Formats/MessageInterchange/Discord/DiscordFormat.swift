/// DiscordChatExporter's JSON, a file per channel or thread.
struct DiscordFormat: ImportFormat {
  let name = "discord"
  let title = "Discord, as DiscordChatExporter exports it in JSON"

  func score(_ sample: FormatSample) -> Int {
    sample.has("\"guild\"") && sample.has("\"channel\"") && sample.has("\"messages\"") ? 95 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONHistoryReader(DiscordHistory(file: file, options: options), file: file)
  }
}

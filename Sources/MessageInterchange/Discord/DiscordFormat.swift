/// Discord, as DiscordChatExporter writes it in JSON: a file for each channel or thread.
struct DiscordFormat: ImportFormat {
  let name = "discord"
  let title = "Discord, as DiscordChatExporter exports it in JSON"

  func score(_ sample: FormatSample) -> Int {
    let start = String(decoding: sample.bytes.prefix(8_192), as: UTF8.self)
    return start.contains("\"guild\"") && start.contains("\"channel\"") && start.contains("\"messages\"")
      ? 95 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONHistoryReader(DiscordHistory(file: file, options: options), file: file)
  }
}

/// DiscordChatExporter's HTML, a page per channel or thread.
struct DiscordPageFormat: ImportFormat {
  let name = "discord-html"
  let title = "Discord, as DiscordChatExporter exports it in HTML"

  func score(_ sample: FormatSample) -> Int {
    sample.firstSign == UInt8(ascii: "<") && sample.holds("chatlog__message") ? 94 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    DiscordPageReader(file: file, options: options)
  }
}

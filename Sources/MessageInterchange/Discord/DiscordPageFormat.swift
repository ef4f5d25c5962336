/// Discord, as DiscordChatExporter writes it for browsers: a page for each channel or thread.
struct DiscordPageFormat: ImportFormat {
  let name = "discord-html"
  let title = "Discord, as DiscordChatExporter exports it in HTML"

  func score(_ sample: FormatSample) -> Int {
    let first = sample.bytes.first { $0 > 0x20 && $0 < 0x80 }
    return first == UInt8(ascii: "<") && sample.has("chatlog__message", inFirst: FormatSample.byteCount)
      ? 94 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    DiscordPageReader(file: file, options: options)
  }
}

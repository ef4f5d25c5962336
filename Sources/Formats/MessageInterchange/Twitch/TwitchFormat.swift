/// TwitchDownloader's JSON of a video's chat.
struct TwitchFormat: ImportFormat {
  let name = "twitch"
  let title = "Twitch, as TwitchDownloader exports it in JSON"

  func score(_ sample: FormatSample) -> Int {
    sample.firstSign == UInt8(ascii: "{") && sample.holds("\"comments\"", "\"content_offset_seconds\"")
      ? 93 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONHistoryReader(TwitchHistory(file: file, options: options), file: file)
  }
}

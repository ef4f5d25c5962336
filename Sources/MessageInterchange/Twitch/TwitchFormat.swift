/// The chat of a video on Twitch, as TwitchDownloader writes it in JSON.
struct TwitchFormat: ImportFormat {
  let name = "twitch"
  let title = "Twitch, as TwitchDownloader exports it in JSON"

  func score(_ sample: FormatSample) -> Int {
    guard sample.firstSign == UInt8(ascii: "{") else { return 0 }
    let whole = FormatSample.byteCount
    return sample.has("\"comments\"", inFirst: whole)
      && sample.has("\"content_offset_seconds\"", inFirst: whole)
      ? 93 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONHistoryReader(TwitchHistory(file: file, options: options), file: file)
  }
}

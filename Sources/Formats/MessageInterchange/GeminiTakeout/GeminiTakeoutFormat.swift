/// Gemini in Google Takeout: `My Activity/Gemini Apps/MyActivity.json`, an entry per prompt.
struct GeminiTakeoutFormat: ImportFormat {
  let name = "gemini-takeout"
  let title = "Gemini in Google's Takeout"

  func score(_ sample: FormatSample) -> Int {
    guard sample.firstSign == UInt8(ascii: "["), sample.has("\"header\""), sample.has("\"time\"") else {
      return 0
    }
    guard sample.has("\"products\"") || sample.has("\"activityControls\"") else { return 0 }
    return sample.has("\"Gemini Apps\"") || sample.has("\"Bard\"") ? 93 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONHistoryReader(GeminiTakeout(options: options), file: file)
  }
}

/// Google Hangouts in Takeout until 2022: all conversations in one file.
struct HangoutsFormat: ImportFormat {
  let name = "hangouts"
  let title = "Google Hangouts' Takeout"

  func score(_ sample: FormatSample) -> Int {
    let isHistory = sample.has("\"conversations\"") || sample.has("\"conversation_state\"")
    return isHistory && sample.has("\"conversation_id\"")
      && sample.has("\"participant_data\"", inFirst: 65_536)
      ? 93 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONHistoryReader(HangoutsHistory(file: file, options: options), file: file)
  }
}

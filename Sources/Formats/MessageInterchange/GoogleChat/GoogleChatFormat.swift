/// Google Chat in Takeout: a folder per group, with all messages in one file.
struct GoogleChatFormat: MultiFileFormat {
  let name = "google-chat"
  let title = "Google Chat's Takeout"
  let whole = "Google Chat's Takeout"

  func score(_ sample: FormatSample) -> Int {
    guard sample.has("\"messages\""), sample.has("\"topic_id\""), sample.has("\"message_id\"") else {
      return 0
    }
    return sample.has("\"created_date\"") || sample.has("\"message_state\"") ? 93 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONHistoryReader(GoogleChatHistory(file: file, options: options), file: file)
  }

  func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    sample.mayGoWith(name)
      && (sample.name == "group_info.json" && sample.has("\"members\"")
        || sample.name == "user_info.json" && sample.has("\"user\""))
  }
}

/// Google Chat, as Takeout gives it: a folder for each group, with the messages in one file.
struct GoogleChatFormat: ImportFormat {
  let name = "google-chat"
  let title = "Google Chat's Takeout"

  func score(_ sample: FormatSample) -> Int {
    guard sample.has("\"messages\""), sample.has("\"topic_id\""), sample.has("\"message_id\"") else {
      return 0
    }
    return sample.has("\"created_date\"") || sample.has("\"message_state\"") ? 93 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONHistoryReader(GoogleChatHistory(file: file, options: options), file: file)
  }

  func companion(of sample: FormatSample, beside files: Companions) -> String? {
    sample.mayGoWith(name) && Self.isCompanion(sample) ? "Google Chat's Takeout" : nil
  }

  /// Whether a file is one of those that go with the messages.
  private static func isCompanion(_ sample: FormatSample) -> Bool {
    sample.name == "group_info.json" && sample.has("\"members\"")
      || sample.name == "user_info.json" && sample.has("\"user\"")
  }
}

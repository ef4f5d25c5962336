/// Slack's export, a folder per channel and a file per day, and slackdump's.
struct SlackFormat: ImportFormat {
  let name = "slack"
  let title = "Slack's export"

  func score(_ sample: FormatSample) -> Int {
    guard let first = sample.firstSign else { return 0 }
    guard sample.has("\"ts\""), sample.has("\"type\"") else { return 0 }
    if first == UInt8(ascii: "[") { return sample.has("\"message\"") ? 90 : 0 }
    let isDump = sample.has("\"messages\"") && (sample.has("\"channel_id\"") || sample.has("\"slackdump_"))
    return first == UInt8(ascii: "{") && isDump ? 90 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONHistoryReader(SlackHistory(file: file, options: options), file: file)
  }

  func companion(of sample: FormatSample, beside files: Companions) -> String? {
    SlackWorkspace.owner(of: sample, taken: name, beside: files)
  }
}

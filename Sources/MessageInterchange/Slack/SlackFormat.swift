/// Slack's own export, a folder for each channel and a file for each day, and what slackdump writes.
struct SlackFormat: ImportFormat {
  let name = "slack"
  let title = "Slack's export"

  func score(_ sample: FormatSample) -> Int {
    guard let first = sample.bytes.first(where: { $0 > 0x20 && $0 < 0x80 }) else { return 0 }
    let start = String(decoding: sample.bytes.prefix(32_768), as: UTF8.self)
    guard start.contains("\"ts\""), start.contains("\"type\"") else { return 0 }
    if first == UInt8(ascii: "[") { return start.contains("\"message\"") ? 90 : 0 }
    let isDump =
      start.contains("\"messages\"") && (start.contains("\"channel_id\"") || start.contains("\"slackdump_"))
    return first == UInt8(ascii: "{") && isDump ? 90 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONHistoryReader(SlackHistory(file: file, options: options), file: file)
  }
}

/// Mattermost's bulk export: an object per line, some of which are posts.
struct MattermostFormat: ImportFormat {
  let name = "mattermost"
  let title = "Mattermost's bulk export"

  func score(_ sample: FormatSample) -> Int {
    let isBulk = sample.has("{\"type\":\"version\"") || sample.has("{\"type\": \"version\"")
    return isBulk || sample.has("\"direct_post\"") || sample.has("{\"type\":\"post\"") ? 95 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONRowsReader(MattermostHistory(file: file, options: options), file: file)
  }
}

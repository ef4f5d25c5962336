/// slackdump's database, or its folder with chunks of Slack's replies.
struct SlackdumpFormat: ImportFormat {
  let name = "slackdump"
  let title = "slackdump's archive of Slack"

  func score(_ sample: FormatSample) -> Int {
    if SQLiteFile.fits(sample) { return sample.holds("CREATE TABLE MESSAGE", "S_USER") ? 95 : 0 }
    guard let first = sample.lines.first else { return 0 }
    return first.withUnsafeBytes { $0.has("{\"t\":") } && sample.has("\"ts\":", inFirst: 64) ? 92 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    if SQLiteFile.fits(file) {
      return SQLiteHistoryReader<SlackdumpDatabase>(file: file, options: options)
    }
    return JSONRowsReader(SlackdumpChunks(file: file, options: options), file: file)
  }

  func companion(of sample: FormatSample, beside files: Companions) -> String? {
    SlackWorkspace.owner(of: sample, taken: name, beside: files)
  }
}

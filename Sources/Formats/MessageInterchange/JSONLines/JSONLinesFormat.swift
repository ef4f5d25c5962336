/// Scrollback's own format, a JSON object per line; see ``JSONLinesExport``.
struct JSONLinesFormat: GrowingFormat {
  let name = "jsonl"
  let title = "Scrollback's JSON Lines"

  func score(_ sample: FormatSample) -> Int {
    let fitting = sample.percent { line in
      var record = JSONLinesRecord()
      let isRead = (try? record.read(line)) != nil || sample.isFirstLineCut
      let isMessage = isRead && record.time != nil && record.conversation != nil && record.hasOwnID
      return isMessage || SettingText.isWritten(in: line)
    }
    return fitting >= 50 ? fitting : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONLinesReader(file: file, options: options)
  }
}

/// LINE's text export of a chat.
struct LINEFormat: ImportFormat {
  let name = "line"
  let title = "LINE's text export"

  func score(_ sample: FormatSample) -> Int {
    guard let first = sample.lines.first else { return 0 }
    if first.starts(with: "[LINE]".utf8) { return 95 }
    let hasDay = sample.lines.prefix(5).contains { $0.withUnsafeBytes { LINEHeader.day($0) != nil } }
    guard hasDay else { return 0 }
    let fitting = sample.percent { LINEHeader.time($0) != nil }
    return fitting >= 50 ? 85 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    LINEReader(file: file, options: options)
  }
}

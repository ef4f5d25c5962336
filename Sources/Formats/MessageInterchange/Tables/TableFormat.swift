/// A table with a row per message and a header.
struct TableFormat: ImportFormat {
  let name: String
  let title: String
  let separators: [UInt8]

  static let csv = TableFormat(
    name: "csv", title: "a table of comma-separated values",
    separators: [UInt8(ascii: ","), UInt8(ascii: ";")])
  static let tsv = TableFormat(name: "tsv", title: "a table of tab-separated values", separators: [0x09])

  func score(_ sample: FormatSample) -> Int {
    guard let separator = likelySeparator(of: sample) else { return 0 }
    let columns = sample.columns.columns(Self.header(of: sample, separator))
    return columns[.time] != nil && columns[.text] != nil ? 60 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    let separator = (try? FormatSample(file)).flatMap { likelySeparator(of: $0) } ?? separators[0]
    return TableReader(file: file, separator: separator, platform: name, options: options)
  }

  private func likelySeparator(of sample: FormatSample) -> UInt8? {
    guard let line = sample.lines.first else { return nil }
    let counted = separators.map { separator in (separator, line.count { $0 == separator }) }
    return counted.max { $0.1 < $1.1 }.flatMap { $0.1 > 0 ? $0.0 : nil }
  }

  private static func header(of sample: FormatSample, _ separator: UInt8) -> [String] {
    sample.lines.first?.split(separator: separator, omittingEmptySubsequences: false).map { cell in
      String(decoding: cell, as: UTF8.self).trimming { $0 == "\"" || $0 == " " }
    } ?? []
  }
}

extension String {
  func trimming(_ isUnwanted: (Character) -> Bool) -> String {
    guard let end = lastIndex(where: { !isUnwanted($0) }) else { return "" }
    return String(self[...end].drop(while: isUnwanted))
  }
}

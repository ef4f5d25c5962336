/// Detects whether tab-separated cells are quoted.
///
/// Some programs quote a cell with a line break as in CSV; in other tables a quote is a character. Read the
/// right way, more rows have as many cells as the first.
enum TabQuotes {
  private static let sampleByteCount = 1 << 20

  static func areUsed(in file: InputFile) -> Bool {
    guard let sample = try? file.source.peek(sampleByteCount), sample.contains(UInt8(ascii: "\"")) else {
      return false
    }
    // The last line may be cut.
    let isWhole = sample.count < sampleByteCount
    let end = isWhole ? sample.count : (sample.lastIndex(of: 0x0A) ?? sample.count)
    let bytes = Array(sample.first(end))
    let plain = oddRowCount(bytes, hasQuotes: false)
    let quoted = oddRowCount(bytes, hasQuotes: true)
    return quoted < plain
  }

  private static func oddRowCount(_ bytes: [UInt8], hasQuotes: Bool) -> Int {
    var rows = TableRows(ByteSource(MemoryProducer(bytes)), separator: 0x09, hasQuotes: hasQuotes)
    var sink = RecordSink()
    var first: Int?
    var count = 0
    while let row = try? rows.next(skippingInto: &sink) {
      if first == nil { first = row.count }
      if row.count != first { count += 1 }
    }
    return count
  }
}

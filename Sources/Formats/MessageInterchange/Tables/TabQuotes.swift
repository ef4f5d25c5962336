/// Tells whether quotes stand around cells between tabs.
///
/// Some programs write tables of tabs as they write those of commas: a cell with a line end in it is quoted. In others a
/// quote is a quote. Which one wrote a file is told by its beginning: read the right way, all rows have as many cells as
/// the first.
enum TabQuotes {
  /// The number of bytes looked at.
  private static let sampleByteCount = 1 << 20

  /// Whether they do in this file.
  static func areUsed(in file: InputFile) -> Bool {
    guard let sample = try? file.source.peek(sampleByteCount), sample.contains(UInt8(ascii: "\"")) else {
      return false
    }
    // The last line may have been cut.
    let isWhole = sample.count < sampleByteCount
    let end = isWhole ? sample.count : (sample.lastIndex(of: 0x0A) ?? sample.count)
    let bytes = Array(sample.first(end))
    let plain = oddRowCount(bytes, hasQuotes: false)
    let quoted = oddRowCount(bytes, hasQuotes: true)
    return quoted < plain
  }

  /// Returns the number of rows that have another number of cells than the first.
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

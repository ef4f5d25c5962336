internal import MessageModel

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

/// The first row names the columns, unless they are chosen by number.
struct TableReader: HistoryReader {
  private var rows: TableRows
  private var writer: LooseMessageWriter
  private let options: ImportOptions
  private var columns: [ColumnMap.Role: Int]?
  /// Whether it is our own tab-separated table, with `\t` and `\n` as escapes.
  private var hasEscapes = false
  /// Whether it is our own table with apostrophes before formulas.
  private var isDefused = false
  /// The column of the names of attachments in our own table.
  private var files: Int?
  private let separator: UInt8

  init(file: InputFile, separator: UInt8, platform: String, options: ImportOptions) {
    rows = TableRows(
      file.source, separator: separator, hasQuotes: separator != 0x09 || TabQuotes.areUsed(in: file))
    writer = LooseMessageWriter(file: file, options: options, platform: platform)
    self.options = options
    self.separator = separator
  }

  var hasSeenItsFormat: Bool { columns != nil }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    while !sink.isFull {
      guard let row = try rows.next(skippingInto: &sink) else { return false }
      if let columns { add(row, columns, to: &sink) } else { try readFirst(row, into: &sink) }
    }
    return true
  }

  private mutating func readFirst(
    _ row: TableRows.Row, into sink: inout RecordSink
  ) throws(InterchangeError) {
    let columns = try readHeader(row)
    self.columns = columns
    let cells = row.withCells { $0.map { $0.string.trimming { $0 == " " } } }
    // A header over a column chosen by number has no digits, a time has.
    guard try ColumnMap(options.columns).isNumbered(cells), let time = columns[.time],
      cells[time].utf8.contains(where: { $0 &- 48 < 10 })
    else { return }
    add(row, columns, to: &sink)
  }

  private mutating func readHeader(_ row: TableRows.Row) throws(InterchangeError) -> [ColumnMap.Role: Int] {
    let names = row.withCells { $0.map { $0.string.trimming { $0 == " " } } }
    let columns = try ColumnMap(options.columns).columns(names)
    guard columns[.time] != nil else {
      throw InterchangeError(
        .unreadable, "cannot read the table", cause: "no column is known to hold the time",
        remedy: .mapColumns)
    }
    let isOurs = names.starts(with: TableExport.header.prefix(4))
    hasEscapes = separator == 0x09 && isOurs
    isDefused = isOurs && names.last == TableExport.defusedColumn
    files = isOurs ? names.firstIndex(of: TableExport.filesColumn) : nil
    return columns
  }

  private mutating func add(_ row: TableRows.Row, _ columns: [ColumnMap.Role: Int], to sink: inout RecordSink)
  {
    let row = hasEscapes ? row.unescaped() : row
    row.withCells { cells in
      var message = LooseMessage()
      for (role, column) in columns where column < cells.count {
        message[role] = isDefused ? TableExport.fused(cells[column]) : cells[column]
      }
      if let files, files < cells.count {
        message.files = isDefused ? TableExport.fused(cells[files]) : cells[files]
      }
      row.record.withUnsafeBytes { record in
        guard let reason = writer.add(message, record: record, to: &sink) else { return }
        sink.skip(line: row.line, reason: reason, record: record)
      }
    }
  }
}

/// Detects whether tab-separated cells are quoted. Some programs quote a cell with a line break as in CSV; in
/// other tables a quote is a character. Read the right way, more rows have as many cells as the first.
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
    return count + sink.skipped.count
  }
}

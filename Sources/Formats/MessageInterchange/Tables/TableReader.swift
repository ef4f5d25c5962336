internal import MessageModel

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
      row.record.withUnsafeBytes { record in
        guard let reason = writer.add(message, record: record, to: &sink) else { return }
        sink.skip(line: row.line, reason: reason, record: record)
      }
    }
  }
}

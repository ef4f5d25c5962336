/// A format whose files are databases of another program.
protocol SQLiteHistory {
  /// Prepares to read `file`.
  ///
  /// - Throws: ``InterchangeError`` if it has not the tables of that program.
  init(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError)

  /// Reads a row; returns `false` when there are no more.
  mutating func next(into sink: inout RecordSink) throws(InterchangeError) -> Bool
}

/// Reads a file of such a format, which is opened when the first row is wanted.
struct SQLiteHistoryReader<History: SQLiteHistory>: HistoryReader {
  private let options: ImportOptions
  private let path: String?
  private var history: History?

  /// Prepares to read `file`, which must lie on the disk.
  init(file: InputFile, options: ImportOptions) {
    self.options = options
    path = file.diskPath
  }

  /// One with other tables is refused when it is opened.
  var hasSeenItsFormat: Bool { history != nil }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    if history == nil { history = try History(SQLiteFile(onDisk: path), options) }
    while !sink.isFull {
      guard try history?.next(into: &sink) == true else { return false }
    }
    return true
  }
}

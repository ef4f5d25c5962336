/// A format whose files are databases of another program.
protocol SQLiteHistory {
  /// Prepares to read `file`.
  ///
  /// - Throws: ``InterchangeError`` if it has not the tables of that program.
  init(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError)

  /// The number of the newest row there is, for ``ImportOptions/rowsAfter`` of the next time; `nil` if it cannot be read from
  /// there.
  var newestRow: Int64? { get }

  /// Reads a row; returns `false` when there are no more.
  mutating func next(into sink: inout RecordSink) throws(InterchangeError) -> Bool
}

extension SQLiteHistory {
  var newestRow: Int64? { nil }
}

/// A reader that knows the newest row of its file.
protocol RowCounting {
  /// Its number.
  var newestRow: Int64? { get }
}

/// Reads a file of such a format, which is opened when the first row is wanted.
struct SQLiteHistoryReader<History: SQLiteHistory>: HistoryReader, RowCounting {
  private let options: ImportOptions
  private let file: InputFile
  private var history: History?

  /// Prepares to read `file`, which must lie on the disk.
  init(file: InputFile, options: ImportOptions) {
    self.options = options
    self.file = file
  }

  /// One with other tables is refused when it is opened.
  var hasSeenItsFormat: Bool { history != nil }

  var newestRow: Int64? { history?.newestRow }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    if history == nil { history = try History(SQLiteFile(file), options) }
    while !sink.isFull {
      guard try history?.next(into: &sink) == true else { return false }
    }
    return true
  }
}

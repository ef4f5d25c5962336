internal import MessageModel

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

/// Such a format whose messages are the rows of one table, in the order of a number.
protocol KeyedHistory: SQLiteHistory {
  /// The rows.
  var messages: KeyedRows { get set }
  /// The longest value that is read, in bytes.
  static var longest: Int { get }

  /// Takes a row.
  mutating func take(_ row: SQLiteRows, into sink: inout RecordSink) throws(InterchangeError)
}

extension KeyedHistory {
  mutating func next(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    switch try messages.next() {
    case .end: return false
    case .overlong(let number): sink.skip(reason: "message \(number) is longer than \(Self.longest >> 20) MB")
    case .row(let row): try take(row, into: &sink)
    }
    return true
  }
}

/// Reads a file of such a format, which is opened when the first row is wanted.
struct SQLiteHistoryReader<History: SQLiteHistory>: HistoryReader {
  private let options: ImportOptions
  private let file: InputFile
  private var history: History?
  /// The database while it is open.
  private var database: SQLiteFile?
  /// The number of writes to it that were noticed while it was read.
  private var disturbanceCount = 0

  /// So many times it is read again.
  private static var mostDisturbances: Int { 8 }

  /// Prepares to read `file`, which must lie on the disk.
  init(file: InputFile, options: ImportOptions) {
    self.options = options
    self.file = file
  }

  /// One with other tables is refused when it is opened.
  var hasSeenItsFormat: Bool { history != nil }

  var newestRow: Int64? { history?.newestRow }

  /// Reads rows until the sink is full. Those that were read while another program wrote to the file are not kept: pages of
  /// before and after make texts that nobody wrote. All of it is read again then.
  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    let before = sink
    do throws(InterchangeError) {
      let goesOn = try readRows(into: &sink)
      if database?.isAsItWas != false { return goesOn }
    } catch {
      if database?.isAsItWas != false { throw error }
    }
    sink = before
    (history, database) = (nil, nil)
    disturbanceCount += 1
    guard disturbanceCount < Self.mostDisturbances else {
      throw InterchangeError(
        .unreadable, "cannot read '\(file.path)'", cause: "another program writes to it all the time",
        remedy: "end that program, or read a backup of the file")
    }
    return true
  }

  private mutating func readRows(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    if history == nil {
      let opened = try SQLiteFile(file)
      database = opened
      if opened.missingByteCount > 0 {
        sink.skip(
          reason:
            "the last \(opened.missingByteCount) bytes of the database are missing; what can be read of it is"
        )
      }
      history = try History(opened, options)
    }
    while !sink.isFull {
      guard try history?.next(into: &sink) == true else { return false }
    }
    return true
  }
}

extension InterchangeError {
  /// The error of a database that is not one of `program`, or of another version of it.
  static func lackingTables(of program: String, remedy: Remedy? = nil) -> InterchangeError {
    InterchangeError(
      .unreadable, "cannot read the database", cause: "it has not the tables of \(program)", remedy: remedy)
  }
}

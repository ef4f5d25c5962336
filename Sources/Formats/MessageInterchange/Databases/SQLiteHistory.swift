internal import MessageModel

/// A format whose files are another program's databases.
protocol SQLiteHistory {
  init(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError)

  /// The newest row, for ``ImportOptions/rowsAfter``; `nil` if rows cannot be read from a number on.
  var newestRow: Int64? { get }

  mutating func next(into sink: inout RecordSink) throws(InterchangeError) -> Bool
}

extension SQLiteHistory {
  var newestRow: Int64? { nil }
}

protocol KeyedHistory: SQLiteHistory {
  var messages: KeyedRows { get set }
  static var longest: Int { get }

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

struct SQLiteHistoryReader<History: SQLiteHistory>: HistoryReader {
  private let options: ImportOptions
  private let file: InputFile
  private var history: History?
  private var database: SQLiteFile?
  private var disturbanceCount = 0

  private static var mostDisturbances: Int { 8 }

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    self.file = file
  }

  var hasSeenItsFormat: Bool { history != nil }

  var newestRow: Int64? { history?.newestRow }

  /// Reads rows until the sink is full. If another program wrote meanwhile, the rows are dropped and the
  /// whole file is read again: pages of different states would make texts that never existed.
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
  static func lackingTables(of program: String, remedy: Remedy? = nil) -> InterchangeError {
    InterchangeError(
      .unreadable, "cannot read the database", cause: "it has not the tables of \(program)", remedy: remedy)
  }
}

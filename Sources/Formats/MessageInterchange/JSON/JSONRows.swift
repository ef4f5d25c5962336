internal import MessageModel

/// A format whose files have a JSON object in each line.
protocol JSONRows {
  /// Takes the object of a line.
  ///
  /// - Parameters:
  ///   - line: The line as it stands, in UTF-8.
  ///   - number: The number of the object, from 1: that of the line, unless objects stood behind others in one line.
  /// - Throws: ``JSONError`` if it should be a message and makes no sense; the next lines are read nevertheless.
  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError)

  /// Gives what is held back, since there are no more lines that can be read.
  mutating func finish(into sink: inout RecordSink)

  /// Whether what was read shows that the file is of the format, even if no message was in it.
  var hasSeenItsFormat: Bool { get }

  /// Whether a program may still be writing the file: a last line that is only half there is no error then, since the next
  /// import finds it whole.
  var mayEndHalfWritten: Bool { get }
}

extension JSONRows {
  var mayEndHalfWritten: Bool { false }
  mutating func finish(into sink: inout RecordSink) {}
  var hasSeenItsFormat: Bool { false }
}

/// Such a format of sessions, which are read while they are written.
protocol JSONSessionRows: JSONRows {}

extension JSONSessionRows {
  var mayEndHalfWritten: Bool { true }
}

/// Reads a file of such a format.
struct JSONRowsReader<Rows: JSONRows>: HistoryReader {
  private var lines: LineReader
  private var rows: Rows
  /// The number of records that stood behind others in their lines.
  private var joinedCount = 0

  /// Prepares to read `file`.
  init(_ rows: Rows, file: InputFile) {
    lines = LineReader(file.source)
    self.rows = rows
  }

  var hasSeenItsFormat: Bool { rows.hasSeenItsFormat }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    while !sink.isFull {
      guard let line = try next(&sink) else {
        rows.finish(into: &sink)
        return false
      }
      take(line, into: &sink)
    }
    return true
  }

  private mutating func next(_ sink: inout RecordSink) throws(InterchangeError) -> Bytes? {
    do throws(InterchangeError) {
      return try lines.next(reportingTo: &sink)
    } catch {
      rows.finish(into: &sink)
      throw error
    }
  }

  private mutating func take(_ whole: Bytes, into sink: inout RecordSink) {
    let line = lines.number == 1 ? whole.after("\u{FEFF}") ?? whole : whole
    if line.isBlank { return }
    guard UTF8Check.isValid(line) else { return passOver(line, JSONError(reason: "it is not UTF-8"), &sink) }
    var rest = line
    // Where a program died before it had ended a line, the next record stands behind it.
    while !rest.isBlank {
      let record = rest
      do throws(JSONError) {
        let fields = try JSONFields.taking(from: &rest)
        let own = rest.isBlank ? record : Bytes(rebasing: record.dropLast(rest.count))
        if record.count < line.count { joinedCount += 1 }
        try rows.take(fields, own, number: lines.number + joinedCount, into: &sink)
      } catch {
        passOver(record, error, &sink)
        if rest.count == record.count { return }
      }
    }
  }

  private func passOver(_ record: Bytes, _ error: JSONError, _ sink: inout RecordSink) {
    if rows.mayEndHalfWritten, lines.isUnended { return }
    sink.skip(line: lines.number, reason: error.reason, record: record)
  }
}

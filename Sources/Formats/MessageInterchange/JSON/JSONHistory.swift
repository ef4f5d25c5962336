internal import MessageModel

protocol JSONHistory {
  /// Whether the values at `path` are read one by one; see ``JSONStream/path``.
  func descends(into path: [String]) -> Bool

  /// Reads a value; throws for a malformed message, after which reading continues.
  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError)

  mutating func leave(_ path: [String], into sink: inout RecordSink)

  mutating func breakOff(into sink: inout RecordSink)
}

extension JSONHistory {
  mutating func leave(_ path: [String], into sink: inout RecordSink) {}
  mutating func breakOff(into sink: inout RecordSink) {}
}

struct JSONHistoryReader<History: JSONHistory>: HistoryReader {
  private var stream: JSONStream
  private var history: History

  init(_ history: History, file: InputFile) {
    stream = JSONStream(file.source)
    self.history = history
  }

  var hasSeenItsFormat: Bool { stream.hasEmptyListsAlone }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    while !sink.isFull {
      switch try next(&sink) {
      case .end: return false
      case .leave: history.leave(stream.path, into: &sink)
      case .overlong(let offset):
        sink.skip(offset: offset, reason: "it is longer than \(JSONStream.bound >> 20) MB")
      case .value(let value, let offset):
        do throws(JSONError) {
          guard UTF8Check.isValid(value) else { throw JSONError(reason: "it is not UTF-8") }
          try history.take(value, at: stream.path, into: &sink)
        } catch {
          sink.skip(offset: offset, reason: error.reason, record: value)
        }
      }
    }
    return true
  }

  private mutating func next(_ sink: inout RecordSink) throws(InterchangeError) -> JSONStream.Next {
    do throws(InterchangeError) {
      return try stream.next(history.descends)
    } catch {
      history.breakOff(into: &sink)
      throw error
    }
  }
}

extension JSONFields {
  static func reading(_ bytes: Bytes) throws(JSONError) -> JSONFields {
    var scanner = JSONScanner(bytes)
    var fields = JSONFields()
    try fields.read(&scanner)
    return fields
  }

  static func taking(from bytes: inout Bytes) throws(JSONError) -> JSONFields {
    var scanner = JSONScanner(bytes)
    var fields = JSONFields()
    try fields.read(&scanner)
    bytes = Bytes(rebasing: bytes[scanner.position...])
    return fields
  }

  func integer(_ key: String) -> Int64? {
    guard let value = self[key] else { return nil }
    let digits = value.first == UInt8(ascii: "\"") ? Bytes(rebasing: value.dropFirst().dropLast()) : value
    return Int64(digits.string)
  }

  func isTrue(_ key: String) -> Bool { self[key]?.has("true") == true }

  /// `"2020-05-01T10:00:00.000Z"`, or MongoDB's `{"$date": …}` around it, a count or `{"$numberLong": "…"}`.
  func databaseTime(_ key: String) throws(JSONError) -> String? {
    guard let dated = object(key) else { return try plainText(key) }
    if let counted = dated.object("$date") { return try counted.plainText("$numberLong") }
    return try dated.plainText("$date")
  }
}

protocol JSONRows {
  /// Reads a line's object; throws for a malformed message, after which reading continues. `number` is the
  /// line's, from 1, plus the objects that shared earlier lines.
  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError)

  mutating func finish(into sink: inout RecordSink)

  var hasSeenItsFormat: Bool { get }

  /// Whether half a last line is no error: the file may be unfinished, and the next import reads it whole.
  var mayEndHalfWritten: Bool { get }
}

extension JSONRows {
  var mayEndHalfWritten: Bool { false }
  mutating func finish(into sink: inout RecordSink) {}
  var hasSeenItsFormat: Bool { false }
}

/// A format of sessions that are read while being written.
protocol JSONSessionRows: JSONRows {}

extension JSONSessionRows {
  var mayEndHalfWritten: Bool { true }
}

struct JSONRowsReader<Rows: JSONRows>: HistoryReader {
  private var lines: LineReader
  private var rows: Rows
  /// The number of records that followed others in their line.
  private var joinedCount = 0

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
    // If a program died within a line, the next record follows in the same line.
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

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
}

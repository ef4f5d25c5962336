/// The rows of CSV (RFC 4180) or of a table with another separator.
struct TableRows {
  /// Valid until the next row is read.
  struct Row {
    var line: Int
    var record: [UInt8]
    fileprivate var content: [UInt8]
    fileprivate var ends: [Int]

    var count: Int { ends.count }

    /// Replaces `\t`, `\n`, `\r` and `\\` in cells.
    func unescaped() -> Row {
      var result = Row(line: line, record: record, content: [], ends: [])
      withCells { cells in
        for cell in cells {
          Self.unescape(cell, into: &result.content)
          result.ends.append(result.content.count)
        }
      }
      return result
    }

    private static func unescape(_ cell: Bytes, into result: inout [UInt8]) {
      var isEscaped = false
      for byte in cell {
        if !isEscaped, byte == UInt8(ascii: "\\") {
          isEscaped = true
          continue
        }
        switch byte {
        case UInt8(ascii: "t") where isEscaped: result.append(0x09)
        case UInt8(ascii: "n") where isEscaped: result.append(0x0A)
        case UInt8(ascii: "r") where isEscaped: result.append(0x0D)
        default: result.append(byte)
        }
        isEscaped = false
      }
    }

    func withCells<Result>(_ body: ([Bytes]) -> Result) -> Result {
      content.withUnsafeBytes { content in
        var start = 0
        let cells = ends.map { end in
          defer { start = end }
          return Bytes(rebasing: content[start..<end])
        }
        return body(cells)
      }
    }
  }

  private enum Next {
    case row(Row)
    case overlong(line: Int, start: [UInt8])
    /// The file ends in quotes.
    case cut(line: Int)
    case end
  }

  private static let bound = 16 << 20
  private static let overlong = "the row is longer than \(bound >> 20) MB"
  private static let cut = "the file ends within a cell of it, and may have been cut"

  private let separator: UInt8
  private let hasQuotes: Bool
  private var lines: LineReader
  private var content: [UInt8] = []
  private var ends: [Int] = []
  private var record: [UInt8] = []

  init(_ source: ByteSource, separator: UInt8, hasQuotes: Bool = true) {
    lines = LineReader(source)
    self.separator = separator
    self.hasQuotes = hasQuotes
  }

  /// `nil` at the end. Empty lines are ignored; rows over the bound, and one that was cut, are reported as
  /// skipped.
  mutating func next(skippingInto sink: inout RecordSink) throws(InterchangeError) -> Row? {
    while true {
      switch try next() {
      case .end: return nil
      case .row(let row): return row
      case .overlong(let line, let start):
        start.withUnsafeBytes { sink.skip(line: line, reason: Self.overlong, record: $0) }
      case .cut(let line):
        record.withUnsafeBytes { sink.skip(line: line, reason: Self.cut, record: $0) }
        return nil
      }
    }
  }

  private mutating func next() throws(InterchangeError) -> Next {
    (content, ends, record) = ([], [], [])
    var isQuoted = false
    var firstLine = 0
    while true {
      switch try lines.next() {
      case .end:
        if isQuoted { return .cut(line: firstLine) }
        return firstLine == 0 ? .end : finish(firstLine)
      case .overlong(let start): return .overlong(line: lines.number, start: start)
      case .line(var line):
        if lines.number == 1, line.has("\u{FEFF}") { line = line.dropping(3) }
        if firstLine == 0, line.isEmpty { continue }
        if firstLine == 0 { firstLine = lines.number } else { record.append(0x0A) }
        record.append(contentsOf: line)
        isQuoted = split(line, isQuoted: isQuoted)
        if !isQuoted { return finish(firstLine) }
        if record.count > Self.bound { return .overlong(line: firstLine, start: Array(record.prefix(200))) }
        content.append(0x0A)
      }
    }
  }

  private mutating func finish(_ line: Int) -> Next {
    ends.append(content.count)
    return .row(Row(line: line, record: record, content: content, ends: ends))
  }

  private mutating func split(_ line: Bytes, isQuoted: Bool) -> Bool {
    var isQuoted = isQuoted
    var position = 0
    while position < line.count {
      let byte = line[position]
      position += 1
      if isQuoted {
        if byte != UInt8(ascii: "\"") {
          content.append(byte)
        } else if position < line.count, line[position] == byte {
          content.append(byte)
          position += 1
        } else {
          isQuoted = false
        }
      } else if byte == separator {
        ends.append(content.count)
      } else if byte == UInt8(ascii: "\""), hasQuotes, content.count == ends.last ?? 0 {
        isQuoted = true
      } else {
        content.append(byte)
      }
    }
    return isQuoted
  }
}

internal import MessageModel

/// JSON Lines of any kind: an object a line, with a time and a text under one of the names that these usually have.
struct LooseJSONFormat: ImportFormat {
  let name = "json-lines"
  let title = "JSON Lines"

  func score(_ sample: FormatSample) -> Int {
    let columns = ColumnMap()
    let fitting = sample.percent { line in
      guard let fields = JSONFields(line), UTF8Check.isValid(line) else { return false }
      let roles = fields.keys.compactMap { columns.role(of: $0)?.role }
      return roles.contains(.time) && roles.contains(.text)
    }
    return fitting >= 30 ? 30 + fitting / 5 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    LooseJSONReader(file: file, options: options)
  }
}

/// Reads JSON Lines whose keys are named by the user or are the usual ones.
///
/// Where a value is an object, the name in it counts: `{"user": {"name": "ann"}}`.
struct LooseJSONReader: HistoryReader {
  private var lines: LineReader
  private var writer: LooseMessageWriter
  private let options: ImportOptions
  private var columns = ColumnMap()
  private var hasMap = false

  /// Prepares to read `file`.
  init(file: InputFile, options: ImportOptions) {
    lines = LineReader(file.source)
    writer = LooseMessageWriter(file: file, options: options, platform: "json-lines")
    self.options = options
  }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    if !hasMap { columns = try ColumnMap(options.columns) }
    hasMap = true
    while !sink.isFull {
      switch try lines.next() {
      case .end: return false
      case .overlong(let start):
        start.withUnsafeBytes { sink.skip(line: lines.number, reason: "the line is too long", record: $0) }
      case .line(let line):
        if !line.isBlank { take(line, into: &sink) }
      }
    }
    return true
  }

  private mutating func take(_ line: Bytes, into sink: inout RecordSink) {
    do throws(JSONFault) {
      guard UTF8Check.isValid(line) else { throw JSONFault(reason: "it is not UTF-8") }
      var scanner = JSONScanner(line)
      var fields = JSONFields()
      try fields.read(&scanner)
      try add(fields, line, to: &sink)
    } catch {
      sink.skip(line: lines.number, reason: error.reason, record: line)
    }
  }

  private mutating func add(_ fields: JSONFields, _ line: Bytes, to sink: inout RecordSink) throws(JSONFault)
  {
    var values: [ColumnMap.Role: (rank: Int, text: String)] = [:]
    for key in fields.keys {
      guard let (role, rank) = columns.role(of: key), rank < values[role]?.rank ?? .max else { continue }
      if let text = try fields.plainText(key) { values[role] = (rank, text) }
    }
    guard values[.text] != nil else { throw JSONFault(reason: "it has no text") }
    // All values lie in one buffer, so that one pointer serves all of them.
    var bytes: [UInt8] = []
    var ranges: [ColumnMap.Role: Range<Int>] = [:]
    for (role, value) in values {
      let start = bytes.count
      bytes.append(contentsOf: value.text.utf8)
      ranges[role] = start..<bytes.count
    }
    bytes.withUnsafeBytes { bytes in
      var message = LooseMessage()
      for (role, range) in ranges { message[role] = Bytes(rebasing: bytes[range]) }
      writer.add(message, line: lines.number, record: line, to: &sink)
    }
  }
}

internal import MessageModel

extension LooseJSONHistory {
  static func score(_ sample: FormatSample) -> Int {
    let fitting = sample.percent { line in
      guard let fields = JSONFields(line), UTF8Check.isValid(line) else { return false }
      let roles = sample.columns.roles(in: fields)
      return roles.contains(.time) && roles.contains(.text)
    }
    return fitting >= 30 ? 30 + fitting / 5 : 0
  }

  static func isDocument(_ sample: FormatSample) -> Bool {
    var stream = JSONStream(ByteSource(MemoryProducer(sample.text)))
    var (fitting, count) = (0, 0)
    while count < 20, case .value(let value, _)? = try? stream.nextValue(descends) {
      guard stream.path.last == "*", let fields = JSONFields(value) else { continue }
      let roles = sample.columns.roles(in: fields)
      count += 1
      fitting += roles.contains(.time) && roles.contains(.text) ? 1 : 0
    }
    return fitting * 2 > count
  }
}

/// JSON with keys named by the user or usual ones. If a value is an object, its name counts:
/// `{"user": {"name": "ann"}}`. If the message itself is one, it may contain the sender, and the text as a
/// list of blocks. Lists of messages within a message, such as the replies to it, are messages of their own.
struct LooseJSONHistory: JSONRows {
  private var writer: LooseMessageWriter
  private let columns: ColumnMap

  init(file: InputFile, options: ImportOptions) {
    writer = LooseMessageWriter(file: file, options: options, platform: "json-lines")
    // The import has already refused an invalid map.
    columns = (try? ColumnMap(options.columns)) ?? ColumnMap()
  }

  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    try addAll(fields, line, to: &sink)
  }

  /// Adds a message and those within it.
  private mutating func addAll(
    _ fields: JSONFields, _ record: Bytes, to sink: inout RecordSink
  ) throws(JSONError) {
    var waiting = columns.messages(within: fields)
    var failure: JSONError?
    do throws(JSONError) { try add(fields, record, to: &sink) } catch { failure = error }
    while let inner = waiting.popLast() {
      do throws(JSONError) {
        let fields = try JSONFields.reading(inner)
        waiting += columns.messages(within: fields)
        try add(fields, inner, to: &sink)
      } catch {
        sink.skip(reason: error.reason, record: inner)
      }
    }
    if let failure { throw failure }
  }

  private mutating func add(
    _ fields: JSONFields, _ record: Bytes, to sink: inout RecordSink
  ) throws(JSONError) {
    var values: [ColumnMap.Role: (rank: Int, text: String)] = [:]
    for key in fields.keys {
      guard let (role, rank) = columns.role(of: key), rank < values[role]?.rank ?? .max else { continue }
      if let text = try text(of: role, key, in: fields) { values[role] = (rank, text) }
      if role == .text, let inner = fields.object(key) { try addSender(of: inner, to: &values) }
    }
    for (role, path) in columns.paths where values[role] == nil {
      guard let (inner, key) = fields.followed(path), let text = try text(of: role, key, in: inner) else {
        continue
      }
      values[role] = (0, text)
    }
    guard values[.text] != nil else { throw JSONError(reason: "it has no text") }
    var bytes: [UInt8] = []
    var ranges: [ColumnMap.Role: Range<Int>] = [:]
    for (role, value) in values {
      let start = bytes.count
      bytes.append(contentsOf: value.text.utf8)
      ranges[role] = start..<bytes.count
    }
    let reason = bytes.withUnsafeBytes { bytes in
      var message = LooseMessage()
      for (role, range) in ranges { message[role] = Bytes(rebasing: bytes[range]) }
      return writer.add(message, record: record, to: &sink)
    }
    if let reason { throw JSONError(reason: reason) }
  }
}

extension LooseJSONHistory {
  private func text(
    of role: ColumnMap.Role, _ key: String, in fields: JSONFields
  ) throws(JSONError) -> String? {
    switch role {
    case .text: return try fields[key].flatMap { value throws(JSONError) in try LooseText.read(value) }
    case .sender, .conversation: return try fields.label(key)
    case .time, .id, .kind: return try fields.plainText(key)
    case .reply:
      if let message = fields.object(key) { return try message.plainText("id") }
      return try fields.plainText(key)
    }
  }

  /// A sender within the message ranks below one beside it.
  private func addSender(
    of message: JSONFields, to values: inout [ColumnMap.Role: (rank: Int, text: String)]
  ) throws(JSONError) {
    for key in message.keys {
      guard let (role, rank) = columns.role(of: key), role == .sender else { continue }
      let innerRank = rank + 1_000
      guard innerRank < values[.sender]?.rank ?? .max, let name = try message.label(key) else { continue }
      values[.sender] = (innerRank, name)
    }
  }
}

extension LooseJSONHistory: JSONHistory {
  private static let lists: Set<String> = [
    "messages", "items", "data", "events", "chunk", "history", "entries", "records", "results", "log",
    "posts",
  ]

  static func descends(into path: [String]) -> Bool {
    path.isEmpty || path.count == 1 && lists.contains(path[0])
  }

  func descends(into path: [String]) -> Bool { Self.descends(into: path) }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    guard path.last == "*" else { return }
    try addAll(try JSONFields.reading(value), value, to: &sink)
  }
}

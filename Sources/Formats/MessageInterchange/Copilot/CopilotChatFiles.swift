internal import MessageModel

/// A chat in one document. Facts of the chat may follow its messages and are read first.
struct CopilotChatDocument: JSONHistory {
  private var chat: CopilotChat

  init(file: InputFile, options: ImportOptions) {
    chat = CopilotChat(file: file, options: options)
    guard let preview = file.preview() else { return }
    var stream = JSONStream(preview)
    while let next = try? stream.nextValue(Self.descends), case .value(let value, _) = next {
      guard UTF8Check.isValid(value) else { continue }
      if stream.path.count == 1 { try? chat.note(stream.path[0], value) }
      if stream.path == ["requests", "*"] { chat.noteRequest(value) }
    }
  }

  private static func descends(into path: [String]) -> Bool { path.isEmpty || path == ["requests"] }

  func descends(into path: [String]) -> Bool { Self.descends(into: path) }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    if path == ["requests", "*"] { try chat.take(value, into: &sink) }
  }
}

/// A chat as a document in the first line and changes in the following ones, which are applied in memory.
struct CopilotChatLog: HistoryReader {
  private let file: InputFile
  private var lines: LineReader
  private var chat: CopilotChat
  private var state: JSONTree?
  private var byteCount = 0
  private var waiting: [JSONTree]?
  private(set) var hasSeenItsFormat = false

  private static let mostBytes = 512 << 20

  init(file: InputFile, options: ImportOptions) {
    self.file = file
    lines = LineReader(file.source)
    chat = CopilotChat(file: file, options: options)
  }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    if waiting == nil { try replay(&sink) }
    while !sink.isFull, let request = waiting?.popLast() {
      var bytes: [UInt8] = []
      request.write(to: &bytes)
      do throws(JSONError) {
        try bytes.withRawBytes { bytes throws(JSONError) in try chat.take(bytes, into: &sink) }
      } catch {
        bytes.withUnsafeBytes { sink.skip(reason: error.reason, record: $0) }
      }
    }
    return waiting?.isEmpty == false
  }

  private mutating func replay(_ sink: inout RecordSink) throws(InterchangeError) {
    defer { if waiting == nil { waiting = [] } }
    while byteCount < Self.mostBytes {
      guard let line = try lines.next(reportingTo: &sink) else { return finish(&sink) }
      if line.isBlank { continue }
      byteCount += line.count
      do throws(JSONError) {
        guard UTF8Check.isValid(line) else { throw JSONError(reason: "it is not UTF-8") }
        try apply(try JSONFields.reading(line))
      } catch {
        if lines.isUnended { continue }
        sink.skip(line: lines.number, reason: error.reason, record: line)
      }
    }
    sink.skip(
      line: lines.number, reason: "it has more than \(Self.mostBytes >> 20) MB of changes", record: "")
    finish(&sink)
  }

  private mutating func apply(_ change: JSONFields) throws(JSONError) {
    let value = change["v"].map { JSONTree.raw(Array($0)) }
    let kind = change.integer("kind")
    let steps = try path(of: change)
    guard kind == 0 || !steps.isEmpty, !steps.contains(.key("")) else {
      throw JSONError(reason: "it does not say what it changes")
    }
    var state = self.state
    self.state = nil
    defer { self.state = state }
    switch kind {
    case 0:
      guard let value else { throw JSONError(reason: "it has no value") }
      state = value
    case 1: try state?.set(value ?? .raw(Array("null".utf8)), at: steps[...])
    case 2:
      var list = value ?? .list([])
      let count = change.integer("i").flatMap { Int(exactly: $0) }
      try state?.push(try list.elements(), at: steps[...], cutTo: count)
    case 3: try state?.set(nil, at: steps[...])
    default: throw JSONError(reason: "it is a change of no known kind")
    }
    if state == nil { throw JSONError(reason: "nothing comes before it that it could change") }
    hasSeenItsFormat = true
  }

  private func path(of change: JSONFields) throws(JSONError) -> [JSONTree.Step] {
    var steps: [JSONTree.Step] = []
    try change.forEach("k") { value throws(JSONError) in
      if value.first == UInt8(ascii: "\"") {
        steps.append(.key(try AssistantText.plain(value)))
      } else if let place = Int(value.string) {
        steps.append(.place(place))
      }
    }
    return steps
  }

  private mutating func finish(_ sink: inout RecordSink) {
    do throws(JSONError) {
      for key in ["sessionId", "customTitle", "responderUsername", "creationDate"] {
        guard let value = try state?.value(key) else { continue }
        var bytes: [UInt8] = []
        value.write(to: &bytes)
        try bytes.withRawBytes { bytes throws(JSONError) in try chat.note(key, bytes) }
      }
      var list = try state?.value("requests")
      let requests = try list?.elements() ?? []
      state = nil
      for request in requests.prefix(16) {
        var bytes: [UInt8] = []
        request.write(to: &bytes)
        bytes.withUnsafeBytes { chat.noteRequest($0) }
      }
      waiting = requests.reversed()
    } catch {
      sink.skip(line: 1, reason: error.reason, record: "")
    }
  }
}

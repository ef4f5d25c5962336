internal import MessageModel

/// A session of Gemini CLI: where its messages go, and what they say.
struct GeminiSession {
  private static let platform = "gemini-cli"
  private static let assistant = "Gemini"

  private let options: ImportOptions
  private var times: LooseTime
  private var id: String
  private var title: String?
  private var tools = ToolNames()
  /// Whether each message is a line.
  let hasLines: Bool

  /// So many bytes are looked at for a title.
  private static let peekByteCount = 1 << 18

  /// Prepares to read `file`.
  init(file: InputFile, options: ImportOptions) {
    self.options = options
    times = LooseTime(options)
    id = file.name
    let start = (try? file.source.peek(Self.peekByteCount)) ?? Bytes(start: nil, count: 0)
    // The first line of a file of lines is a whole object without messages.
    let line = start.first(start.position(of: 0x0A) ?? start.count)
    hasLines = JSONFields(line).map { $0["sessionId"] != nil && $0["messages"] == nil } ?? false
    title = Self.firstQuestion(in: start)
  }

  /// The first text that a person has typed, as far as it can be found without reading all.
  private static func firstQuestion(in start: Bytes) -> String? {
    var stream = JSONStream(ByteSource(MemoryProducer(Array(start))))
    let descends = { (path: [String]) in path.isEmpty || path == ["messages"] }
    while let next = try? stream.nextValue(descends), case .value(let value, _) = next {
      guard let fields = JSONFields(value), (try? fields.plainText("type")) == "user",
        let part = try? text(fields), let title = AssistantTalk.title(part.text)
      else { continue }
      return title
    }
    return nil
  }

  /// Notes what is said of the session.
  mutating func note(_ id: String) { self.id = id }

  /// Takes a message.
  mutating func take(_ fields: JSONFields, _ original: Bytes, into sink: inout RecordSink) throws(JSONError) {
    guard let own = try fields.plainText("id") else { throw JSONError(reason: "it has no id") }
    let time = try times.moment(try fields.plainText("timestamp")).time
    var parts: [AssistantPart] = []
    var sender: String?
    var model: String?
    switch try fields.plainText("type") ?? "" {
    case "user":
      parts = [try Self.text(fields)]
      sender = options.me ?? "me"
    case "gemini":
      parts = try thoughts(fields)
      parts += try calls(fields)
      parts.append(try Self.text(fields))
      sender = Self.assistant
      model = try fields.plainText("model")
    default:
      var part = try Self.text(fields)
      part.kind = .system
      parts = [part]
    }
    parts.removeAll(where: \.isEmpty)
    if title == nil { title = parts.first { $0.kind == .text }.flatMap { AssistantTalk.title($0.text) } }
    let talk = AssistantTalk(Self.platform, id: id, title: title)
    sink.append(
      parts, at: time, by: sender, senderID: model, platform: Self.platform, id: "\(id)/\(own)",
      original: options.keepsOriginal ? original : nil, conversation: sink.conversation(of: talk, options))
  }

  private func thoughts(_ fields: JSONFields) throws(JSONError) -> [AssistantPart] {
    var parts: [AssistantPart] = []
    try fields.forEach("thoughts") { value throws(JSONError) in
      guard let thought = JSONFields(value) else { return }
      let lines = [try thought.plainText("subject"), try thought.plainText("description")]
      parts.append(
        AssistantPart(kind: .thinking, text: lines.compactMap { $0 }.joined(separator: "\n")))
    }
    return parts
  }

  private func calls(_ fields: JSONFields) throws(JSONError) -> [AssistantPart] {
    var parts: [AssistantPart] = []
    try fields.forEach("toolCalls") { value throws(JSONError) in
      guard let call = JSONFields(value) else { return }
      let name = try call.plainText("name") ?? "tool"
      parts.append(AssistantPart(kind: .tool, text: try AssistantText.call(name, call["args"])))
      var result = AssistantPart(kind: .result)
      result.tool = name
      result.text = try Self.result(call)
      let status = try call.plainText("status")
      if status == "error" { result.text = "failed: \(result.text)" }
      parts.append(status == "success" ? result.ended() : result)
    }
    return parts
  }

  private static func result(_ call: JSONFields) throws(JSONError) -> String {
    var texts: [String] = []
    try call.forEach("result") { value throws(JSONError) in
      guard let response = JSONFields(value)?.object("functionResponse")?.object("response") else { return }
      if let text = try response.firstText(["output", "error", "content"]) { texts.append(text) }
    }
    if !texts.isEmpty { return texts.joined(separator: "\n") }
    return try call.plainText("resultDisplay") ?? ""
  }

  /// Returns what a message says: a text, or a list of texts and files.
  private static func text(_ fields: JSONFields) throws(JSONError) -> AssistantPart {
    var part = AssistantPart(kind: .text)
    guard let content = fields["content"] else { return part }
    if content.first == UInt8(ascii: "\"") {
      part.text = try AssistantText.plain(content)
      return part
    }
    var texts: [String] = []
    var pieces: [JSONFields] = []
    if let single = JSONFields(content) { pieces = [single] }
    try fields.forEach("content") { value throws(JSONError) in
      if let piece = JSONFields(value) {
        pieces.append(piece)
      } else {
        texts.append(try AssistantText.plain(value))
      }
    }
    for piece in pieces {
      if let text = try piece.plainText("text") { texts.append(text) }
      guard let data = piece.object("inlineData"), let bytes = data["data"] else { continue }
      let type = try data.plainText("mimeType")
      let ending = type?.split(separator: "/").last.map { "." + $0.prefix(8) } ?? ""
      part.attach("file-\(part.attachments.count + 1)\(ending)", type: type, TransferEncoding.base64(bytes))
    }
    part.text = texts.joined(separator: "\n")
    return part
  }
}

/// A session that is one document.
struct GeminiDocument: JSONHistory {
  private var session: GeminiSession

  init(_ session: GeminiSession) { self.session = session }

  func descends(into path: [String]) -> Bool { path.isEmpty || path == ["messages"] }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    switch path {
    case ["sessionId"]: session.note(try AssistantText.plain(value))
    case ["messages", "*"]: try session.take(try JSONFields.reading(value), value, into: &sink)
    default: break
    }
  }
}

/// A session that is a line for each message; a message that changes is written again.
struct GeminiLines: JSONRows {
  private var session: GeminiSession
  private(set) var hasSeenItsFormat = false

  init(_ session: GeminiSession) { self.session = session }

  /// Sessions are read while they are written.
  var mayEndHalfWritten: Bool { true }

  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    hasSeenItsFormat = true
    if let id = try fields.plainText("sessionId"), fields["type"] == nil { return session.note(id) }
    // What was taken back, and what is said of the session, are no messages.
    guard fields["type"] != nil, fields["id"] != nil else { return }
    try session.take(fields, line, into: &sink)
  }
}

internal import MessageModel

struct GeminiSession {
  private static let platform = "gemini-cli"
  private static let assistant = "Gemini"

  private let options: ImportOptions
  private var times: LooseTime
  private var id: String
  private var title: String?
  private var outline: GeminiOutline?
  private var folder: String?
  private let parent: String?
  private var branchTitles: [String: String] = [:]
  private var usage = GeminiUsage()
  private var known = KnownTalk()
  let hasLines: Bool

  private static let peekByteCount = 1 << 18

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    times = LooseTime(options)
    id = file.name
    let start = (try? file.source.peek(Self.peekByteCount)) ?? Bytes(start: nil, count: 0)
    // In JSON Lines the first line is an object without messages.
    let line = start.first(start.position(of: 0x0A) ?? start.count)
    hasLines = JSONFields(line).map { $0["sessionId"] != nil && $0["messages"] == nil } ?? false
    if hasLines { outline = GeminiOutline(file) }
    folder = Self.project(of: file)
    parent = outline?.isAgent == true ? file.folder.last : nil
    note(beginning: start)
    if let summary = outline?.summary { title = summary }
  }

  private static func project(of file: InputFile) -> String? {
    guard let path = FileSurroundings(file)?.file(".project_root"),
      let producer = try? FileProducer(path: path)
    else {
      return nil
    }
    let folder = String(decoding: producer.bytes(at: 0, count: 4_096), as: UTF8.self).trimming(\.isWhitespace)
    return folder.isEmpty ? nil : folder
  }

  /// The id, which may follow the messages, and the first prompt, as far as the beginning contains them.
  private mutating func note(beginning start: Bytes) {
    var stream = JSONStream(ByteSource(MemoryProducer(Array(start))))
    var hasID = false
    let descends = { (path: [String]) in path.isEmpty || path == ["messages"] }
    while !hasID || title == nil, let next = try? stream.nextValue(descends), case .value(let value, _) = next
    {
      if stream.path == ["sessionId"], let own = try? AssistantText.plain(value) {
        id = own
        hasID = true
      }
      guard title == nil, let fields = JSONFields(value), (try? fields.plainText("type")) == "user",
        let part = try? Self.text(fields)
      else { continue }
      title = AssistantTalk.title(part.text)
    }
  }

  mutating func note(_ id: String) { self.id = id }

  mutating func take(_ fields: JSONFields, _ original: Bytes, into sink: inout RecordSink) throws(JSONError) {
    guard let own = try fields.plainText("id") else { throw JSONError(reason: "it has no id") }
    let time = try times.moment(try fields.plainText("timestamp")).time
    var parts: [AssistantPart] = []
    var sender: String?
    var model: String?
    switch try fields.plainText("type") ?? "" {
    case "user":
      parts = [try Self.text(fields)]
      if let shown = fields["displayContent"] { parts[0].text = try Self.text(shown).text }
      sender = options.me ?? "me"
    case "gemini":
      parts = try thoughts(fields)
      parts += try calls(fields)
      parts.append(try Self.text(fields))
      sender = Self.assistant
      model = try fields.plainText("model")
    case "info", "warning", "error", "":
      var part = try Self.text(fields)
      part.kind = .system
      parts = [part]
    default:
      parts = [AssistantPart(kind: .unknown, text: original.string)]
    }
    parts.removeAll(where: \.isEmpty)
    if title == nil { title = parts.first { $0.kind == .text }.flatMap { AssistantTalk.title($0.text) } }
    let trunk = trunk()
    var talk = trunk
    if let start = outline?.leftBehind[own] {
      talk = AssistantTalk(
        "left behind", of: trunk, id: start, title: branchTitles[start] ?? parts.first?.text)
      branchTitles[start] = branchTitles[start] ?? parts.first?.text
    }
    if sender != nil, sender != Self.assistant {
      close(into: &sink)
      usage.begin("\(id)/\(own)", talk)
    }
    usage.note(fields.object("tokens"), of: own, at: time)
    sink.append(
      parts, at: time, by: sender, senderID: model, platform: Self.platform, id: "\(id)/\(own)",
      copiedWithin: outline == nil ? nil : trunk.identity, original: options.keepsOriginal ? original : nil,
      conversation: sink.conversation(of: talk, options))
  }

  mutating func close(into sink: inout RecordSink) {
    guard let (part, time, key, talk) = usage.end() else { return }
    let home = outline == nil ? nil : trunk().identity
    sink.append(
      [part], at: time, by: nil, platform: Self.platform, id: "\(key)/usage", copiedWithin: home,
      conversation: sink.conversation(of: talk, options))
  }

  private mutating func trunk() -> AssistantTalk {
    var shown = title
    if let parent { shown = "\(title ?? "agent") (agent of \(parent.prefix(8)))" }
    return known.talk(Self.platform, id: id, folder: folder, title: shown, isSession: parent == nil)
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
      if status == "cancelled" {
        result.text = result.text.isEmpty ? "cancelled" : "cancelled: \(result.text)"
      }
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

  private static func text(_ fields: JSONFields) throws(JSONError) -> AssistantPart {
    guard let content = fields["content"] else { return AssistantPart(kind: .text) }
    return try text(content)
  }

  private static func text(_ content: Bytes) throws(JSONError) -> AssistantPart {
    var part = AssistantPart(kind: .text)
    var texts: [String] = []
    var pieces: [JSONFields] = []
    var scanner = JSONScanner(content)
    switch try scanner.kind() {
    case .string, .number, .literal: texts = [try AssistantText.plain(content)]
    case .object: pieces = [try JSONFields.reading(content)]
    case .array:
      try scanner.array { scanner throws(JSONError) in
        let value = try scanner.value()
        if let piece = JSONFields(value) {
          pieces.append(piece)
        } else {
          texts.append(try AssistantText.plain(value))
        }
      }
    }
    for piece in pieces {
      if let text = try piece.plainText("text") { texts.append(text) }
      if let file = piece.object("fileData"), let address = try file.plainText("fileUri") {
        let name = address.split(separator: "/").last.map(String.init) ?? address
        part.attachments.append(
          Message.Attachment(name: name, mediaType: try file.plainText("mimeType"), path: address))
      }
      guard let data = piece.object("inlineData"), let bytes = data["data"] else { continue }
      let type = try data.plainText("mimeType")
      let ending = type?.split(separator: "/").last.map { "." + $0.prefix(8) } ?? ""
      part.attach("file-\(part.attachments.count + 1)\(ending)", type: type, TransferEncoding.base64(bytes))
    }
    part.text = texts.joined(separator: "\n")
    return part
  }
}

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

  mutating func leave(_ path: [String], into sink: inout RecordSink) {
    if path == ["messages"] { session.close(into: &sink) }
  }
}

struct GeminiLines: JSONSessionRows {
  private var session: GeminiSession
  private(set) var hasSeenItsFormat = false

  init(_ session: GeminiSession) { self.session = session }

  mutating func finish(into sink: inout RecordSink) { session.close(into: &sink) }

  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    hasSeenItsFormat = true
    if let id = try fields.plainText("sessionId"), fields["type"] == nil { return session.note(id) }
    if let all = fields.object("$set"), all["messages"] != nil {
      return try all.forEach("messages") { value throws(JSONError) in
        try session.take(try JSONFields.reading(value), value, into: &sink)
      }
    }
    guard fields["type"] != nil, fields["id"] != nil else { return }
    try session.take(fields, line, into: &sink)
  }
}

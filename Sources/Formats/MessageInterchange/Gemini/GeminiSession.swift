internal import MessageModel

struct GeminiSession {
  private let reader: AssistantReader
  private var times: LooseTime
  private var id: String
  private var title: String?
  private var outline: GeminiOutline?
  private var folder: String?
  private let parent: String?
  private var branchTitles: [String: String] = [:]
  private var usage = GeminiUsage()
  private var known = LastAssistantConversation()
  private var unsaid: Said?
  let hasLines: Bool

  private struct Said {
    var id: String
    var parts: [AssistantPart]
    var time: Timestamp
    var speaker: AssistantReader.Speaker
    var talk: AssistantConversation
    var original: [UInt8]?
  }

  private static let peekByteCount = 1 << 18

  init(file: InputFile, options: ImportOptions) {
    reader = AssistantReader("gemini-cli", assistant: "Gemini", options)
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
        let part = try? Self.text(fields), !Self.isContext(part)
      else { continue }
      title = AssistantConversation.title(part.text)
    }
  }

  mutating func note(_ id: String) { self.id = id }

  mutating func take(_ fields: JSONFields, _ original: Bytes, into sink: inout RecordSink) throws(JSONError) {
    guard let own = try fields.plainText("id") else { throw JSONError(reason: "it has no id") }
    settle(before: own, into: &sink)
    let time = try times.moment(try fields.plainText("timestamp")).time
    var parts: [AssistantPart] = []
    var speaker = AssistantReader.Speaker.program
    switch try fields.plainText("type") ?? "" {
    case "user":
      parts = [try Self.text(fields)]
      if let shown = fields["displayContent"] { parts[0].text = try Self.text(shown).text }
      if parts[0].isEmpty, fields["content"] == nil { parts = [.unknown(original)] }
      if Self.isContext(parts[0]) { parts[0].kind = .system } else { speaker = .me }
    case "gemini":
      parts = try thoughts(fields)
      parts += try calls(fields)
      parts.append(try Self.text(fields))
      speaker = .assistant(model: try fields.plainText("model"))
    case "info", "warning", "error":
      var part = try Self.text(fields)
      part.kind = .system
      parts = fields["content"] == nil ? [.unknown(original)] : [part]
    default: parts = [.unknown(original)]
    }
    parts = parts.said
    if title == nil {
      title = parts.first { $0.kind == .text }.flatMap { AssistantConversation.title($0.text) }
    }
    let trunk = trunk()
    var talk = trunk
    if let start = outline?.leftBehind[own] {
      talk = AssistantConversation(
        "left behind", of: trunk, id: start, title: branchTitles[start] ?? parts.first?.text)
      branchTitles[start] = branchTitles[start] ?? parts.first?.text
    }
    if case .me = speaker {
      close(into: &sink)
      usage.begin("\(id)/\(own)", talk)
    }
    usage.note(fields.object("tokens"), of: own, at: time)
    let said = Said(
      id: own, parts: parts, time: time, speaker: speaker, talk: talk,
      original: reader.options.keepsOriginal ? Array(original) : nil)
    if hasLines, parts.allSatisfy(\.isEmpty) { unsaid = said } else { give(said, into: &sink) }
  }

  private mutating func give(_ said: Said, into sink: inout RecordSink) {
    let home = outline == nil ? nil : trunk()
    (said.original ?? []).withUnsafeBytes { original in
      reader.append(
        said.parts, at: said.time, by: said.speaker, id: "\(id)/\(said.id)", original: original,
        in: said.talk,
        copiedWithin: home, into: &sink)
    }
  }

  /// Gives a message without content, unless the next line, of the message `next`, completes it.
  private mutating func settle(before next: String?, into sink: inout RecordSink) {
    guard let said = unsaid else { return }
    unsaid = nil
    if said.id != next { give(said, into: &sink) }
  }

  mutating func close(into sink: inout RecordSink) {
    settle(before: nil, into: &sink)
    guard let (part, time, key, talk) = usage.end() else { return }
    reader.append(
      [part], at: time, id: "\(key)/usage", in: talk, copiedWithin: outline == nil ? nil : trunk(),
      into: &sink)
  }

  private mutating func trunk() -> AssistantConversation {
    known.conversation(reader.platform, id: id, folder: folder, title: title, agentOf: parent?.prefix(8))
  }

  /// Whether it is what the program told the model under the user's name before anything was asked.
  private static func isContext(_ part: AssistantPart) -> Bool { part.text.hasPrefix("<session_context>") }

  private func thoughts(_ fields: JSONFields) throws(JSONError) -> [AssistantPart] {
    var parts: [AssistantPart] = []
    try fields.forEach("thoughts") { value throws(JSONError) in
      let thought = JSONFields(value)
      let lines = [try thought?.plainText("subject"), try thought?.plainText("description")].compactMap { $0 }
      parts.append(
        lines.isEmpty
          ? .unknown(value) : AssistantPart(kind: .thinking, text: lines.joined(separator: "\n")))
    }
    return parts
  }

  private func calls(_ fields: JSONFields) throws(JSONError) -> [AssistantPart] {
    var parts: [AssistantPart] = []
    try fields.forEach("toolCalls") { value throws(JSONError) in
      guard let call = JSONFields(value) else { return parts.append(.unknown(value)) }
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

  /// The text and the files of one piece, or of a list of them.
  static func text(_ content: Bytes) throws(JSONError) -> AssistantPart {
    var part = AssistantPart(kind: .text)
    var texts: [String] = []
    var scanner = JSONScanner(content)
    if try scanner.kind() == .array {
      try scanner.array { scanner throws(JSONError) in try take(try scanner.value(), &texts, &part) }
    } else {
      try take(content, &texts, &part)
    }
    part.text = texts.joined(separator: "\n")
    return part
  }

  private static func take(
    _ value: Bytes, _ texts: inout [String], _ part: inout AssistantPart
  ) throws(JSONError) {
    let piece = JSONFields(value) ?? JSONFields()
    let text = try piece.plainText("text")
    if let text { texts.append(text) }
    if let file = piece.object("fileData"), let address = try file.plainText("fileUri") {
      let name = address.split(separator: "/").last.map(String.init) ?? address
      part.attachments.append(
        Message.Attachment(name: name, mediaType: try file.plainText("mimeType"), path: address))
    } else if let data = piece.object("inlineData"), let bytes = data["data"] {
      let type = try data.plainText("mimeType")
      let ending = type?.split(separator: "/").last.map { "." + $0.prefix(8) } ?? ""
      part.attach("file-\(part.attachments.count + 1)\(ending)", type: type, TransferEncoding.base64(bytes))
    } else if text == nil {
      texts.append(try AssistantText.plain(value))
    }
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
    if fields["$set"] != nil || fields["$rewindTo"] != nil { return }
    try session.take(fields, line, into: &sink)
  }
}

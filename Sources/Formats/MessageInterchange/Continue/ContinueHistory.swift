internal import MessageModel

/// Continue's sessions, `~/.continue/sessions/*.json`. Their items have neither ids nor times: `sessions.json`
/// beside them says when each session was made.
struct ContinueHistory: JSONHistory {
  private let reader: AssistantReader
  private let id: String
  private var title: String?
  private var asked: String?
  private var folder: String?
  private var model: String?
  private var facts = SessionFacts()
  private var start: (time: Timestamp, precision: TimePrecision)?
  private var talk: AssistantConversation?
  private var names = ToolNames()
  /// The calls whose results their answer has.
  private var finished: Set<String> = []
  private var count = 0

  private static let list = "sessions.json"

  init(file: InputFile, options: ImportOptions) {
    reader = AssistantReader("continue", assistant: "Continue", options)
    let name = PathNames.withoutArchiveExtensions(file.name)
    id = name.hasSuffix(".json") ? String(name.dropLast(".json".count)) : name
    var times = LooseTime(options)
    start = Self.date(of: id, in: file).flatMap { times.read($0) }
    guard let preview = file.preview() else { return }
    var stream = JSONStream(preview)
    while let next = try? stream.nextValue({ $0.isEmpty || $0 == ["history"] }),
      case .value(let value, _) = next
    {
      if UTF8Check.isValid(value) { try? note(value, at: stream.path) }
    }
  }

  static func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    sample.name == list && sample.hasKey("dateCreated", inFirst: FormatSample.usualByteCount)
      && sample.hasKey("sessionId", inFirst: FormatSample.usualByteCount)
  }

  private static func date(of id: String, in file: InputFile) -> String? {
    guard let bytes = file.facts(in: list) else { return nil }
    var stream = JSONStream(ByteSource(MemoryProducer(bytes)))
    while let next = try? stream.nextValue({ $0.isEmpty }), case .value(let value, _) = next {
      guard let session = JSONFields(value), (try? session.plainText("sessionId")) == id else { continue }
      return (try? session.plainText("dateCreated")) ?? nil
    }
    return nil
  }

  private mutating func note(_ value: Bytes, at path: [String]) throws(JSONError) {
    switch path {
    case ["title"]: title = try AssistantText.plain(value)
    case ["workspaceDirectory"]: folder = try AssistantText.plain(value)
    case ["chatModelTitle"]: if value.first == UInt8(ascii: "\"") { model = try AssistantText.plain(value) }
    case ["usage"]:
      let usage = JSONFields(value)
      facts.tokensIn = max(usage?.integer("promptTokens") ?? 0, 0)
      facts.tokensOut = max(usage?.integer("completionTokens") ?? 0, 0)
      facts.dollars = max(usage?.real("totalCost") ?? 0, 0)
    case ["history", "*"]:
      guard asked == nil, let message = JSONFields(value)?.object("message"),
        try message.plainText("role") == "user"
      else { return }
      asked = try Self.content(of: message, .text).text
    default: break
    }
  }

  func descends(into path: [String]) -> Bool { path.isEmpty || path == ["history"] }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    guard path == ["history", "*"] else { return }
    defer { count += 1 }
    let item = try JSONFields.reading(value)
    let (parts, speaker) = try said(item, value)
    guard let start else {
      throw JSONError(reason: "it has no time, and \(Self.list) beside its file does not have the session's")
    }
    let talk = self.talk ?? begin(at: start, into: &sink)
    self.talk = talk
    reader.append(
      parts, at: start.time, precision: start.precision, by: speaker, id: "\(id)/\(count)", original: value,
      in: talk, into: &sink)
  }

  private func begin(
    at start: (time: Timestamp, precision: TimePrecision), into sink: inout RecordSink
  ) -> AssistantConversation {
    let isNamed = title.map { !$0.isEmpty && $0 != "New Session" && $0 != "Untitled Session" } ?? false
    let folder = folder.flatMap { $0.isEmpty ? nil : $0 }
    let talk = AssistantConversation(reader.platform, id: id, folder: folder, title: isNamed ? title : asked)
    if !facts.part.isEmpty {
      reader.append(
        [facts.part], at: start.time, precision: start.precision, id: "\(id)/facts", in: talk, into: &sink)
    }
    return talk
  }

  private typealias Said = (parts: [AssistantPart], speaker: AssistantReader.Speaker)

  private mutating func said(_ item: JSONFields, _ value: Bytes) throws(JSONError) -> Said {
    guard let message = item.object("message") else { return ([.unknown(value)], .program) }
    var parts: [AssistantPart] = []
    var speaker = AssistantReader.Speaker.program
    switch try message.plainText("role") ?? "" {
    case "user":
      parts = [try Self.content(of: message, .text)]
      parts[0].attachments += try item.map("contextItems") { file throws(JSONError) in try Self.file(file) }
      speaker = .me
    case "assistant":
      let thought = try item.object("reasoning")?.plainText("text") ?? ""
      parts = thought.isEmpty ? [] : [AssistantPart(kind: .thinking, text: thought)]
      parts.append(try Self.content(of: message, .text))
      parts += try calls(item, message)
      let own = try item.map("promptLogs") { log throws(JSONError) in try log.plainText("modelTitle") }
      speaker = .assistant(model: own.last ?? model)
    case "thinking":
      // A redacted thought is one that only its maker can read.
      if message["redactedThinking"] == nil { parts = [try Self.content(of: message, .thinking)] }
      speaker = .assistant(model: model)
    case "tool":
      let call = try message.plainText("toolCallId")
      guard call.map({ !finished.contains($0) }) ?? true else { return ([], .program) }
      var result = try Self.content(of: message, .result)
      result.tool = names.name(of: call)
      parts = [result.ended()]
    case "system": parts = [try Self.content(of: message, .system)]
    default: parts = [.unknown(value)]
    }
    parts = parts.said
    if let summary = try item.plainText("conversationSummary"), !summary.isEmpty {
      parts.append(.note("context compacted\n\(summary)"))
    }
    return (parts, speaker)
  }

  private static func content(of message: JSONFields, _ kind: Message.Kind) throws(JSONError) -> AssistantPart
  {
    var part = AssistantPart(kind: kind)
    guard let content = message["content"] else { return part }
    guard content.first == UInt8(ascii: "[") else {
      part.text = try AssistantText.plain(content)
      return part
    }
    try message.forEach("content") { value throws(JSONError) in
      let block = JSONFields(value)
      if let address = try block?.object("imageUrl")?.plainText("url") {
        return part.attach(addressed: address)
      }
      let text = try block?.plainText("text") ?? value.string
      part.text += (part.text.isEmpty ? "" : "\n") + text
    }
    return part
  }

  private static func file(_ item: JSONFields) throws(JSONError) -> Message.Attachment? {
    guard let uri = item.object("uri"), let path = try uri.plainText("value") else { return nil }
    return Message.Attachment(name: try item.plainText("name") ?? path, path: path)
  }

  private mutating func calls(_ item: JSONFields, _ message: JSONFields) throws(JSONError) -> [AssistantPart]
  {
    var parts: [AssistantPart] = []
    try item.forEach("toolCallStates") { value throws(JSONError) in
      let state = try JSONFields.reading(value)
      let name = try call(state.object("toolCall") ?? state, into: &parts)
      guard let result = try Self.result(of: state, name) else { return }
      parts.append(result)
      if let id = try state.plainText("toolCallId") { finished.insert(id) }
    }
    guard parts.isEmpty else { return parts }
    try message.forEach("toolCalls") { value throws(JSONError) in
      _ = try call(try JSONFields.reading(value), into: &parts)
    }
    return parts
  }

  private mutating func call(_ call: JSONFields, into parts: inout [AssistantPart]) throws(JSONError)
    -> String
  {
    let function = call.object("function") ?? call
    let name = try function.plainText("name") ?? "tool"
    names.note(try call.plainText("id"), name)
    parts.append(AssistantPart(kind: .tool, text: try AssistantText.call(name, function["arguments"])))
    return name
  }

  private static func result(of state: JSONFields, _ tool: String) throws(JSONError) -> AssistantPart? {
    let status = try state.plainText("status")
    let texts = try state.map("output") { item throws(JSONError) in try item.plainText("content") }
    var part = AssistantPart(kind: .result, text: texts.joined(separator: "\n"))
    part.tool = tool
    switch status {
    case "errored": part.text = "failed: \(part.text)"
    case "canceled": part.text = part.text.isEmpty ? "cancelled" : "cancelled: \(part.text)"
    case "done": break
    default: if part.text.isEmpty { return nil }
    }
    return part.ended()
  }
}

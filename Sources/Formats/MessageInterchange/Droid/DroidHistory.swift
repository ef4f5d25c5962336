internal import MessageModel

/// Droid's sessions, `~/.factory/sessions/*/*.jsonl`: a line per event. A file of settings beside each has the
/// model and the sums of tokens.
struct DroidHistory: JSONSessionRows {
  private let reader: AssistantReader
  private let outline: EntryOutline
  private let name: String
  private let model: String?
  private let facts: AssistantPart
  private var times: LooseTime
  private var tools = ToolNames()
  private var head: (id: String, folder: String?)?
  private var talk: AssistantConversation?
  private(set) var hasSeenItsFormat = false

  private static let ending = ".jsonl"

  init(file: InputFile, options: ImportOptions) {
    reader = AssistantReader("droid", assistant: "Droid", options)
    times = LooseTime(options)
    outline = EntryOutline(of: file, Self.entry)
    let plain = PathNames.withoutArchiveExtensions(file.name)
    name = plain.hasSuffix(Self.ending) ? String(plain.dropLast(Self.ending.count)) : plain
    let settings = file.facts(in: "\(name).settings.json") ?? []
    (model, facts) = settings.withUnsafeBytes { Self.settings(JSONFields($0) ?? JSONFields()) }
  }

  static func isHead(_ record: JSONFields) -> Bool {
    guard (try? record.plainText("type")) == "session_start" else { return false }
    return record.object("session")?["id"] != nil
      || record["id"] != nil && (record["cwd"] != nil || record["title"] != nil)
  }

  static func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    let ending = ".settings.json"
    guard sample.name.hasSuffix(ending) else { return false }
    return companions.hasBeside(sample.name.dropLast(ending.count) + Self.ending, in: sample.folder)
  }

  private static func settings(_ fields: JSONFields) -> (model: String?, facts: AssistantPart) {
    var facts = SessionFacts()
    let usage = fields.object("tokenUsage")
    for key in ["inputTokens", "cacheReadTokens", "cacheCreationTokens"] {
      facts.tokensIn = facts.tokensIn.adding(max(usage?.integer(key) ?? 0, 0))
    }
    facts.tokensOut = max(usage?.integer("outputTokens") ?? 0, 0)
    return ((try? fields.plainText("model")) ?? nil, facts.part)
  }

  private static func entry(_ fields: JSONFields) throws(JSONError) -> EntryOutline.Entry {
    var entry = EntryOutline.Entry()
    if isHead(fields) {
      let named = try fields.firstText(["sessionTitle", "title"])
      let inner = try fields.object("session")?.plainText("title")
      entry.title = (named ?? inner).flatMap { $0.isEmpty || $0.hasPrefix("<") ? nil : $0 }
      return entry
    }
    guard try fields.plainText("type") == "message", let message = fields.object("message") else {
      return entry
    }
    if try message.plainText("role") == "user" {
      var tools = ToolNames()
      entry.question = try parts(of: message, &tools).first { $0.kind == .text && !$0.text.isEmpty }?.text
    }
    return entry
  }

  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    hasSeenItsFormat = true
    if Self.isHead(fields) {
      let inner = fields.object("session") ?? fields
      let keys = ["cwd", "workspace_root"]
      let (folder, innerFolder) = (try fields.firstText(keys), try inner.firstText(keys))
      let id = try inner.plainText("id") ?? name
      if head == nil { head = (id, folder ?? innerFolder) }
      return
    }
    let (parts, speaker) = try said(fields, line)
    guard !parts.isEmpty else { return }
    let time = try times.moment(try fields.plainText("timestamp")).time
    let id = head?.id ?? name
    let trunk = talk ?? begin(id, at: time, into: &sink)
    talk = trunk
    let own = try fields.plainText("id")
    reader.append(
      parts, at: time, by: speaker, id: "\(id)/\(own ?? "\(time.millisecondsSince1970)-\(number)")",
      original: line, in: trunk, into: &sink)
  }

  private func begin(
    _ id: String, at time: Timestamp, into sink: inout RecordSink
  ) -> AssistantConversation {
    let folder = head?.folder
    let talk = AssistantConversation(reader.platform, id: id, folder: folder, title: outline.title)
    let words = [folder.map { "session in \($0)" } ?? "session", model.map { "model \($0)" }]
    let start = AssistantPart.note(words.compactMap(\.self).joined(separator: ", "))
    for (part, name) in [(start, "start"), (facts, "facts")] where !part.isEmpty {
      reader.append([part], at: time, id: "\(id)/\(name)", in: talk, into: &sink)
    }
    return talk
  }

  private typealias Said = (parts: [AssistantPart], speaker: AssistantReader.Speaker)

  private mutating func said(_ fields: JSONFields, _ line: Bytes) throws(JSONError) -> Said {
    switch try fields.plainText("type") ?? "" {
    case "message":
      guard let message = fields.object("message"), message["content"] != nil else {
        return ([.unknown(line)], .program)
      }
      let parts = try Self.parts(of: message, &tools)
      if try message.plainText("role") == "user" { return (parts, .me) }
      return (parts, .assistant(model: try message.plainText("model") ?? model))
    case "compaction_state":
      let summary = fields.object("summary")
      let (body, text) = (try summary?.plainText("body"), try fields.plainText("summaryText"))
      let lines = ["context compacted", body ?? text].compactMap(\.self)
      return ([.note(lines.joined(separator: "\n"))], .program)
    // What calls of a tool repeat, and the end.
    case "todo_state", "session_end": return ([], .program)
    default: return ([.unknown(line)], .program)
    }
  }

  private static func parts(
    of message: JSONFields, _ tools: inout ToolNames
  ) throws(JSONError) -> [AssistantPart] {
    guard let content = message["content"] else { return [] }
    guard content.first == UInt8(ascii: "[") else { return try AnthropicContent(content, &tools).parts }
    var blocks = AnthropicContent()
    var thoughts: [AssistantPart] = []
    try message.forEach("content") { value throws(JSONError) in
      guard let block = JSONFields(value) else {
        return thoughts.append(AssistantPart(kind: .text, text: try AssistantText.plain(value)))
      }
      let type = try block.plainText("type") ?? ""
      if ["thinking", "reasoning", "thought"].contains(type), let text = try block.plainText("text") {
        return thoughts.append(AssistantPart(kind: .thinking, text: text))
      }
      try blocks.take(value, &tools)
    }
    var parts = thoughts + blocks.parts
    // What the program tells the model.
    for place in parts.indices where parts[place].kind == .text && parts[place].text.hasPrefix("<system-") {
      parts[place].becomeNote()
    }
    return parts.isEmpty ? [AssistantPart(kind: .text)] : parts.said
  }
}

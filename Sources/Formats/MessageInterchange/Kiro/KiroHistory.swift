internal import MessageModel

/// Conversations of Kiro's command line and of Amazon Q's before it, `data.sqlite3` in their folder: a row for
/// each, with its whole history as JSON.
struct KiroHistory: KeyedHistory {
  private let reader: AssistantReader
  private var times: LooseTime
  private var tools = ToolNames()
  var messages: KeyedRows

  static let longest = 64 << 20

  private typealias Moment = (time: Timestamp, precision: TimePrecision)

  init(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError) {
    // Rows of the table of earlier versions follow.
    var tables: [String] = []
    if try file.columns(of: "conversations_v2").isSuperset(of: ["key", "value", "created_at"]) {
      tables.append("SELECT rowid AS number, key, value, created_at FROM conversations_v2")
    }
    if try file.columns(of: "conversations").isSuperset(of: ["key", "value"]) {
      tables.append("SELECT rowid + 4294967296 AS number, key, value, NULL AS created_at FROM conversations")
    }
    guard !tables.isEmpty else { throw .lackingTables(of: "Kiro") }
    reader = AssistantReader("kiro", assistant: "Kiro", options)
    times = LooseTime(options)
    file.limitValues(to: Int32(Self.longest))
    try file.freeze()
    messages = try KeyedRows(
      file, ["key", "value", "created_at"], from: "(\(tables.joined(separator: " UNION ALL ")))", by: "number"
    )
  }

  mutating func take(_ row: SQLiteRows, into sink: inout RecordSink) throws(InterchangeError) {
    let folder = row.text(1) ?? ""
    let (state, start) = (Array(row.bytes(2)), row.text(3))
    do throws(JSONError) {
      guard state.withUnsafeBytes(UTF8Check.isValid) else { throw JSONError(reason: "it is not UTF-8") }
      try state.withRawBytes { bytes throws(JSONError) in
        try take(
          try JSONFields.reading(bytes), in: folder, from: start.flatMap { times.read($0) }, into: &sink)
      }
    } catch {
      sink.skip(reason: "the conversation in '\(folder.prefix(80))': \(error.reason)")
    }
  }

  private mutating func take(
    _ state: JSONFields, in folder: String, from start: Moment?, into sink: inout RecordSink
  ) throws(JSONError) {
    guard let id = try state.plainText("conversation_id") else { throw JSONError(reason: "it has no id") }
    let turns = try Self.turns(of: state)
    var title: String?
    for turn in turns where title == nil { title = try Self.prompt(turn.user) }
    let talk = AssistantConversation(reader.platform, id: id, folder: folder, title: title)
    let (named, former) = (
      try state.object("model_info")?.plainText("model_id"), try state.plainText("model")
    )
    let model = named ?? former
    var last = start
    for (number, turn) in turns.enumerated() {
      let metadata = turn.metadata
      let (asked, sent) = (
        try turn.user.plainText("timestamp"), try metadata?.plainText("request_start_timestamp_ms")
      )
      last = (asked ?? sent).flatMap { times.read($0) } ?? last
      guard let began = last else { throw JSONError(reason: "it has no time") }
      let (parts, own) = try replied(turn.assistant)
      let key = "\(id)/\(own ?? "#\(number)")"
      reader.append(
        try said(turn.user), at: began.time, precision: began.precision, by: .me, id: "\(key)/asked",
        in: talk,
        into: &sink)
      last = try metadata?.plainText("stream_end_timestamp_ms").flatMap { times.read($0) } ?? last
      let ended = last ?? began
      reader.append(
        parts, at: ended.time, precision: ended.precision,
        by: .assistant(model: try metadata?.plainText("model_id") ?? model), id: key, in: talk, into: &sink)
    }
  }

  private struct Turn {
    var user = JSONFields()
    var assistant = JSONFields()
    var metadata: JSONFields?
  }

  /// Earlier versions wrote a pair.
  private static func turns(of state: JSONFields) throws(JSONError) -> [Turn] {
    var turns: [Turn] = []
    try state.forEach("history") { value throws(JSONError) in
      var turn = Turn()
      if let fields = JSONFields(value) {
        turn.user = fields.object("user") ?? turn.user
        turn.assistant = fields.object("assistant") ?? turn.assistant
        turn.metadata = fields.object("request_metadata")
      } else {
        var pair: [Bytes] = []
        var scanner = JSONScanner(value)
        try scanner.array { scanner throws(JSONError) in pair.append(try scanner.value()) }
        turn.user = JSONFields(pair.first) ?? turn.user
        turn.assistant = JSONFields(pair.count > 1 ? pair[1] : nil) ?? turn.assistant
      }
      turns.append(turn)
    }
    return turns
  }

  private static func prompt(_ user: JSONFields) throws(JSONError) -> String? {
    let content = user.object("content")
    let (asked, other) = (
      try content?.object("Prompt")?.plainText("prompt"),
      try content?.object("CancelledToolUses")?.plainText("prompt")
    )
    return (asked ?? other).flatMap { $0.isEmpty ? nil : $0 }
  }

  private func said(_ user: JSONFields) throws(JSONError) -> [AssistantPart] {
    var parts: [AssistantPart] = []
    let content = user.object("content") ?? JSONFields()
    for kind in ["ToolUseResults", "CancelledToolUses"] {
      try content.object(kind)?.forEach("tool_use_results") { value throws(JSONError) in
        let result = try JSONFields.reading(value)
        var part = AssistantPart(kind: .result)
        part.tool = tools.name(of: try result.plainText("tool_use_id"))
        let texts = try result.map("content") { block throws(JSONError) in
          try block.plainText("Text") ?? block["Json"].map { Self.text(of: $0) }
        }
        part.text = texts.joined(separator: "\n")
        if try result.plainText("status") == "Error" { part.text = "failed: \(part.text)" }
        parts.append(part.ended())
      }
    }
    if let prompt = try Self.prompt(user) { parts.append(AssistantPart(kind: .text, text: prompt)) }
    return parts.isEmpty ? [AssistantPart(kind: .text)] : parts
  }

  /// Of a command's output as JSON what it wrote, of anything else the JSON.
  private static func text(of json: Bytes) -> String {
    let output = JSONFields(json)
    let texts = ["stdout", "stderr", "content"].compactMap { key in (try? output?.plainText(key)) ?? nil }
    let text = texts.filter { !$0.isEmpty }.joined(separator: "\n")
    return text.isEmpty ? json.string : text
  }

  private mutating func replied(
    _ assistant: JSONFields
  ) throws(JSONError) -> (parts: [AssistantPart], id: String?) {
    guard let reply = assistant.object("ToolUse") ?? assistant.object("Response") else {
      return (assistant.keys.isEmpty ? [] : [AssistantPart(kind: .text)], nil)
    }
    var parts: [AssistantPart] = []
    let thinking = reply.object("thinking")
    let thought = try (thinking?.object("reasoning_text") ?? thinking)?.plainText("text")
    if let thought, !thought.isEmpty { parts.append(AssistantPart(kind: .thinking, text: thought)) }
    parts.append(AssistantPart(kind: .text, text: try reply.plainText("content") ?? ""))
    try reply.forEach("tool_uses") { value throws(JSONError) in
      let call = try JSONFields.reading(value)
      let name = try call.plainText("name") ?? "tool"
      tools.note(try call.plainText("id"), name)
      parts.append(AssistantPart(kind: .tool, text: try AssistantText.call(name, call["args"])))
    }
    return (parts.said, try reply.plainText("message_id"))
  }
}

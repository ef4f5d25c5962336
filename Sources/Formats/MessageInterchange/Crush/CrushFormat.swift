internal import MessageModel

/// Crush's sessions, `.crush/crush.db` in a project's folder.
struct CrushHistory: SQLiteHistory {
  private let reader: AssistantReader
  private let folder: String?
  private var times: LooseTime
  private var tools = ToolNames()
  private let sessions: SQLiteRows
  private let messages: SQLiteRows
  private let firstQuestion: SQLiteRows
  private var talk: AssistantConversation?
  private var session = ""
  private var facts: (part: AssistantPart, at: (time: Timestamp, precision: TimePrecision))?

  private static let longest = 16 << 20

  init(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError) {
    guard
      try file.columns(of: "sessions").isSuperset(of: [
        "id", "parent_session_id", "title", "prompt_tokens", "completion_tokens", "cost", "created_at",
      ]),
      try file.columns(of: "messages").isSuperset(of: [
        "id", "session_id", "role", "parts", "model", "created_at",
      ])
    else {
      throw .lackingTables(of: "Crush")
    }
    reader = AssistantReader("crush", assistant: "Crush", options)
    times = LooseTime(options)
    // The database is in a hidden folder of the project.
    folder = file.surroundings?.project
    file.limitValues(to: Int32(Self.longest))
    try file.freeze()
    let summarized =
      try file.columns(of: "messages").contains("is_summary_message") ? "is_summary_message" : "0"
    sessions = try file.rows(
      """
      SELECT id, parent_session_id, title, prompt_tokens, completion_tokens, cost, created_at FROM sessions
        ORDER BY created_at, id
      """)
    messages = try file.rows(
      """
      SELECT id, role, parts, model, created_at, \(summarized) FROM messages WHERE session_id = ?1
        ORDER BY created_at, rowid
      """)
    firstQuestion = try file.rows(
      "SELECT parts FROM messages WHERE session_id = ?1 AND role = 'user' ORDER BY created_at, rowid LIMIT 1")
  }

  mutating func next(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    guard let talk else { return try nextSession() }
    switch try messages.step() {
    case .end: self.talk = nil
    case .overlong:
      // The query returns no rows after it.
      sink.skip(
        reason:
          "a message of '\(talk.title.prefix(60))' is longer than \(Self.longest >> 20) MB; those behind it are left out"
      )
      self.talk = nil
    case .row:
      giveFacts(in: talk, into: &sink)
      take(in: talk, into: &sink)
    }
    return true
  }

  private mutating func nextSession() throws(InterchangeError) -> Bool {
    guard try sessions.next() else { return false }
    session = sessions.text(0) ?? ""
    var title = sessions.text(2).flatMap { $0.isEmpty ? nil : $0 }
    if title == nil || title == "New Session" { title = try question() ?? title }
    // An agent's session has the ids of the message and call that started it.
    let talk = AssistantConversation(
      reader.platform, id: session, folder: folder, title: title, agentOf: sessions.text(1)?.prefix(8))
    self.talk = talk
    messages.restart(with: session)
    var facts = SessionFacts()
    (facts.tokensIn, facts.tokensOut) = (max(sessions.integer(3), 0), max(sessions.integer(4), 0))
    facts.dollars = max(sessions.real(5), 0)
    let part = facts.part
    self.facts = part.isEmpty ? nil : times.read("\(sessions.integer(6))").map { (part, $0) }
    return true
  }

  private mutating func giveFacts(in talk: AssistantConversation, into sink: inout RecordSink) {
    guard let facts else { return }
    reader.append(
      [facts.part], at: facts.at.time, precision: facts.at.precision, id: "\(session)/facts", in: talk,
      into: &sink)
    self.facts = nil
  }

  private func question() throws(InterchangeError) -> String? {
    firstQuestion.restart(with: session)
    guard case .row = try firstQuestion.step() else { return nil }
    var tools = ToolNames()
    let parts = firstQuestion.bytes(0)
    guard UTF8Check.isValid(parts) else { return nil }
    return (try? Self.parts(parts, isSummary: false, &tools))?.first { $0.kind == .text }?.text
  }

  private mutating func take(in talk: AssistantConversation, into sink: inout RecordSink) {
    let id = messages.text(0) ?? ""
    let bytes = messages.bytes(2)
    do throws(JSONError) {
      guard UTF8Check.isValid(bytes) else { throw JSONError(reason: "it is not UTF-8") }
      let (time, precision) = try times.moment("\(messages.integer(4))")
      var parts = try Self.parts(bytes, isSummary: messages.integer(5) != 0, &tools)
      let role = messages.text(1) ?? ""
      if role == "system" {
        for index in parts.indices where parts[index].kind == .text { parts[index].kind = .system }
      }
      reader.append(
        parts, at: time, precision: precision, by: role == "user" ? .me : .assistant(model: messages.text(3)),
        id: "\(session)/\(id)", original: bytes, in: talk, into: &sink)
    } catch {
      sink.skip(reason: "message \(id.prefix(80)): \(error.reason)", record: bytes)
    }
  }

  private static func parts(
    _ bytes: Bytes, isSummary: Bool, _ tools: inout ToolNames
  ) throws(JSONError) -> [AssistantPart] {
    var parts: [AssistantPart] = []
    var scanner = JSONScanner(bytes)
    var isEmpty = true
    try scanner.array { scanner throws(JSONError) in
      isEmpty = false
      let value = try scanner.value()
      let part = try JSONFields.reading(value)
      let data = part.object("data") ?? JSONFields()
      try read(try part.plainText("type") ?? "", data, value, into: &parts, &tools)
    }
    // After a compaction Crush continues from a summary.
    if isSummary {
      for index in parts.indices where parts[index].kind == .text {
        parts[index].kind = .system
        parts[index].text = "compacted: \(parts[index].text)"
      }
    }
    return isEmpty ? [AssistantPart(kind: .text)] : parts.said
  }

  private static func read(
    _ type: String, _ data: JSONFields, _ value: Bytes, into parts: inout [AssistantPart],
    _ tools: inout ToolNames
  ) throws(JSONError) {
    switch type {
    case "text":
      let text = try data.plainText("text")
      parts.append(text.map { AssistantPart(kind: .text, text: $0) } ?? .unknown(value))
    case "reasoning":
      let thought = try data.plainText("thinking")
      // Without its text it is one that only its maker can read.
      if thought != "" {
        parts.append(thought.map { AssistantPart(kind: .thinking, text: $0) } ?? .unknown(value))
      }
    case "image_url", "binary":
      if parts.last?.kind != .text { parts.append(AssistantPart(kind: .text)) }
      try attach(data, to: &parts[parts.count - 1])
    case "tool_call":
      let name = try data.plainText("name") ?? "tool"
      tools.note(try data.plainText("id"), name)
      parts.append(AssistantPart(kind: .tool, text: try AssistantText.call(name, data["input"])))
    case "tool_result":
      var result = AssistantPart(kind: .result, text: try data.plainText("content") ?? "")
      let name = try data.plainText("name") ?? ""
      result.tool = name.isEmpty ? tools.name(of: try data.plainText("tool_call_id")) : name
      if let picture = data["data"], picture.count > 2 {
        let type = try data.firstText(["mime_type", "mimeType"])
        result.attach("result", type: type, TransferEncoding.base64(picture))
      }
      if data.isTrue("is_error") { result.text = "failed: \(result.text)" }
      parts.append(result.ended())
    case "shell_command":
      parts.append(AssistantPart(kind: .tool, text: "shell\ncommand: \(try data.plainText("command") ?? "")"))
      var result = AssistantPart(kind: .result, text: try data.plainText("output") ?? "")
      result.tool = "shell"
      if let code = data.integer("exit_code"), code != 0 {
        result.text = "failed with \(code): \(result.text)"
      }
      parts.append(result.ended())
    case "finish": try finish(data, into: &parts)
    default: parts.append(.unknown(value))
    }
  }

  private static func finish(_ data: JSONFields, into parts: inout [AssistantPart]) throws(JSONError) {
    let reason = try data.plainText("reason") ?? ""
    guard ["error", "canceled", "max_tokens", "content_filter"].contains(reason) else { return }
    let told = [try data.plainText("message"), try data.plainText("details")].compactMap { $0 }.filter {
      !$0.isEmpty
    }
    let word = reason == "error" ? "failed" : reason.replacing("_", with: " ")
    parts.append(AssistantPart(kind: .system, text: ([word] + told).joined(separator: ": ")))
  }

  private static func attach(_ data: JSONFields, to part: inout AssistantPart) throws(JSONError) {
    if let url = try data.plainText("url") { return part.attach(addressed: url) }
    let path = try data.firstText(["Path", "path"])
    let type = try data.firstText(["MIMEType", "mime_type"])
    let name = path?.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init)
    let shown = name ?? "file-\(part.attachments.count + 1)"
    guard let bytes = data["Data"] ?? data["data"], bytes.count > 2 else {
      part.attachments.append(Message.Attachment(name: shown, mediaType: type, path: path))
      return
    }
    part.attach(shown, type: type, TransferEncoding.base64(bytes))
  }
}

extension FileSurroundings {
  /// `/home/ann/tea` for `/home/ann/tea/.crush/crush.db`; `nil` outside hidden folders.
  var project: String? {
    guard let hidden = folderParts.lastIndex(where: { $0.hasPrefix(".") }), hidden > 0 else { return nil }
    return "/" + folderParts[..<hidden].joined(separator: "/")
  }
}

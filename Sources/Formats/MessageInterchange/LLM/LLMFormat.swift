internal import MessageModel

/// The log of `llm`, `logs.db`; `llm logs path` prints its place.
struct LLMHistory: SQLiteHistory {
  static let platform = "llm"

  private let file: SQLiteFile
  private let reader: AssistantReader
  private var times: LooseTime
  private let rows: SQLiteRows
  private let hasTools: Bool
  private let hasAttachments: Bool
  /// Rows of newer versions; `nil` without any.
  private var threads: LLMThreads?

  init(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError) {
    func has(_ table: String, _ columns: Set<String>) throws(InterchangeError) -> Bool {
      try file.columns(of: table).isSuperset(of: columns)
    }
    let hasResponses = try has(
      "responses", ["id", "model", "prompt", "system", "response", "conversation_id", "datetime_utc"])
    let hasConversations = try has("conversations", ["id", "name"])
    guard hasResponses, hasConversations else {
      throw .lackingTables(
        of: "llm since version 0.8", remedy: "llm logs, with a version of today, brings it to them")
    }
    self.file = file
    reader = AssistantReader(Self.platform, assistant: "llm", options)
    times = LooseTime(options)
    let hasCalls = try has("tool_calls", ["id", "response_id", "name", "arguments"])
    let hasResults = try has("tool_results", ["id", "response_id", "name", "output"])
    hasTools = hasCalls && hasResults
    let hasFiles = try has("attachments", ["id", "type", "path", "url", "content"])
    let hasPlaces = try has("prompt_attachments", ["response_id", "attachment_id", "order"])
    hasAttachments = hasFiles && hasPlaces
    threads = try LLMThreads(file, options)
    rows = try file.rows(
      """
      SELECT r.id, r.model, r.prompt, r.system, r.response, r.conversation_id, r.datetime_utc,
        (SELECT name FROM conversations AS c WHERE c.id = r.conversation_id)
        FROM responses AS r ORDER BY r.datetime_utc, r.id
      """)
  }

  mutating func next(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    guard try rows.next() else { return try threads?.next(into: &sink) ?? false }
    let id = rows.text(0) ?? ""
    // Times are UTC without saying so.
    guard let time = times.read((rows.text(6) ?? "") + "Z")?.time else {
      sink.skip(reason: "response \(id) has no time")
      return true
    }
    let model = rows.text(1)
    let talk = AssistantConversation(
      Self.platform, id: rows.text(5) ?? id, title: rows.text(7) ?? rows.text(2) ?? "")
    func give(_ parts: [AssistantPart], _ name: String, by speaker: AssistantReader.Speaker = .program) {
      reader.append(parts, at: time, by: speaker, id: "\(id)/\(name)", in: talk, into: &sink)
    }
    let system = AssistantPart(kind: .system, text: rows.text(3) ?? "")
    if !system.isEmpty { give([system], "system") }
    var prompt = AssistantPart(kind: .text, text: rows.text(2) ?? "")
    try attach(to: &prompt, of: id)
    give(try results(of: id), "results")
    if !prompt.isEmpty { give([prompt], "prompt", by: .me) }
    let (response, calls) = (AssistantPart(kind: .text, text: rows.text(4) ?? ""), try calls(of: id))
    // A step that only calls tools has no text.
    if calls.isEmpty || !response.isEmpty { give([response], "response", by: .named(model, model: model)) }
    give(calls, "calls", by: .named(model, model: model))
    return true
  }

  private func calls(of id: String) throws(InterchangeError) -> [AssistantPart] {
    try tools("arguments FROM tool_calls", of: id) { name, arguments in
      let text = arguments.utf8.withContiguousStorageIfAvailable { bytes in
        try? AssistantText.call(name, Bytes(bytes))
      }
      return AssistantPart(kind: .tool, text: (text ?? nil) ?? "\(name)\n\(arguments)")
    }
  }

  private func results(of id: String) throws(InterchangeError) -> [AssistantPart] {
    try tools("output FROM tool_results", of: id) { name, output in
      var part = AssistantPart(kind: .result, text: output)
      part.tool = name
      return part
    }
  }

  private func tools(
    _ column: String, of id: String, _ part: (String, String) -> AssistantPart
  ) throws(InterchangeError) -> [AssistantPart] {
    guard hasTools else { return [] }
    let rows = try file.rows(
      "SELECT name, \(column) WHERE response_id = \(SQLiteFile.literal(id)) ORDER BY id")
    var parts: [AssistantPart] = []
    while try rows.next() { parts.append(part(rows.text(0) ?? "tool", rows.text(1) ?? "")) }
    return parts
  }

  private func attach(to part: inout AssistantPart, of id: String) throws(InterchangeError) {
    guard hasAttachments else { return }
    let rows = try file.rows(
      """
      SELECT a.type, a.path, a.url, a.content FROM prompt_attachments AS p JOIN attachments AS a ON a.id = p.attachment_id
        WHERE p.response_id = \(SQLiteFile.literal(id)) ORDER BY p."order"
      """)
    while try rows.next() { Self.attach(rows, to: &part) }
  }

  static func attach(_ row: SQLiteRows, to part: inout AssistantPart) {
    let type = row.text(0)
    let place = row.text(1) ?? row.text(2)
    let name = place?.split(separator: "/").last.map(String.init) ?? "file-\(part.attachments.count + 1)"
    let content = row.bytes(3)
    if content.isEmpty {
      part.attachments.append(Message.Attachment(name: name, mediaType: type, path: place))
    } else {
      part.attach(name, type: type, Array(content))
    }
  }
}

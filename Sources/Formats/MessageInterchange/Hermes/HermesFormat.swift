internal import MessageModel

/// Hermes Agent's sessions, `~/.hermes/state.db`.
/// In the order of writing: rows never change their number, so rows after the newest one are new.
struct HermesHistory: SQLiteHistory {
  private let reader: AssistantReader
  private var times: LooseTime
  private var tools = ToolNames()
  private var rows: KeyedRows
  private let sessions: RowText
  private var talks: [String: AssistantConversation] = [:]
  private(set) var newestRow: Int64?

  private static let longest = 16 << 20
  private static let mostTalks = 16_384

  private struct RowText {
    let rows: SQLiteRows
    let firstQuestion: SQLiteRows
  }

  init(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError) {
    let (own, held) = (try file.columns(of: "messages"), try file.columns(of: "sessions"))
    guard own.isSuperset(of: ["id", "session_id", "role", "content", "tool_calls", "timestamp"]),
      held.isSuperset(of: ["id", "model", "started_at", "parent_session_id"])
    else {
      throw .lackingTables(of: "Hermes Agent")
    }
    reader = AssistantReader("hermes", assistant: "Hermes", options)
    times = LooseTime(options)
    file.limitValues(to: Int32(Self.longest))
    try file.freeze()
    func column(_ name: String, of columns: Set<String>) -> String { columns.contains(name) ? name : "NULL" }
    let wanted = [
      "session_id", "role", "content", "tool_calls", "timestamp",
      own.contains("reasoning_content")
        ? "COALESCE(\(column("reasoning", of: own)), reasoning_content)" : column("reasoning", of: own),
      column("tool_call_id", of: own), column("tool_name", of: own), column("active", of: own),
      column("_compressed_summary", of: own),
    ]
    let news = options.rowsAfter.map { "(SELECT * FROM messages WHERE id > \($0))" }
    rows = try KeyedRows(file, wanted, from: news ?? "messages", by: "id")
    let names = [
      "title", "cwd", "source", "git_branch", "input_tokens", "output_tokens", "cache_read_tokens",
    ]
    let cost =
      held.isSuperset(of: ["actual_cost_usd", "estimated_cost_usd"])
      ? "COALESCE(actual_cost_usd, estimated_cost_usd)" : "NULL"
    sessions = RowText(
      rows: try file.rows(
        """
        SELECT model, started_at, parent_session_id, \(names.map { column($0, of: held) }.joined(separator: ", ")), \(cost)
          FROM sessions WHERE id = ?1
        """),
      firstQuestion: try file.rows(
        "SELECT content FROM messages WHERE session_id = ?1 AND role = 'user' ORDER BY id LIMIT 1"))
  }

  mutating func next(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    switch try rows.next() {
    case .end: return false
    case .overlong(let number):
      sink.skip(reason: "message \(number) is longer than \(Self.longest >> 20) MB")
    case .row(let row):
      let session = row.text(1) ?? ""
      let talk = try talk(of: session, into: &sink)
      newestRow = row.integer(0)
      do throws(JSONError) { try take(row, session, talk, into: &sink) } catch {
        sink.skip(reason: "message \(row.integer(0)): \(error.reason)")
      }
    }
    return true
  }

  private mutating func take(
    _ row: SQLiteRows, _ session: String, _ talk: AssistantConversation, into sink: inout RecordSink
  ) throws(JSONError) {
    let (time, precision) = try times.moment(row.text(5))
    var parts: [AssistantPart] = []
    var speaker = AssistantReader.Speaker.program
    let text = row.text(3) ?? ""
    switch row.text(2) ?? "" {
    case "user":
      parts = try Self.said(text)
      speaker = .me
    case "assistant":
      let thought = row.text(6) ?? ""
      parts = thought.isEmpty ? [] : [AssistantPart(kind: .thinking, text: thought)]
      parts += try Self.said(text) + calls(row.text(4) ?? "")
      speaker = .assistant()
    case "tool":
      var result = AssistantPart(kind: .result, text: text)
      let known = tools.name(of: row.text(7))
      result.tool = row.text(8) ?? known
      parts = [result.ended()]
    case "system", "developer", "session_meta": parts = [.note(text)]
    case let role: parts = [AssistantPart(kind: .unknown, text: "\(role): \(text)")]
    }
    if row.integer(10) != 0 {
      for index in parts.indices where parts[index].kind == .text { parts[index].becomeNote() }
    }
    // Messages that were rewound or summarised are no longer in the session.
    var place = talk
    if !row.isNull(9), row.integer(9) == 0 {
      place = AssistantConversation("left behind", of: talk, id: "left-behind", title: "earlier")
    }
    reader.append(
      parts.said, at: time, precision: precision, by: speaker, id: "\(session)/\(row.integer(0))", in: place,
      into: &sink)
  }

  private static func said(_ text: String) throws(JSONError) -> [AssistantPart] {
    guard text.utf8.starts(with: "[{".utf8) else { return [AssistantPart(kind: .text, text: text)] }
    return try Array(text.utf8).withRawBytes { bytes throws(JSONError) in
      var scanner = JSONScanner(bytes)
      guard (try? scanner.value())?.count == bytes.count else {
        return [AssistantPart(kind: .text, text: text)]
      }
      return [try KimiContent.said(bytes)]
    }
  }

  private mutating func calls(_ text: String) throws(JSONError) -> [AssistantPart] {
    guard !text.isEmpty else { return [] }
    let tools = self.tools
    let found = try Array(text.utf8).withRawBytes { bytes throws(JSONError) in
      var (tools, parts) = (tools, [AssistantPart]())
      var scanner = JSONScanner(bytes)
      try scanner.array { scanner throws(JSONError) in
        let value = try scanner.value()
        guard let call = JSONFields(value) else { return }
        let function = call.object("function") ?? call
        let name = try function.plainText("name") ?? "tool"
        for key in ["id", "call_id"] { tools.note(try call.plainText(key), name) }
        parts.append(AssistantPart(kind: .tool, text: try AssistantText.call(name, function["arguments"])))
      }
      return (tools, parts)
    }
    self.tools = found.0
    return found.1
  }

  private mutating func talk(
    of id: String, into sink: inout RecordSink
  ) throws(InterchangeError) -> AssistantConversation {
    if let known = talks[id] { return known }
    if talks.count >= Self.mostTalks { talks = [:] }
    let row = sessions.rows
    row.restart(with: id)
    guard try row.next() else {
      let talk = AssistantConversation(reader.platform, id: id, title: nil)
      talks[id] = talk
      return talk
    }
    sessions.firstQuestion.restart(with: id)
    var title = row.text(3)
    if title?.isEmpty != false, case .row = try sessions.firstQuestion.step() {
      title = sessions.firstQuestion.text(0)
    }
    let talk = AssistantConversation(reader.platform, id: id, folder: row.text(4), title: title)
    talks[id] = talk
    guard let start = times.read(row.text(1) ?? "") else { return talk }
    var told = [row.text(4).map { "session in \($0)" } ?? "session"]
    if let branch = row.text(6), !branch.isEmpty { told.append("branch \(branch)") }
    if let model = row.text(0), !model.isEmpty { told.append("model \(model)") }
    if let source = row.text(5), !source.isEmpty { told.append("by \(source)") }
    if let parent = row.text(2) { told.append("goes on from \(parent.prefix(16))") }
    var facts = SessionFacts()
    (facts.tokensIn, facts.tokensOut) = (max(row.integer(7), 0), max(row.integer(8), 0))
    facts.tokensIn = facts.tokensIn.adding(max(row.integer(9), 0))
    facts.dollars = max(row.real(10), 0)
    let parts = [AssistantPart.note(told.joined(separator: ", ")), facts.part]
    for (part, name) in zip(parts, ["start", "facts"]) where !part.isEmpty {
      reader.append(
        [part], at: start.time, precision: start.precision, id: "\(id)/\(name)", in: talk, into: &sink)
    }
    return talk
  }
}

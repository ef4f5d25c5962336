internal import MessageModel

/// Goose's sessions, `~/.local/share/goose/sessions/sessions.db`. When Goose compacts a session it writes all its
/// rows again, so that a message's own id identifies it, or its contents where it has none.
struct GooseHistory: KeyedHistory {
  private let reader: AssistantReader
  private var times: LooseTime
  private var tools = ToolNames()
  private let sessions: SQLiteRows
  private let firstQuestion: SQLiteRows
  private var known: [String: Session] = [:]
  var messages: KeyedRows
  private(set) var newestRow: Int64?

  static let longest = 16 << 20
  private static let mostSessions = 16_384

  private struct Session {
    var talk: AssistantConversation
    var model: String?
  }

  init(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError) {
    let (own, held) = (try file.columns(of: "messages"), try file.columns(of: "sessions"))
    guard own.isSuperset(of: ["id", "session_id", "role", "content_json", "created_timestamp"]),
      held.isSuperset(of: ["id", "description", "working_dir", "created_at"])
    else {
      throw .lackingTables(of: "Goose")
    }
    reader = AssistantReader("goose", assistant: "Goose", options)
    times = LooseTime(options)
    file.limitValues(to: Int32(Self.longest))
    try file.freeze()
    func optional(_ names: [String], of columns: Set<String>) -> [String] {
      names.map { columns.contains($0) ? $0 : "NULL" }
    }
    let news = options.rowsAfter.map { "(SELECT * FROM messages WHERE id > \($0))" }
    messages = try KeyedRows(
      file,
      ["session_id", "role", "content_json", "created_timestamp"]
        + optional(["message_id", "metadata_json"], of: own),
      from: news ?? "messages", by: "id")
    let facts = optional(
      [
        "name", "session_type", "model_config_json", "accumulated_input_tokens", "input_tokens",
        "accumulated_output_tokens", "output_tokens",
      ], of: held)
    sessions = try file.rows(
      """
      SELECT description, working_dir, strftime('%s', created_at), \(facts.joined(separator: ", "))
        FROM sessions WHERE id = ?1
      """)
    firstQuestion = try file.rows(
      "SELECT content_json FROM messages WHERE session_id = ?1 AND role = 'user' ORDER BY id LIMIT 1")
  }

  mutating func take(_ row: SQLiteRows, into sink: inout RecordSink) throws(InterchangeError) {
    let id = row.text(1) ?? ""
    let session = try session(id, into: &sink)
    newestRow = row.integer(0)
    let content = Array(row.bytes(3))
    do throws(JSONError) {
      let (time, precision) = try times.moment(row.text(4))
      var parts = try parts(of: content)
      let own = row.text(5) ?? GooseContent.id(of: parts, at: time)
      if Self.isHidden(row.text(6)) {
        for place in parts.indices where parts[place].kind == .text { parts[place].becomeNote() }
      }
      let isMine = row.text(2) == "user"
      reader.append(
        parts, at: time, precision: precision, by: isMine ? .me : .assistant(model: session.model),
        id: "\(id)/\(own)", in: session.talk, into: &sink)
    } catch {
      sink.skip(reason: "message \(row.integer(0)): \(error.reason)")
    }
  }

  private mutating func parts(of content: [UInt8]) throws(JSONError) -> [AssistantPart] {
    guard content.withUnsafeBytes(UTF8Check.isValid) else { throw JSONError(reason: "it is not UTF-8") }
    var tools = self.tools
    defer { self.tools = tools }
    return try content.withRawBytes { bytes throws(JSONError) in try GooseContent.parts(bytes, &tools) }
  }

  /// Whether only the model sees it: a summary, or what the program told it.
  private static func isHidden(_ metadata: String?) -> Bool {
    guard var metadata else { return false }
    return metadata.withUTF8 { JSONFields(Bytes($0))?["userVisible"]?.has("false") ?? false }
  }

  private mutating func session(_ id: String, into sink: inout RecordSink) throws(InterchangeError) -> Session
  {
    if let session = known[id] { return session }
    if known.count >= Self.mostSessions { known = [:] }
    sessions.restart(with: id)
    guard try sessions.next() else {
      let session = Session(talk: AssistantConversation(reader.platform, id: id, title: nil))
      known[id] = session
      return session
    }
    var title = [sessions.text(3), sessions.text(0)].compactMap(\.self).first { !$0.isEmpty }
    if title == nil { title = try question(of: id) }
    let isAgent = sessions.text(4) == "sub_agent"
    if isAgent { title = "\(title ?? "task") (agent)" }
    let folder = sessions.text(1)
    let model = Self.model(sessions.text(5))
    var talk = AssistantConversation(
      reader.platform, id: id, folder: folder, title: title, isSession: !isAgent)
    talk.isOfAgent = isAgent
    known[id] = Session(talk: talk, model: model)
    giveFacts(of: id, folder, model, in: talk, into: &sink)
    return known[id] ?? Session(talk: talk)
  }

  private mutating func giveFacts(
    of id: String, _ folder: String?, _ model: String?, in talk: AssistantConversation,
    into sink: inout RecordSink
  ) {
    guard let start = times.read(sessions.text(2) ?? "") else { return }
    func sum(_ all: Int32, _ last: Int32) -> Int64 {
      max(sessions.integer(sessions.isNull(all) ? last : all), 0)
    }
    var facts = SessionFacts()
    (facts.tokensIn, facts.tokensOut) = (sum(6, 7), sum(8, 9))
    let words = [folder.map { "session in \($0)" } ?? "session", model.map { "model \($0)" }]
    let note = AssistantPart.note(words.compactMap(\.self).joined(separator: ", "))
    for (part, name) in [(note, "start"), (facts.part, "facts")] where !part.isEmpty {
      reader.append(
        [part], at: start.time, precision: start.precision, id: "\(id)/\(name)", in: talk, into: &sink)
    }
  }

  private func question(of id: String) throws(InterchangeError) -> String? {
    firstQuestion.restart(with: id)
    guard case .row = try firstQuestion.step() else { return nil }
    var tools = ToolNames()
    let bytes = firstQuestion.bytes(0)
    guard UTF8Check.isValid(bytes) else { return nil }
    return (try? GooseContent.parts(bytes, &tools))?.first { $0.kind == .text }?.text
  }

  private static func model(_ settings: String?) -> String? {
    guard var settings else { return nil }
    return settings.withUTF8 { (try? JSONFields(Bytes($0))?.plainText("model_name")) ?? nil }
  }
}

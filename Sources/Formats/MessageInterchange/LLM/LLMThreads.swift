internal import MessageModel

/// Threads of `llm` since version 0.32, which store shared messages once: a message names its predecessor,
/// and a thread's turn its last message. A forked thread is a conversation of its own, with all its messages.
struct LLMThreads {
  private let file: SQLiteFile
  private let reader: AssistantReader
  private var times: LooseTime
  private let turns: SQLiteRows
  private var turn = Turn()

  private struct Turn {
    var thread = ""
    var tip = ""
    var time = Timestamp(millisecondsSince1970: 0)
    var model: String?
    var talk = AssistantConversation(LLMHistory.platform, id: "", title: nil)
    var messages: [(hash: String, role: String)] = []
  }

  private static let longestTurn = 100_000

  init?(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError) {
    let tables: [(String, Set<String>)] = [
      ("threads", ["id", "name"]), ("messages", ["hash", "parent_hash", "role"]),
      ("turns", ["id", "thread_id", "tip_message_hash", "model", "datetime_utc"]),
      ("parts", ["id", "message_hash", "position", "type", "tool_name", "text", "payload"]),
      ("part_attachments", ["part_id", "attachment_id", "order"]),
      ("attachments", ["id", "type", "path", "url", "content"]), ("fragments", ["id", "content"]),
    ]
    for (table, columns) in tables where try !file.columns(of: table).isSuperset(of: columns) { return nil }
    self.file = file
    reader = AssistantReader(LLMHistory.platform, assistant: "llm", options)
    times = LooseTime(options)
    turns = try file.rows(
      """
      SELECT t.id, t.thread_id, t.tip_message_hash, t.model, t.datetime_utc,
        (SELECT name FROM threads AS h WHERE h.id = t.thread_id)
        FROM turns AS t ORDER BY t.thread_id, t.datetime_utc, t.id
      """)
  }

  mutating func next(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    guard let message = turn.messages.popLast() else { return try nextTurn(&sink) }
    reader.append(
      try parts(of: message.hash).map { $0.by(message.role) }.said, at: turn.time,
      by: Self.speaker(message.role, model: turn.model), id: "\(turn.thread)/\(message.hash)", in: turn.talk,
      into: &sink)
    return true
  }

  private mutating func nextTurn(_ sink: inout RecordSink) throws(InterchangeError) -> Bool {
    guard try turns.next() else { return false }
    let id = turns.text(0) ?? ""
    guard let time = times.read(turns.text(4) ?? "")?.time else {
      sink.skip(reason: "turn \(id) has no time")
      return true
    }
    let (thread, tip) = (turns.text(1) ?? id, turns.text(2) ?? "")
    let earlier = thread == turn.thread ? turn.tip : ""
    var messages = try chain(to: tip, after: earlier)
    if messages.isEmpty, tip != earlier { sink.skip(reason: "the messages of turn \(id) are not there") }
    if messages.count > Self.longestTurn {
      messages.removeLast()
      sink.skip(reason: "turn \(id) has messages before the last \(Self.longestTurn), which are left out")
    }
    var title = turns.text(5)
    if title == nil, let question = messages.last(where: { $0.role == "user" }) {
      title = try parts(of: question.hash).first?.text
    }
    turn = Turn(
      thread: thread, tip: tip, time: time, model: turns.text(3),
      talk: AssistantConversation(LLMHistory.platform, id: thread, title: title), messages: messages)
    return true
  }

  private static func speaker(_ role: String, model: String?) -> AssistantReader.Speaker {
    switch role {
    case "user": .me
    case "assistant": .named(model, model: model)
    default: .program
    }
  }

  private func chain(
    to tip: String, after earlier: String
  ) throws(InterchangeError) -> [(hash: String, role: String)] {
    let rows = try file.rows(
      """
      WITH RECURSIVE chain(hash, parent, role) AS (
        SELECT hash, parent_hash, role FROM messages
          WHERE hash = \(SQLiteFile.literal(tip)) AND hash <> \(SQLiteFile.literal(earlier))
        UNION ALL
        SELECT m.hash, m.parent_hash, m.role FROM chain JOIN messages AS m ON m.hash = chain.parent
          WHERE m.hash <> \(SQLiteFile.literal(earlier)))
      SELECT hash, role FROM chain LIMIT \(Self.longestTurn + 1)
      """)
    var messages: [(hash: String, role: String)] = []
    var seen: Set<String> = []
    while try rows.next(), seen.insert(rows.text(0) ?? "").inserted {
      messages.append((rows.text(0) ?? "", rows.text(1) ?? ""))
    }
    return messages
  }

  private func parts(of message: String) throws(InterchangeError) -> [AssistantPart] {
    let rows = try file.rows(
      """
      SELECT type, tool_name, text, payload, id FROM parts WHERE message_hash = \(SQLiteFile.literal(message))
        ORDER BY position
      """)
    var parts: [AssistantPart] = []
    while try rows.next() {
      var part = try part(
        rows.text(0) ?? "", rows.text(1) ?? "tool", rows.text(2), payload: rows.text(3) ?? "")
      try attach(to: &part, of: rows.integer(4))
      if part.text.isEmpty, parts.last?.kind == .text {
        parts[parts.count - 1].attach(part)
      } else {
        parts.append(part)
      }
    }
    return parts
  }

  private func part(
    _ type: String, _ tool: String, _ text: String?, payload: String
  ) throws(InterchangeError) -> AssistantPart {
    switch type {
    case "reasoning": return AssistantPart(kind: .thinking, text: text ?? "")
    case "tool_call":
      let call = Self.read(payload) { fields throws(JSONError) in
        try AssistantText.call(tool, fields["arguments"])
      }
      return AssistantPart(kind: .tool, text: call ?? "\(tool)\n\(payload)")
    case "tool_result":
      let output = Self.read(payload) { fields throws(JSONError) in
        try fields["output"].map { value throws(JSONError) in try AssistantText.plain(value) }
      }
      return AssistantPart(kind: .result, text: (output ?? nil) ?? text ?? "", tool: tool)
    default:
      if let text { return AssistantPart(kind: .text, text: text) }
      return AssistantPart(kind: .text, text: try pieced(payload))
    }
  }

  private func pieced(_ payload: String) throws(InterchangeError) -> String {
    enum Piece {
      case literal(String)
      case fragment(Int64)
    }
    let pieces: [Piece]? = Self.read(payload) { fields throws(JSONError) in
      var pieces: [Piece] = []
      try fields.forEach("text_ref") { element throws(JSONError) in
        guard let piece = JSONFields(element) else { return }
        if let literal = try piece.string("literal") { return pieces.append(.literal(literal)) }
        if let number = try piece.plainText("fragment").flatMap({ Int64($0) }) {
          pieces.append(.fragment(number))
        }
      }
      return pieces
    }
    var text = ""
    for piece in pieces ?? [] {
      switch piece {
      case .literal(let literal): text += literal
      case .fragment(let number):
        let rows = try file.rows("SELECT content FROM fragments WHERE id = \(number)")
        if try rows.next() { text += rows.text(0) ?? "" }
      }
    }
    return text
  }

  private static func read<Value>(
    _ json: String, _ body: (JSONFields) throws(JSONError) -> Value
  ) -> Value? {
    var json = json
    return json.withUTF8 { bytes in JSONFields(Bytes(bytes)).flatMap { try? body($0) } }
  }

  private func attach(to part: inout AssistantPart, of id: Int64) throws(InterchangeError) {
    let rows = try file.rows(
      """
      SELECT a.type, a.path, a.url, a.content FROM part_attachments AS p JOIN attachments AS a ON a.id = p.attachment_id
        WHERE p.part_id = \(id) ORDER BY p."order"
      """)
    while try rows.next() { LLMHistory.attach(rows, to: &part) }
  }
}

extension AssistantPart {
  fileprivate mutating func attach(_ other: AssistantPart) {
    for (place, bytes) in other.contents { contents[attachments.count + place] = bytes }
    attachments += other.attachments
  }

  fileprivate func by(_ role: String) -> AssistantPart {
    var part = self
    if role == "system", kind == .text { part.kind = .system }
    return part
  }
}

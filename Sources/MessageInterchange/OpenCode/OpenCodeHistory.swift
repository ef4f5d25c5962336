internal import MessageModel

/// The parts of the messages of opencode, a session after the other.
struct OpenCodeHistory: SQLiteHistory {
  private static let platform = "opencode"

  private let options: ImportOptions
  private let rows: SQLiteRows

  init(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError) {
    guard
      try file.columns(of: "session").isSuperset(of: ["id", "title", "directory", "parent_id", "version"]),
      try file.columns(of: "message").isSuperset(of: ["id", "session_id", "time_created", "data"]),
      try file.columns(of: "part").isSuperset(of: ["id", "message_id", "data"])
    else {
      throw InterchangeError(
        .unreadable, "cannot read the database", cause: "it has not the tables of opencode")
    }
    self.options = options
    rows = try file.rows(
      """
      SELECT p.id, p.data, m.id, m.data, m.time_created, s.id, s.title, s.directory, s.parent_id
        FROM part AS p JOIN message AS m ON m.id = p.message_id JOIN session AS s ON s.id = m.session_id
        ORDER BY m.session_id, m.time_created, m.id, p.id
      """)
  }

  mutating func next(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    guard try rows.next() else { return false }
    let (id, data, facts) = (rows.text(0) ?? "", Array(rows.bytes(1)), Array(rows.bytes(3)))
    data.withUnsafeBytes { data in
      facts.withUnsafeBytes { facts in
        do throws(JSONError) {
          guard UTF8Check.isValid(data), UTF8Check.isValid(facts) else {
            throw JSONError(reason: "it is not UTF-8")
          }
          try take(id, data, try JSONFields.reading(facts), into: &sink)
        } catch {
          sink.skip(reason: "part \(id): \(error.reason)", record: data)
        }
      }
    }
    return true
  }

  private func take(
    _ id: String, _ data: Bytes, _ message: JSONFields, into sink: inout RecordSink
  ) throws(JSONError) {
    let isAnswer = try message.plainText("role") == "assistant"
    let parts = try parts(of: try JSONFields.reading(data)).filter { !$0.isEmpty }
    guard !parts.isEmpty else { return }
    let session = rows.text(5) ?? ""
    var title = rows.text(6)
    if let parent = rows.text(8) { title = "\(title ?? "agent") (agent of \(parent.suffix(8)))" }
    let talk = AssistantTalk(Self.platform, id: session, folder: rows.text(7), title: title)
    sink.append(
      parts, at: Timestamp(millisecondsSince1970: rows.integer(4)),
      by: isAnswer ? "opencode" : options.me ?? "me",
      senderID: isAnswer ? try message.plainText("modelID") : nil, platform: Self.platform, id: id,
      original: options.keepsOriginal ? data : nil, conversation: sink.conversation(of: talk, options))
  }

  private func parts(of part: JSONFields) throws(JSONError) -> [AssistantPart] {
    switch try part.plainText("type") ?? "" {
    case "text":
      let kind: Message.Kind = part.isTrue("synthetic") ? .system : .text
      return [AssistantPart(kind: kind, text: try part.plainText("text") ?? "")]
    case "reasoning": return [AssistantPart(kind: .thinking, text: try part.plainText("text") ?? "")]
    case "file":
      var file = AssistantPart(kind: .text)
      file.attach(addressed: try part.plainText("url") ?? "")
      if let name = try part.plainText("filename") { file.attachments[0].name = name }
      return [file]
    case "tool":
      let name = try part.plainText("tool") ?? "tool"
      let state = part.object("state") ?? JSONFields()
      var result = AssistantPart(kind: .result)
      result.tool = name
      if let error = try state.plainText("error") {
        result.text = "failed: \(error)"
      } else {
        result.text = try state.plainText("output") ?? ""
        if try state.plainText("status") == "completed" { result = result.ended() }
      }
      return [AssistantPart(kind: .tool, text: try AssistantText.call(name, state["input"])), result]
    default: return []
    }
  }
}

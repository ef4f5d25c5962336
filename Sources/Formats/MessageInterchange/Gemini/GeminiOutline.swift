/// The facts of a session of Gemini CLI besides its messages, and which of these were taken back.
struct GeminiOutline {
  /// The subject of the session, as Gemini gives it.
  private(set) var summary: String?
  /// Whether it is of an agent.
  private(set) var isAgent = false
  /// The messages that were taken back, each with the first of those that went with it.
  private(set) var leftBehind: [String: String] = [:]

  private var ids: [String] = []

  /// Looks through a session that is a line for each message.
  init(_ file: InputFile) {
    var outline = Self()
    _ = Transcript(file).look { fields throws(JSONError) in try outline.note(fields) }
    self = outline
  }

  private init() {}

  private mutating func note(_ fields: JSONFields) throws(JSONError) {
    if let first = try fields.plainText("$rewindTo") { return takeBack(from: first) }
    let facts = fields.object("$set") ?? fields
    if fields["type"] == nil {
      summary = try facts.plainText("summary") ?? summary
      if try facts.plainText("kind") == "subagent" { isAgent = true }
    }
    // A list of all messages stands where an older session is gone on with.
    if facts["messages"] != nil {
      ids = []
      try facts.forEach("messages") { value throws(JSONError) in
        if let id = try JSONFields(value)?.plainText("id") { ids.append(id) }
      }
    }
    // A message that changes is written again.
    if fields["type"] != nil, let id = try fields.plainText("id"), ids.last != id { ids.append(id) }
  }

  /// Notes that a message and those behind it were taken back: all of them, if it is not there.
  private mutating func takeBack(from first: String) {
    let start = ids.firstIndex(of: first) ?? 0
    guard start < ids.count else { return }
    for id in ids[start...] { leftBehind[id] = ids[start] }
    ids.removeSubrange(start...)
  }
}

internal import MessageModel

/// Gemini CLI's sessions, `~/.gemini/tmp/*/chats/session-*.json`; since 2026 also as JSON Lines.
extension GeminiSession {
  static func reader(of file: InputFile, _ options: ImportOptions) -> any HistoryReader {
    let session = GeminiSession(file: file, options: options)
    if session.hasLines { return JSONRowsReader(GeminiLines(session), file: file) }
    return JSONHistoryReader(GeminiDocument(session), file: file)
  }
}

struct GeminiOutline {
  private(set) var summary: String?
  private(set) var isAgent = false
  private(set) var leftBehind: [String: String] = [:]

  private var ids: [String] = []

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
    // A list of all messages is written when an older session is continued.
    if facts["messages"] != nil {
      ids = []
      try facts.forEach("messages") { value throws(JSONError) in
        if let id = try JSONFields(value)?.plainText("id") { ids.append(id) }
      }
    }
    // A message that changes is written again.
    if fields["type"] != nil, let id = try fields.plainText("id"), ids.last != id { ids.append(id) }
  }

  private mutating func takeBack(from first: String) {
    let start = ids.firstIndex(of: first) ?? 0
    guard start < ids.count else { return }
    for id in ids[start...] { leftBehind[id] = ids[start] }
    ids.removeSubrange(start...)
  }
}

/// Sums the tokens of the replies to a prompt, which single messages state.
struct GeminiUsage {
  private var usage = TurnUsage()
  private var turn: (id: String, talk: AssistantConversation)?
  /// The last message with tokens: one that changes is written again with its total.
  private var message: (id: String, sent: Int64, received: Int64, cached: Int64)?
  private var last: Timestamp?

  mutating func begin(_ id: String, _ talk: AssistantConversation) { turn = (id, talk) }

  mutating func note(_ tokens: JSONFields?, of id: String, at time: Timestamp) {
    guard let tokens else { return }
    func count(_ key: String) -> Int64 { max(0, min(tokens.integer(key) ?? 0, 1 << 40)) }
    if message?.id != id { addMessage() }
    message = (id, count("input"), count("output") + count("thoughts"), count("cached"))
    last = time
  }

  private mutating func addMessage() {
    guard let message else { return }
    usage.add(sent: message.sent, received: message.received, cached: message.cached)
    self.message = nil
  }

  mutating func end() -> (part: AssistantPart, time: Timestamp, key: String, talk: AssistantConversation)? {
    addMessage()
    defer { (usage, turn, last) = (TurnUsage(), nil, nil) }
    guard let turn, let last, !usage.isEmpty else { return nil }
    return (usage.part, last, turn.id, turn.talk)
  }
}

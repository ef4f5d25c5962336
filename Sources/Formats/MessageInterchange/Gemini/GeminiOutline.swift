/// A session's facts, and its withdrawn messages.
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

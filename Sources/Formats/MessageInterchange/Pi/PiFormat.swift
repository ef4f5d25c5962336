internal import MessageModel

/// Sessions of Pi, `~/.pi/agent/sessions/**/*.jsonl`, and of OpenClaw, which is based on it,
/// `~/.openclaw/agents/*/sessions/*.jsonl`: an entry per line that names its predecessor. Later versions of
/// OpenClaw have a database, ``OpenClawHistory``.
extension PiHistory {
  static func isOurs(_ record: JSONFields) -> Bool {
    switch try? record.plainText("type") {
    case "session":
      return record["id"] != nil && record["timestamp"] != nil
        && (record["version"] != nil || record["cwd"] != nil)
    case "message":
      guard let message = record.object("message"), record["timestamp"] != nil else { return false }
      let role = try? message.plainText("role")
      return role == "toolResult" || record["parentId"] != nil && record["id"] != nil && role != nil
        || hasCalls(message)
    case nil: return isColdHead(record)
    default: return false
    }
  }

  /// A line of OpenClaw's archive of a session that rested for long: an entry as a string, or what indexes had of it.
  static func isCold(_ record: JSONFields) -> Bool {
    guard record["type"] == nil, let kind = try? record.plainText("kind") else { return false }
    return ["event", "identity", "active", "index", "fts"].contains(kind) || isColdHead(record)
  }

  private static func isColdHead(_ record: JSONFields) -> Bool {
    (try? record.plainText("kind")) == "header" && record["sessionId"] != nil && record["generation"] != nil
  }

  /// Calls `body` with the entry of a line, and with its text if an archive wraps it.
  static func withEntry(
    of record: JSONFields, _ body: (JSONFields, Bytes?) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard isCold(record) else { return try body(record, nil) }
    guard let text = try record.object("row")?.string("event_json") else { return }
    try Array(text.utf8).withRawBytes { entry throws(JSONError) in
      try body(try JSONFields.reading(entry), entry)
    }
  }

  private static func hasCalls(_ message: JSONFields) -> Bool {
    let types = try? message.map("content") { block throws(JSONError) in try block.plainText("type") }
    return types?.contains("toolCall") ?? false
  }
}

/// What a session's first message needs from the rest of the file: the name and the abandoned entries.
struct PiOutline {
  private(set) var title: String?
  private var asked: String?
  private var branches: [String: Int32] = [:]
  private var names: [Int32: (id: String, title: String?)] = [:]
  private var ids: [String] = []
  private var parents: [Int32] = []
  private var places: [String: Int32] = [:]
  /// Those that were put beside the conversation, as a copy of what was delivered is.
  private var asides: Set<Int32> = []
  /// The entry that the next one follows.
  private var leaf: Int32?
  /// Whether the next entry is the first one of another window of the session.
  private var beginsWindow = false

  private static let mostEntries = 1 << 21

  init(of file: InputFile) {
    let transcript = Transcript(file)
    self.init { body in
      transcript.look { (fields) throws(JSONError) in
        try PiHistory.withEntry(of: fields) { (entry, _) throws(JSONError) in try body(entry) }
      }
    }
  }

  /// `look` visits all entries and returns whether it reached the last one. If they have branches, it is called
  /// twice, for the first prompts of these. `name` is what the program calls the session if its entries do not.
  init(named name: String? = nil, _ look: ((JSONFields) throws(JSONError) -> Void) -> Bool) {
    let isWhole = look { (fields) throws(JSONError) in try take(fields) }
    title = title ?? name ?? asked
    if isWhole { findBranches() }
    (ids, parents, places, asides) = ([], [], [:], [])
    if !branches.isEmpty { _ = look { (fields) throws(JSONError) in try nameBranch(fields) } }
  }

  func branch(of id: String) -> (id: String, title: String?)? { branches[id].flatMap { names[$0] } }

  private mutating func take(_ fields: JSONFields) throws(JSONError) {
    let type = try fields.plainText("type")
    if type == "session_info" { title = try fields.plainText("name") ?? title }
    if type == "title" || type == "session" { title = try fields.plainText("title") ?? title }
    if asked == nil, type == "message" { asked = try Self.question(fields) }
    guard type != "session" else {
      beginsWindow = leaf != nil
      return
    }
    guard ids.count < Self.mostEntries, let id = try fields.plainText("id") else { return }
    let place = Int32(ids.count)
    let followed = try fields.plainText(type == "leaf" ? "targetId" : "parentId")
    let isSummary = beginsWindow && type == "compaction"
    // An entry that is lost was the last one before.
    let last = beginsWindow || followed != nil ? leaf : nil
    parents.append(followed.flatMap { places[$0] } ?? last ?? -1)
    ids.append(id)
    places[id] = place
    beginsWindow = false
    let mode = try fields.plainText("appendMode")
    if isSummary || type != "leaf" && mode == "side" {
      asides.insert(place)
    } else {
      leaf = place
    }
  }

  static func question(_ fields: JSONFields) throws(JSONError) -> String? {
    guard let message = fields.object("message"), try message.plainText("role") == "user",
      !PiContent.isContext(message)
    else { return nil }
    return try PiContent.text(of: message).flatMap { AssistantConversation.title($0) }
  }

  private mutating func findBranches() {
    let tree = ConversationTree(
      parents: parents.map { $0 < 0 ? nil : Int($0) }, leaf: leaf.map(Int.init))
    for place in ids.indices {
      guard let start = tree.branches[inTree(place)] else { continue }
      branches[ids[place]] = Int32(start)
      names[Int32(start)] = (ids[start], nil)
    }
  }

  /// The entry beside which one was put; an entry in the conversation itself.
  private func inTree(_ place: Int) -> Int {
    var place = place
    while asides.contains(Int32(place)), parents[place] >= 0 { place = Int(parents[place]) }
    return place
  }

  private mutating func nameBranch(_ fields: JSONFields) throws(JSONError) {
    guard let branch = try fields.plainText("id").flatMap({ branches[$0] }), names[branch]?.title == nil,
      try fields.plainText("type") == "message"
    else { return }
    names[branch]?.title = try Self.question(fields)
  }
}

enum PiContent {
  /// Whether the program itself told the model what stands under the user's role.
  static func isContext(_ message: JSONFields) -> Bool {
    message["runtimeContext"] != nil || message["runtimeContextCarrier"] != nil
  }

  static func text(of message: JSONFields) throws(JSONError) -> String? {
    try parts(of: message, .text) { _, _ in }.first { $0.kind == .text && !$0.text.isEmpty }?.text
  }

  /// The parts, also empty ones. `note` is called with each tool call's id and name.
  static func parts(
    of message: JSONFields, _ kind: Message.Kind, _ note: (String?, String) -> Void
  ) throws(JSONError) -> [AssistantPart] {
    guard let content = message["content"] else { return [] }
    guard content.first == UInt8(ascii: "[") else {
      return [AssistantPart(kind: kind, text: try AssistantText.plain(content))]
    }
    var parts: [AssistantPart] = []
    var isEmpty = true
    try message.forEach("content") { value throws(JSONError) in
      isEmpty = false
      guard let block = JSONFields(value) else {
        parts.append(AssistantPart(kind: kind, text: try AssistantText.plain(value)))
        return
      }
      switch try block.plainText("type") ?? "" {
      case "text":
        parts.append(
          try block.plainText("text").map { AssistantPart(kind: kind, text: $0) } ?? .unknown(value))
      case "thinking":
        let thought = try block.plainText("thinking")
        if thought == "", block["thinkingSignature"] != nil { break }
        parts.append(thought.map { AssistantPart(kind: .thinking, text: $0) } ?? .unknown(value))
      case "toolCall":
        let name = try block.plainText("name") ?? "tool"
        note(try block.plainText("id"), name)
        parts.append(AssistantPart(kind: .tool, text: try AssistantText.call(name, block["arguments"])))
      case "image":
        if parts.last?.kind != kind { parts.append(AssistantPart(kind: kind)) }
        try parts[parts.count - 1].attachPicture(block)
      default:
        let text = try block.plainText("text") ?? ""
        parts.append(text.isEmpty ? .unknown(value) : AssistantPart(kind: .unknown, text: text))
      }
    }
    return isEmpty ? [AssistantPart(kind: kind)] : parts
  }
}

extension AssistantPart {
  mutating func attachPicture(_ block: JSONFields) throws(JSONError) {
    let type = try block.plainText("mimeType")
    let ending = type?.split(separator: "/").last.map { "." + $0.prefix(8) } ?? ""
    let name = "image-\(attachments.count + 1)\(ending)"
    guard let data = block["data"], data.first == UInt8(ascii: "\"") else {
      attachments.append(Message.Attachment(name: name, mediaType: type))
      return
    }
    attach(name, type: type, TransferEncoding.base64(data))
  }
}

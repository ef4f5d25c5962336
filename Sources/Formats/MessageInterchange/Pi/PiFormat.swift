internal import MessageModel

/// Sessions of Pi, `~/.pi/agent/sessions/**/*.jsonl`, and of OpenClaw, which is based on it,
/// `~/.openclaw/agents/*/sessions/*.jsonl`: an entry per line that names its predecessor.
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
    default: return false
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

  private static let mostEntries = 1 << 21

  /// Reads the file again if it has branches, for their first prompts.
  init(of file: InputFile) {
    let transcript = Transcript(file)
    let isWhole = transcript.look { (fields) throws(JSONError) in try take(fields) }
    title = title ?? asked
    if isWhole { findBranches() }
    (ids, parents, places) = ([], [], [:])
    if !branches.isEmpty { transcript.look { (fields) throws(JSONError) in try nameBranch(fields) } }
  }

  func branch(of id: String) -> (id: String, title: String?)? { branches[id].flatMap { names[$0] } }

  private mutating func take(_ fields: JSONFields) throws(JSONError) {
    let type = try fields.plainText("type")
    if type == "session_info" { title = try fields.plainText("name") ?? title }
    if type == "title" || type == "session" { title = try fields.plainText("title") ?? title }
    if asked == nil, type == "message" { asked = try Self.question(fields) }
    guard type != "session", ids.count < Self.mostEntries, let id = try fields.plainText("id") else { return }
    let place = Int32(ids.count)
    parents.append(try fields.plainText("parentId").flatMap { places[$0] } ?? -1)
    ids.append(id)
    places[id] = place
  }

  private static func question(_ fields: JSONFields) throws(JSONError) -> String? {
    guard let message = fields.object("message"), try message.plainText("role") == "user" else { return nil }
    return try PiContent.text(of: message).flatMap { AssistantConversation.title($0) }
  }

  private mutating func findBranches() {
    let tree = ConversationTree(parents: parents.map { $0 < 0 ? nil : Int($0) }, leaf: nil)
    for (place, start) in tree.branches.enumerated() {
      guard let start else { continue }
      branches[ids[place]] = Int32(start)
      names[Int32(start)] = (ids[start], nil)
    }
  }

  private mutating func nameBranch(_ fields: JSONFields) throws(JSONError) {
    guard let branch = try fields.plainText("id").flatMap({ branches[$0] }), names[branch]?.title == nil,
      try fields.plainText("type") == "message"
    else { return }
    names[branch]?.title = try Self.question(fields)
  }
}

enum PiContent {
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
  fileprivate mutating func attachPicture(_ block: JSONFields) throws(JSONError) {
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

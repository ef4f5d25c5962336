internal import MessageModel

/// Claude.ai's export: `conversations.json`, a list of chats.
extension ClaudeAIHistory {
  private static let names: Set<String> = ["users.json", "projects.json", "memories.json"]

  static func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    let folder = sample.folder
    if folder.last == "projects" {
      return sample.has("\"prompt_template\"") && companions.has("conversations.json", in: folder.dropLast())
    }
    return names.contains(sample.name) && sample.has("\"uuid\"")
      && companions.has("conversations.json", in: folder)
  }
}

struct ClaudeAIHistory: JSONHistory {
  private var reader: AssistantReader
  private let isList: Bool
  private var times: LooseTime

  init(file: InputFile, options: ImportOptions) {
    reader = AssistantReader("claude.ai", assistant: "Claude", options)
    times = LooseTime(options)
    isList = JSONStream.beginsList(file.source)
  }

  func descends(into path: [String]) -> Bool { isList && path.isEmpty }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    let chat = try JSONFields.reading(value)
    guard let id = try chat.plainText("uuid") else { throw JSONError(reason: "it has no id") }
    guard chat["chat_messages"] != nil else { throw JSONError(reason: "it has no messages") }
    var messages: [JSONFields] = []
    var originals: [Bytes] = []
    try chat.forEach("chat_messages") { message throws(JSONError) in
      messages.append(try JSONFields.reading(message))
      originals.append(message)
    }
    let tree = try tree(of: messages, leaf: try chat.plainText("current_leaf_message_uuid"))
    var name = try chat.plainText("name") ?? ""
    if name.isEmpty { name = try messages.first?.plainText("text") ?? "" }
    let trunk = AssistantConversation(reader.platform, id: id, title: name)
    let model = try chat.plainText("model")
    var tools = ToolNames()
    for (place, message) in messages.enumerated() {
      do throws(JSONError) {
        let parts = try parts(of: message, &tools)
        guard !parts.isEmpty else { continue }
        let talk = tree.branches[place].map { start in
          reader.leftBehind(
            Self.id(of: messages[start]) ?? "\(start)", title: parts.first?.text, of: trunk)
        }
        let isMine = try message.plainText("sender") != "assistant"
        let own = try message.plainText("model")
        reader.append(
          parts, at: try time(of: message, in: chat), by: isMine ? .me : .assistant(model: own ?? model),
          id: Self.id(of: message) ?? "\(id)/\(place)", original: originals[place], in: talk ?? trunk,
          into: &sink)
      } catch {
        sink.skip(
          reason: "message \(place + 1) of '\(name.prefix(60))': \(error.reason)", record: originals[place])
      }
    }
  }

  private static func id(of message: JSONFields) -> String? { try? message.plainText("uuid") }

  /// Older exports do not name a message's parent: each follows the previous one.
  private func tree(of messages: [JSONFields], leaf: String?) throws(JSONError) -> ConversationTree {
    var places: [String: Int] = [:]
    for (place, message) in messages.enumerated() {
      if let id = Self.id(of: message) { places[id] = place }
    }
    var parents: [Int?] = []
    for (place, message) in messages.enumerated() {
      guard let parent = try message.plainText("parent_message_uuid") else {
        parents.append(place > 0 ? place - 1 : nil)
        continue
      }
      parents.append(places[parent])
    }
    return ConversationTree(parents: parents, leaf: leaf.flatMap { places[$0] })
  }

  private mutating func time(of message: JSONFields, in chat: JSONFields) throws(JSONError) -> Timestamp {
    for fields in [message, chat] {
      if let (time, _) = try fields.plainText("created_at").flatMap({ times.read($0) }) { return time }
    }
    throw JSONError(reason: "it has no time")
  }

  private func parts(of message: JSONFields, _ tools: inout ToolNames) throws(JSONError) -> [AssistantPart] {
    var parts: [AssistantPart] = []
    if let content = message["content"] {
      parts = try AnthropicContent(content, &tools).parts.filter { !$0.isEmpty }
    }
    let text = try message.plainText("text") ?? ""
    // Until 2024 there was only this text; it is also used if the content is empty.
    if !text.isEmpty, !parts.contains(where: { $0.kind == .text }) {
      parts.append(AssistantPart(kind: .text, text: text))
    }
    var documents: Set<String> = []
    for key in ["attachments", "files"] {
      try message.forEach(key) { value throws(JSONError) in
        guard let file = JSONFields(value) else { return }
        let name = try file.plainText("file_name") ?? "file"
        if key == "files", documents.contains(name) { return }
        if key == "attachments" { documents.insert(name) }
        if parts.first?.kind != .text { parts.insert(AssistantPart(kind: .text), at: 0) }
        try Self.attach(file, called: name, to: &parts[0])
      }
    }
    return parts.isEmpty ? [AssistantPart(kind: .text)] : parts
  }

  private static func attach(
    _ file: JSONFields, called name: String, to part: inout AssistantPart
  ) throws(JSONError) {
    let shown = name.isEmpty ? "pasted.txt" : name
    if let text = try file.plainText("extracted_content"), !text.isEmpty {
      part.attach(shown, type: "text/plain", Array(text.utf8))
    } else {
      part.attachments.append(
        Message.Attachment(
          name: shown, byteCount: file.integer("file_size").flatMap { Int(exactly: max(0, $0)) }))
    }
  }
}

extension JSONStream {
  static func beginsList(_ source: ByteSource) -> Bool {
    let start = try? source.peek(4_096)
    return start?.first { $0 > 0x20 && $0 < 0x80 } == UInt8(ascii: "[")
  }
}

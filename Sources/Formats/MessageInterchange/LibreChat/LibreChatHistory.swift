internal import MessageModel

/// A chat that LibreChat exports as JSON: a list of messages that name the ones they follow, or a tree of them.
struct LibreChatHistory: JSONHistory {
  private var reader: AssistantReader
  private var times: LooseTime
  private var chat: AssistantChat

  init(file: InputFile, options: ImportOptions) {
    reader = AssistantReader("librechat", assistant: "LibreChat", options)
    times = LooseTime(options)
    chat = AssistantChat(id: file.name)
  }

  func descends(into path: [String]) -> Bool { path.isEmpty }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    switch path {
    case ["conversationId"]:
      var named = AssistantChat(id: try AssistantText.plain(value))
      named.title = chat.title
      // Messages may stand before the id of their chat.
      named.nodes = chat.nodes.map { node in
        var node = node
        node.id = named.id + node.id.dropFirst(chat.id.count)
        node.parent = node.parent.map { named.id + $0.dropFirst(chat.id.count) }
        return node
      }
      chat = named
    case ["title"]: chat.title = try AssistantText.plain(value)
    case ["messages"], ["messagesTree"]: try takeAll(value, into: &sink)
    default: break
    }
  }

  mutating func leave(_ path: [String], into sink: inout RecordSink) {
    if path.isEmpty { chat.append(by: &reader, to: &sink) }
  }

  mutating func breakOff(into sink: inout RecordSink) { chat.append(by: &reader, to: &sink) }

  /// The messages of a list, each before those that follow it.
  private mutating func takeAll(_ list: Bytes, into sink: inout RecordSink) throws(JSONError) {
    var waiting = [list]
    while let list = waiting.popLast() {
      var scanner = JSONScanner(list)
      guard try scanner.kind() == .array else { throw JSONError(reason: "its messages are no list") }
      var replies: [Bytes] = []
      try scanner.array { scanner throws(JSONError) in
        let value = try scanner.value()
        let number = chat.nodes.count + 1
        do throws(JSONError) {
          let message = try JSONFields.reading(value)
          let made = try node(message, value, number)
          chat.nodes.append(made)
          if let children = message["children"], children.count > 2 { replies.append(children) }
        } catch {
          sink.skip(reason: "message \(number) of '\(chat.name)': \(error.reason)", record: value)
        }
      }
      waiting += replies.reversed()
    }
  }

  private mutating func node(
    _ message: JSONFields, _ value: Bytes, _ number: Int
  ) throws(JSONError) -> AssistantChat.Node {
    let own = try message.plainText("messageId")
    var node = AssistantChat.Node(id: "\(chat.id)/\(own ?? "\(number)")", original: value)
    node.parent = try message.plainText("parentMessageId").map { "\(chat.id)/\($0)" }
    node.time = try message.plainText("createdAt").flatMap { times.read($0)?.time }
    node.isMine = message.isTrue("isCreatedByUser")
    node.model = try message.firstText(["model", "sender"])
    node.parts = try parts(of: message)
    if message.isTrue("error") {
      for place in node.parts.indices where node.parts[place].kind == .text {
        node.parts[place] = .note("failed: \(node.parts[place].text)")
      }
    }
    guard !node.parts.allSatisfy(\.isBlank) else { throw JSONError(reason: "it has no text") }
    return node
  }

  private func parts(of message: JSONFields) throws(JSONError) -> [AssistantPart] {
    var parts: [AssistantPart] = []
    try message.forEach("content") { value throws(JSONError) in
      parts += try Self.parts(of: try JSONFields.reading(value), value)
    }
    let text = try message.plainText("text") ?? ""
    if parts.allSatisfy(\.isBlank) { parts = [AssistantPart(kind: .text, text: text)] }
    let files = try message.map("files") { file throws(JSONError) in try Self.file(file) }
    parts[0].attachments += files
    return parts
  }

  private static func parts(of block: JSONFields, _ value: Bytes) throws(JSONError) -> [AssistantPart] {
    let type = try block.plainText("type") ?? ""
    // A text is a string, or an object around one.
    let (own, inner) = (try block.plainText(type), try block.object(type)?.plainText("value"))
    let text = own ?? inner ?? ""
    switch type {
    case "text": return [AssistantPart(kind: .text, text: text)]
    case "think": return [AssistantPart(kind: .thinking, text: text)]
    case "error":
      let (words, value) = (try block.plainText("text"), try block.object("text")?.plainText("value"))
      return [.note("failed: \(own ?? words ?? value ?? "")")]
    case "tool_call":
      let given = block.object(type) ?? JSONFields()
      let function = given.object("function") ?? given
      let name = try function.firstText(["name", "type"]) ?? "tool"
      let input = function["args"] ?? function["arguments"] ?? given["code_interpreter"]
      var result = AssistantPart(kind: .result, text: try function.plainText("output") ?? "")
      result.tool = name
      let call = AssistantPart(kind: .tool, text: try AssistantText.call(name, input))
      return function["output"] == nil ? [call] : [call, result.ended()]
    case "image_file":
      var part = AssistantPart(kind: .text)
      if let picture = block.object(type), let file = try Self.file(picture) { part.attachments = [file] }
      return part.isEmpty ? [.unknown(value)] : [part]
    case "agent_update": return []
    default: return [.unknown(value)]
    }
  }

  private static func file(_ file: JSONFields) throws(JSONError) -> Message.Attachment? {
    guard let name = try file.firstText(["filename", "file_id"]) else { return nil }
    return Message.Attachment(
      name: name, mediaType: try file.plainText("type"),
      byteCount: file.integer("bytes").flatMap { Int(exactly: max(0, $0)) },
      path: try file.plainText("filepath"))
  }
}

internal import MessageModel

/// DeepSeek's export, `conversations.json`: a list of chats, trees of messages whose numbers are unique in one
/// chat alone.
struct DeepSeekHistory: JSONHistory {
  private var reader: AssistantReader
  private let isList: Bool
  private var times: LooseTime

  init(file: InputFile, options: ImportOptions) {
    reader = AssistantReader("deepseek", assistant: "DeepSeek", options)
    times = LooseTime(options)
    isList = JSONStream.beginsList(file.source)
  }

  func descends(into path: [String]) -> Bool { isList && path.isEmpty }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    let fields = try JSONFields.reading(value)
    guard let id = try fields.plainText("id") else { throw JSONError(reason: "it has no id") }
    guard let mapping = fields["mapping"] else { throw JSONError(reason: "it has no messages") }
    var chat = AssistantChat(id: id)
    chat.title = try fields.plainText("title")
    chat.beginning = try fields.plainText("inserted_at").flatMap { times.read($0)?.time }
    var scanner = JSONScanner(mapping)
    try scanner.object { scanner, key throws(JSONError) in
      let value = try scanner.value()
      var node = AssistantChat.Node(id: "\(id)/\(try key.string())", original: value)
      do throws(JSONError) {
        let place = try JSONFields.reading(value)
        node.parent = try place.plainText("parent").map { "\(id)/\($0)" }
        if place["message"] != nil { try read(place.object("message") ?? JSONFields(), into: &node) }
      } catch {
        sink.skip(reason: "a message of '\(chat.name)': \(error.reason)", record: value)
      }
      chat.nodes.append(node)
    }
    chat.append(by: &reader, to: &sink)
  }

  private mutating func read(
    _ message: JSONFields, into node: inout AssistantChat.Node
  ) throws(JSONError) {
    node.time = try message.plainText("inserted_at").flatMap { times.read($0)?.time }
    node.model = try message.plainText("model")
    var parts: [AssistantPart] = []
    var isMine = false
    try message.forEach("fragments") { value throws(JSONError) in
      let fragment = try JSONFields.reading(value)
      let type = try fragment.plainText("type") ?? ""
      if type == "REQUEST" { isMine = true }
      parts.append(try Self.part(type, fragment, value))
    }
    let files = try Self.files(of: message)
    if !files.isEmpty {
      if parts.isEmpty { parts.append(AssistantPart(kind: .text)) }
      parts[0].attachments = files
    }
    guard !parts.allSatisfy(\.isBlank) else { throw JSONError(reason: "it has no text") }
    (node.parts, node.isMine) = (parts, isMine)
  }

  private static func part(
    _ type: String, _ fragment: JSONFields, _ value: Bytes
  ) throws(JSONError) -> AssistantPart {
    let content = try fragment.plainText("content") ?? ""
    switch type {
    case "REQUEST", "RESPONSE": return AssistantPart(kind: .text, text: content)
    case "THINK": return AssistantPart(kind: .thinking, text: content)
    case "TIP": return .note(content)
    case "SEARCH", "TOOL_SEARCH", "TOOL_OPEN":
      var part = try AssistantPart.found(by: type.lowercased(), "results", in: fragment)
      if part.isBlank { part.text = content.isEmpty ? value.string : content }
      return part
    default: return AssistantPart(kind: .unknown, text: value.string)
    }
  }

  private static func files(of message: JSONFields) throws(JSONError) -> [Message.Attachment] {
    try message.map("files") { file throws(JSONError) in
      Message.Attachment(
        name: try file.firstText(["file_name", "name", "id"]) ?? "file",
        byteCount: file.integer("file_size").flatMap { Int(exactly: max(0, $0)) })
    }
  }
}

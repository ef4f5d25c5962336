internal import MessageModel

/// A chat of Cursor's command line, `~/.cursor/chats/*/*/store.db`: values by their digests, one of which
/// lists the chat's messages in order.
struct CursorAgentHistory: SQLiteHistory {
  private let reader: AssistantReader
  private let values: SQLiteRows
  private let chat: Chat
  /// The messages to read, the last first.
  private var waiting: [String]
  private var counts: [String: Int] = [:]
  private var tools = ToolNames()
  private let talk: AssistantConversation

  private struct Chat {
    var id = ""
    var title: String?
    var model: String?
    var started: Timestamp?
    var folder: String?
  }

  init(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError) {
    guard try file.columns(of: "blobs").isSuperset(of: ["id", "data"]),
      try file.columns(of: "meta").isSuperset(of: ["key", "value"])
    else {
      throw .lackingTables(of: "Cursor's command line")
    }
    reader = AssistantReader(CursorHistory.platform, assistant: "Cursor", options)
    file.limitValues(to: Int32(CursorDocument.longest))
    try file.freeze()
    values = try file.rows("SELECT data FROM blobs WHERE id = ?1")
    let rows = try file.rows("SELECT value FROM meta WHERE key = '0'")
    let facts = try rows.next() ? Self.decoded(rows.text(0) ?? "") : []
    var (chat, root) = Self.chat(facts)
    if chat.id.isEmpty { chat.id = file.surroundings?.folderParts.last ?? "chat" }
    var (listed, folder): ([String], String?) = ([], nil)
    values.restart(with: root)
    if case .row = try values.step() {
      ProtobufFields.forEach(in: values.bytes(0)) { field, bytes in
        if field == 1, bytes.count == 32 { listed.append(Hexadecimal.text(of: Array(bytes))) }
        if field == 9, UTF8Check.isValid(bytes) { folder = CursorWorkspace.path(bytes.string) }
      }
    }
    chat.folder = folder
    if chat.title?.isEmpty != false || chat.title == "New Agent" {
      chat.title = try Self.question(among: listed.prefix(Self.mostLooks), values) ?? chat.title
    }
    waiting = listed.reversed()
    self.chat = chat
    talk = AssistantConversation(CursorHistory.platform, id: chat.id, folder: chat.folder, title: chat.title)
  }

  private static let mostLooks = 16

  private static func question(
    among ids: ArraySlice<String>, _ values: SQLiteRows
  ) throws(InterchangeError) -> String? {
    for id in ids {
      values.restart(with: id)
      guard case .row = try values.step() else { continue }
      let bytes = values.bytes(0)
      guard UTF8Check.isValid(bytes), let message = JSONFields(bytes) else { continue }
      var tools = ToolNames()
      let parts = (try? Self.parts(of: message, bytes, &tools)) ?? []
      if (try? message.plainText("role")) == "user", let asked = parts.first(where: { $0.kind == .text }) {
        return asked.text
      }
    }
    return nil
  }

  private static func chat(_ facts: [UInt8]) -> (Chat, root: String) {
    facts.withUnsafeBytes { bytes in
      guard UTF8Check.isValid(bytes), let fields = JSONFields(bytes) else { return (Chat(), "") }
      func text(_ key: String) -> String? { (try? fields.plainText(key)) ?? nil }
      let started = fields.integer("createdAt").map { Timestamp(millisecondsSince1970: $0) }
      return (
        Chat(id: text("agentId") ?? "", title: text("name"), model: text("lastUsedModel"), started: started),
        text("latestRootBlobId") ?? ""
      )
    }
  }

  private static func decoded(_ digits: String) -> [UInt8] {
    let digits = Array(digits.utf8)
    if digits.first == UInt8(ascii: "{") { return digits }
    return stride(from: 0, to: digits.count - digits.count % 2, by: 2).compactMap { place in
      UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16)
    }
  }

  mutating func next(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    guard let id = waiting.popLast() else { return false }
    values.restart(with: id)
    switch try values.step() {
    case .end: sink.skip(reason: "message \(id.prefix(12)) is listed and is not there")
    case .overlong:
      sink.skip(reason: "message \(id.prefix(12)) is longer than \(CursorDocument.longest >> 20) MB")
    case .row:
      let bytes = values.bytes(0)
      do throws(JSONError) {
        guard UTF8Check.isValid(bytes) else { throw JSONError(reason: "it is not UTF-8") }
        try take(try JSONFields.reading(bytes), bytes, id, into: &sink)
      } catch {
        sink.skip(reason: "message \(id.prefix(12)): \(error.reason)", record: bytes)
      }
    }
    return true
  }

  private mutating func take(
    _ message: JSONFields, _ bytes: Bytes, _ id: String, into sink: inout RecordSink
  ) throws(JSONError) {
    guard let started = chat.started else { throw JSONError(reason: "neither it nor the chat has a time") }
    let parts = try Self.parts(of: message, bytes, &tools)
    // Equal messages have one digest.
    let count = counts[id, default: 0] + 1
    counts[id] = count
    guard !parts.isEmpty else { return }
    let isMine = try message.plainText("role") == "user"
    reader.append(
      parts, at: started, precision: .day, by: isMine ? .me : .assistant(model: chat.model),
      id: "\(chat.id)/\(id)" + (count == 1 ? "" : "/again-\(count)"), original: bytes, in: talk, into: &sink)
  }

  private static func parts(
    of message: JSONFields, _ original: Bytes, _ tools: inout ToolNames
  ) throws(JSONError) -> [AssistantPart] {
    let role = try message.plainText("role") ?? ""
    var parts: [AssistantPart] = []
    guard let content = message["content"] else { return [.unknown(original)] }
    if content.first == UInt8(ascii: "[") {
      var scanner = JSONScanner(content)
      try scanner.array { scanner throws(JSONError) in
        try read(try scanner.value(), into: &parts, &tools)
      }
    } else {
      parts = [AssistantPart(kind: .text, text: try AssistantText.plain(content))]
    }
    for index in parts.indices where parts[index].kind == .text {
      switch role {
      case "user": parts[index].takeQuestion()
      case "assistant", "tool": break
      case "system": parts[index].becomeNote()
      default: parts[index] = AssistantPart(kind: .unknown, text: original.string)
      }
    }
    return parts.said
  }

  private static func read(
    _ value: Bytes, into parts: inout [AssistantPart], _ tools: inout ToolNames
  ) throws(JSONError) {
    guard let block = JSONFields(value) else {
      return parts.append(AssistantPart(kind: .text, text: try AssistantText.plain(value)))
    }
    switch try block.plainText("type") ?? "" {
    case "text":
      parts.append(
        try block.plainText("text").map { AssistantPart(kind: .text, text: $0) } ?? .unknown(value))
    // Without its text it is one that only its maker can read.
    case "reasoning" where block["text"]?.has("\"\"") == true: break
    case "reasoning":
      parts.append(
        try block.plainText("text").map { AssistantPart(kind: .thinking, text: $0) } ?? .unknown(value))
    case "redacted-reasoning": break
    case "tool-call":
      let name = try block.plainText("toolName") ?? "tool"
      tools.note(try block.plainText("toolCallId"), name)
      parts.append(
        AssistantPart(kind: .tool, text: try AssistantText.call(name, block["args"] ?? block["input"])))
    case "tool-result":
      let known = tools.name(of: try block.plainText("toolCallId"))
      var result = AssistantPart(kind: .result)
      result.tool = try block.plainText("toolName") ?? known
      if let given = block["result"] ?? block["output"] {
        let value = try JSONFields(given)?.firstText(["value", "text"])
        let plain = try AssistantText.plain(given)
        result.text = value ?? plain
      }
      if block.isTrue("isError") { result.text = "failed: \(result.text)" }
      parts.append(result.ended())
    case "image", "file":
      if parts.last?.kind != .text { parts.append(AssistantPart(kind: .text)) }
      let address = try block.firstText(["image", "data", "url"]) ?? ""
      let isAddress = address.hasPrefix("data:") || address.contains("://")
      let type = try block.firstText(["mimeType", "mediaType"]) ?? "image/png"
      parts[parts.count - 1].attach(addressed: isAddress ? address : "data:\(type);base64,\(address)")
    default: parts.append(.unknown(value))
    }
  }
}

extension AssistantPart {
  fileprivate mutating func takeQuestion() {
    let (start, end) = ("<user_query>", "</user_query>")
    if let open = text.firstRange(of: start), let close = text.firstRange(of: end),
      open.upperBound <= close.lowerBound
    {
      text = String(text[open.upperBound..<close.lowerBound]).trimming(\.isWhitespace)
    } else if text.hasPrefix("<") {
      becomeNote()
    }
  }
}

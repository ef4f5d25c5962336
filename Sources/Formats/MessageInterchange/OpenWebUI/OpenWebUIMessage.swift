internal import MessageModel

struct OpenWebUIMessage {
  private(set) var parts: [AssistantPart] = []
  let isMine: Bool
  private(set) var sender: String?
  private(set) var model: String?

  init(_ message: JSONFields) throws(JSONError) {
    let role = try message.plainText("role") ?? ""
    isMine = role == "user"
    if role != "user", role != "system" {
      model = try message.firstText(["selectedModelId", "model"])
      sender = try message.plainText("modelName") ?? model ?? "Open WebUI"
    }
    let isPlain = role == "user" || role == "system"
    if !isPlain { try readOutput(message) }
    if parts.isEmpty { try readContent(message, isPlain: isPlain) }
    if role == "system" {
      for index in parts.indices where parts[index].kind == .text { parts[index].kind = .system }
    }
    try message.forEach("files") { value throws(JSONError) in try attach(value) }
    try readError(message)
    parts = parts.said
  }

  private mutating func readContent(_ message: JSONFields, isPlain: Bool) throws(JSONError) {
    var text = try message.plainText("content") ?? ""
    try message.forEach("content") { value throws(JSONError) in
      let part = JSONFields(value)
      let own = try part?.plainText("text")
      if let url = try part?.object("image_url")?.plainText("url") {
        attach(addressed: url)
      } else {
        let plain = try AssistantText.plain(value)
        text += own ?? plain
      }
    }
    if text.isEmpty { return parts.append(AssistantPart(kind: .text)) }
    guard !isPlain else { return parts.append(AssistantPart(kind: .text, text: text)) }
    text.withUTF8 { parts += OpenWebUIDetails.parts(of: Bytes($0)) }
  }

  /// The reply's steps, which newer versions keep beside the shown text.
  private mutating func readOutput(_ message: JSONFields) throws(JSONError) {
    var tools = ToolNames()
    try message.forEach("output") { value throws(JSONError) in
      let item = JSONFields(value) ?? JSONFields()
      switch try item.plainText("type") ?? "" {
      case "message": parts.append(AssistantPart(kind: .text, text: try Self.texts(item, ["content"])))
      case "reasoning":
        parts.append(AssistantPart(kind: .thinking, text: try Self.texts(item, ["content", "summary"])))
      case "function_call":
        let name = try item.plainText("name") ?? "tool"
        tools.note(try item.plainText("call_id"), name)
        parts.append(AssistantPart(kind: .tool, text: try AssistantText.call(name, item["arguments"])))
      case "function_call_output":
        var result = AssistantPart(kind: .result, text: try Self.texts(item, ["output"]))
        result.tool = tools.name(of: try item.plainText("call_id"))
        parts.append(result.ended())
      default: parts.append(.unknown(value))
      }
    }
  }

  private static func texts(_ item: JSONFields, _ keys: [String]) throws(JSONError) -> String {
    for key in keys {
      if let text = try item.plainText(key), !text.isEmpty { return text }
      var texts: [String] = []
      try item.forEach(key) { value throws(JSONError) in
        let block = JSONFields(value)
        let type = try block?.plainText("type") ?? "block"
        texts.append(try block?.firstText(["text", "content"]) ?? "[\(type)]")
      }
      if !texts.isEmpty { return texts.joined(separator: "\n") }
    }
    return ""
  }

  private mutating func readError(_ message: JSONFields) throws(JSONError) {
    guard let error = message["error"], !error.has("false") else { return }
    let told = try JSONFields(error)?.firstText(["content", "message", "detail"])
    let reason = told ?? ""
    parts.append(AssistantPart(kind: .system, text: reason.isEmpty ? "failed" : "failed: \(reason)"))
  }

  private mutating func attach(_ value: Bytes) throws(JSONError) {
    guard let file = JSONFields(value) else { return }
    let url = try file.plainText("url") ?? ""
    if url.hasPrefix("data:") { return attach(addressed: url) }
    let inner = file.object("file")
    let own = try file.firstText(["name", "filename", "title"])
    let within = try inner?.firstText(["filename", "name"])
    let name = own ?? within
    let path = try url.isEmpty ? file.firstText(["id", "path"]) : url
    let size = (file.integer("size") ?? inner?.object("meta")?.integer("size")).flatMap {
      Int(exactly: max($0, 0))
    }
    let shown = name ?? path?.split(separator: "/").last.map(String.init) ?? "file"
    let text = try inner?.object("data")?.plainText("content") ?? ""
    withTextPart { part in
      if text.isEmpty {
        part.attachments.append(Message.Attachment(name: shown, byteCount: size, path: path))
      } else {
        part.attach(shown, type: "text/plain", Array(text.utf8))
      }
    }
  }

  private mutating func attach(addressed url: String) { withTextPart { $0.attach(addressed: url) } }

  private mutating func withTextPart(_ body: (inout AssistantPart) -> Void) {
    let place = parts.firstIndex { $0.kind == .text || $0.kind == .system }
    if place == nil { parts.append(AssistantPart(kind: .text)) }
    body(&parts[place ?? parts.count - 1])
  }
}

/// Parts of a reply that the page folds: `<details type="reasoning">` and `<details type="tool_calls">`.
enum OpenWebUIDetails {
  static func parts(of text: Bytes) -> [AssistantPart] {
    var parts: [AssistantPart] = []
    var start = 0
    var search = 0
    while let found = text.position(of: "<details type=\"", from: search) {
      guard let open = endOfTag(text, from: found), let close = text.position(of: "</details>", from: open),
        let read = part(tag: slice(text, found, open), inside: slice(text, open + 1, close))
      else {
        search = found + 1
        continue
      }
      append(slice(text, start, found), to: &parts)
      parts += read
      start = close + 10
      search = start
    }
    append(slice(text, start, text.count), to: &parts)
    return parts
  }

  private static func slice(_ text: Bytes, _ start: Int, _ end: Int) -> Bytes {
    Bytes(rebasing: text[start..<end])
  }

  private static func append(_ text: Bytes, to parts: inout [AssistantPart]) {
    let plain = text.string.trimming { $0.isNewline }
    if !plain.isEmpty { parts.append(AssistantPart(kind: .text, text: plain)) }
  }

  /// A `>` within quotes does not end the tag.
  private static func endOfTag(_ text: Bytes, from start: Int) -> Int? {
    var isQuoted = false
    for position in start..<text.count {
      switch text[position] {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ">"): if !isQuoted { return position }
      default: continue
      }
    }
    return nil
  }

  private static func attribute(_ name: StaticString, _ tag: Bytes) -> String? {
    HTMLText.attribute(name, of: tag).map(unescaped)
  }

  private static func unescaped(_ text: String) -> String {
    var text = text
    return text.withUTF8 { CharacterReferences.decoded(Bytes($0), as: .html) }
  }

  private static func part(tag: Bytes, inside: Bytes) -> [AssistantPart]? {
    switch attribute(" type=", tag) {
    case "reasoning": return [AssistantPart(kind: .thinking, text: quoted(inside))]
    case "tool_calls", "code_interpreter":
      let name = attribute(" name=", tag) ?? "code_interpreter"
      let given = attribute(" arguments=", tag) ?? quoted(inside)
      var call = AssistantPart(kind: .tool, text: "\(name)\n\(given)")
      var argument = json(given)
      argument.withUTF8 { bytes in
        if let text = try? AssistantText.call(name, Bytes(bytes)) { call.text = text }
      }
      var result = AssistantPart(kind: .result)
      result.tool = name
      result.text = string(attribute(" result=", tag) ?? attribute(" output=", tag) ?? "")
      if attribute(" done=", tag) == "true" { result = result.ended() }
      return [call, result]
    default: return nil
    }
  }

  private static func json(_ text: String) -> String {
    let inner = string(text)
    return inner.hasPrefix("{") ? inner : text.hasPrefix("{") || text.hasPrefix("\"") ? text : "{}"
  }

  private static func string(_ text: String) -> String {
    guard text.hasPrefix("\"") else { return text }
    var copy = text
    return copy.withUTF8 { try? Bytes($0).jsonString() } ?? text
  }

  private static func quoted(_ inside: Bytes) -> String {
    let summary = inside.position(of: "</summary>").map { $0 + 10 } ?? 0
    let text = CharacterReferences.decoded(slice(inside, summary, inside.count), as: .html)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("> ") ? line.dropFirst(2) : line == ">" ? "" : line
    }
    return lines.joined(separator: "\n").trimming { $0.isNewline }
  }
}

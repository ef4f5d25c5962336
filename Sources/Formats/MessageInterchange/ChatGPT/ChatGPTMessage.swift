internal import MessageModel

struct ChatGPTMessage {
  private(set) var part = AssistantPart(kind: .text)
  private(set) var sender: String?
  private(set) var model: String?
  /// Whether it may well say nothing: steps of a reply are written before their content is known.
  private var isExpected = false

  var isSilent: Bool { part.isEmpty && isExpected }

  private static let assistant = "ChatGPT"
  private let assets: ChatGPTAssets

  init(_ message: JSONFields, _ assets: ChatGPTAssets, me: String) throws(JSONError) {
    self.assets = assets
    let author = message.object("author")
    let role = try author?.plainText("role") ?? "system"
    let content = message.object("content") ?? JSONFields()
    let metadata = message.object("metadata") ?? JSONFields()
    try read(content)
    try keepUnknown(content, message)
    switch role {
    case "user": sender = me
    case "assistant":
      sender = Self.assistant
      model = try metadata.plainText("model_slug")
      if let tool = try message.plainText("recipient"), tool != "all", part.kind == .text {
        part.kind = .tool
        part.text = part.text.isEmpty ? tool : "\(tool)\n\(part.text)"
      }
    case "tool":
      part.kind = .result
      part.tool = try author?.plainText("name") ?? "tool"
    case "system", "developer": part.kind = .system
    default: part.kind = .unknown
    }
    if metadata.isTrue("is_visually_hidden_from_conversation"), part.kind == .text { part.kind = .system }
    isExpected = message["content"] != nil && part.word == nil && (role != "user" || part.kind == .system)
    try metadata.forEach("attachments") { value throws(JSONError) in
      guard let file = JSONFields(value) else { return }
      try attach(file)
    }
  }

  private mutating func read(_ content: JSONFields) throws(JSONError) {
    switch try content.plainText("content_type") ?? "" {
    case "thoughts":
      part.kind = .thinking
      var thoughts: [String] = []
      try content.forEach("thoughts") { value throws(JSONError) in
        guard let thought = JSONFields(value) else { return }
        let lines = [try thought.plainText("summary"), try thought.plainText("content")]
        thoughts.append(lines.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "\n"))
      }
      part.text = thoughts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    case "reasoning_recap":
      part.kind = .thinking
      part.text = try content.plainText("content") ?? ""
    case "user_editable_context", "model_editable_context":
      part.kind = .system
      for key in ["user_profile", "user_instructions", "model_set_context"] {
        if let value = content[key] { part.text += try AssistantText.plain(value) + "\n" }
      }
    default:
      part.text = try content.firstText(["text", "result"]) ?? ""
      try readParts(content)
    }
    part.text = Self.withoutMarks(part.text).trimming { $0 == "\n" }
  }

  /// Content types that may be dropped if they have no text.
  private static let silentTypes: Set<String> = [
    "model_editable_context", "tether_browsing_display", "tether_quote", "system_error", "sonic_webpage",
    "super_widget", "app_pairing_content", "citable_code_output",
  ]

  /// Content types that may be dropped if their text is empty, and the key that has it.
  private static let textKeys = [
    "text": "parts", "multimodal_text": "parts", "code": "text", "execution_output": "text",
    "thoughts": "thoughts", "reasoning_recap": "content", "user_editable_context": "user_profile",
  ]

  private mutating func keepUnknown(_ content: JSONFields, _ message: JSONFields) throws(JSONError) {
    let type = try content.plainText("content_type") ?? ""
    let isKnown = Self.textKeys[type].map { content[$0] != nil } ?? Self.silentTypes.contains(type)
    guard part.isBlank, !isKnown else { return }
    part.text = message["content"]?.string ?? ""
  }

  private mutating func readParts(_ content: JSONFields) throws(JSONError) {
    var texts = part.text.isEmpty ? [] : [part.text]
    try content.forEach("parts") { value throws(JSONError) in
      guard let inner = JSONFields(value) else {
        let text = try AssistantText.plain(value)
        if !text.isEmpty, text != "null" { texts.append(text) }
        return
      }
      let text = try inner.plainText("text")
      if let text { texts.append(text) }
      try attach(pointersIn: inner)
      if text == nil, part.attachments.isEmpty { part.word = try inner.plainText("content_type") }
    }
    part.text = texts.joined(separator: "\n")
  }

  private mutating func attach(pointersIn inner: JSONFields) throws(JSONError) {
    if let pointer = try inner.plainText("asset_pointer") {
      // `file-service://file-AbC`, `sediment://file_0ab`
      let id = String(pointer.split(separator: "/").last ?? "").prefix { $0 != "#" && $0 != "?" }
      let path = assets.path(of: String(id))
      let name = path?.split(separator: "/").last.map(String.init) ?? String(id)
      guard !part.attachments.contains(where: { $0.name == name }) else { return }
      part.attachments.append(
        Message.Attachment(name: name, byteCount: size(inner["size_bytes"]), path: path ?? String(id)))
    }
    for key in ["audio_asset_pointer", "video_container_asset_pointer"] {
      if let deeper = inner.object(key) { try attach(pointersIn: deeper) }
    }
  }

  private mutating func attach(_ file: JSONFields) throws(JSONError) {
    guard let id = try file.plainText("id") else { return }
    let path = assets.path(of: id)
    let name = try file.plainText("name") ?? id
    if let path, let known = part.attachments.firstIndex(where: { $0.path == path }) {
      part.attachments[known].name = name
      return
    }
    part.attachments.append(
      Message.Attachment(
        name: name, mediaType: try file.firstText(["mime_type", "mimeType"]), byteCount: size(file["size"]),
        path: path ?? id))
  }

  private func size(_ value: Bytes?) -> Int? {
    value.flatMap { Int($0.string) }.flatMap { $0 < 0 ? nil : $0 }
  }

  /// Removes the marks of links, between two characters of private use.
  private static func withoutMarks(_ text: String) -> String {
    guard text.unicodeScalars.contains("\u{E200}") else { return text }
    var result = String.UnicodeScalarView()
    var isInside = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\u{E200}": isInside = true
      case "\u{E201}": isInside = false
      default: if !isInside { result.append(scalar) }
      }
    }
    return isInside ? text : String(result)
  }
}

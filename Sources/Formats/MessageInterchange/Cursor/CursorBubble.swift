internal import MessageModel

struct CursorBubble {
  private(set) var parts: [AssistantPart] = []
  private(set) var id: String?
  private(set) var isMine = false
  private(set) var model: String?
  private(set) var folder: String?
  /// Most messages before autumn 2025 have none.
  private(set) var time: CursorSession.Moment?

  init(_ bubble: JSONFields, _ original: Bytes, _ times: inout LooseTime) throws(JSONError) {
    id = try bubble.firstText(["bubbleId", "id"])
    time = try Self.time(bubble, &times)
    let older = try bubble.plainText("modelType")
    model = try bubble.object("modelInfo")?.plainText("modelName") ?? older
    try bubble.forEach("workspaceUris") { value throws(JSONError) in
      if folder == nil { folder = try AssistantText.plain(value) }
    }
    switch try bubble.plainText("type") {
    case "1", "user":
      isMine = true
      try readQuestion(bubble)
    case "2", "ai": try readAnswer(bubble)
    default: parts = [.unknown(original)]
    }
    try readSummary(bubble)
    // A reply has messages of their own for its steps, which may be empty.
    parts = isMine ? parts.said : parts.filter { !$0.isEmpty }
  }

  private static func time(
    _ bubble: JSONFields, _ times: inout LooseTime
  ) throws(JSONError) -> CursorSession.Moment? {
    if let created = bubble["createdAt"], let time = try times.moment(in: created) { return time }
    // Some of these values count from the program's start instead of 1970.
    let timing = bubble.object("timingInfo") ?? JSONFields()
    for key in ["clientRpcSendTime", "clientSettleTime", "clientEndTime"] {
      guard let value = timing.integer(key), value > 1_000_000_000_000 else { continue }
      return (Timestamp(millisecondsSince1970: value), .millisecond)
    }
    return nil
  }

  private mutating func readQuestion(_ bubble: JSONFields) throws(JSONError) {
    var part = AssistantPart(kind: .text, text: try bubble.plainText("text") ?? "")
    var known: Set<String> = []
    for holder in [bubble, bubble.object("context") ?? JSONFields()] {
      for key in ["images", "selectedImages", "fileSelections", "folderSelections", "attachedFolders"] {
        try holder.forEach(key) { value throws(JSONError) in
          guard let path = try Self.path(JSONFields(value)), known.insert(path).inserted else { return }
          let name = path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init)
          part.attachments.append(Message.Attachment(name: name ?? path, path: path))
        }
      }
    }
    parts.append(part)
  }

  private static func path(_ fields: JSONFields?) throws(JSONError) -> String? {
    guard let fields else { return nil }
    let uri = fields.object("uri") ?? fields
    let path = try uri.firstText(["path", "fsPath", "_fsPath", "relativePath", "uuid"])
    return path.flatMap { $0.isEmpty ? nil : $0 }
  }

  private mutating func readAnswer(_ bubble: JSONFields) throws(JSONError) {
    try readThoughts(bubble)
    let text = (try bubble.firstText(["text", "rawText"]) ?? "").trimming { $0 == "\n" }
    let call = bubble.object("toolFormerData")
    let name = try call?.plainText("name") ?? ""
    let code = text.isEmpty && name.isEmpty ? try code(bubble) : ""
    parts.append(AssistantPart(kind: .text, text: text.isEmpty ? code : text))
    if let call, !name.isEmpty { try readCall(call, name) }
    try bubble.forEach("suggestedDiffs") { value throws(JSONError) in
      parts.append(AssistantPart(kind: .tool, text: "suggested change\n\(value.string)"))
    }
    if let error = bubble.object("errorDetails") {
      let reason = try error.firstText(["message", "error", "title"]) ?? bubble["errorDetails"]?.string ?? ""
      parts.append(AssistantPart(kind: .system, text: "failed: \(reason)"))
    }
  }

  private mutating func readThoughts(_ bubble: JSONFields) throws(JSONError) {
    var texts: [String] = []
    if let thought = bubble["thinking"] {
      let fields = JSONFields(thought)
      texts.append(try fields == nil ? AssistantText.plain(thought) : fields?.plainText("text") ?? "")
    }
    if texts.allSatisfy(\.isEmpty) {
      try bubble.forEach("allThinkingBlocks") { value throws(JSONError) in
        texts.append(try JSONFields(value)?.firstText(["thinking", "text"]) ?? "")
      }
    }
    for text in texts where !text.isEmpty {
      parts.append(AssistantPart(kind: .thinking, text: text.trimming { $0 == "\n" }))
    }
  }

  private func code(_ bubble: JSONFields) throws(JSONError) -> String {
    var blocks: [String] = []
    try bubble.forEach("codeBlocks") { value throws(JSONError) in
      guard let block = JSONFields(value), let content = try block.plainText("content"), !content.isEmpty
      else { return }
      blocks.append("```\(try block.plainText("languageId") ?? "")\n\(content)\n```")
    }
    return blocks.joined(separator: "\n")
  }

  private mutating func readCall(_ call: JSONFields, _ name: String) throws(JSONError) {
    // Some calls only have the model's arguments, others only what Cursor made of them.
    let given = [call["rawArgs"], call["params"]].compactMap { $0 }.first { $0.count > 2 }
    parts.append(AssistantPart(kind: .tool, text: try AssistantText.call(name, given)))
    var result = AssistantPart(kind: .result)
    result.tool = name
    result.text = try call["result"].map(Self.result) ?? ""
    let status = try call.plainText("status") ?? ""
    let reason = try call["error"].map(Self.reason)
    if try call.plainText("userDecision") == "rejected" {
      result.text = ["rejected", reason].compactMap { $0 }.joined(separator: ": ")
    } else if status == "error" || reason != nil {
      result.text = "failed: \(reason ?? result.text)"
    } else if status == "cancelled" {
      result.text = result.text.isEmpty ? "cancelled" : "cancelled: \(result.text)"
    } else if status == "completed" {
      result = result.ended()
    }
    parts.append(result)
  }

  /// A command's output, a file's text or an edit's changed lines, or else the JSON.
  private static func result(_ value: Bytes) throws(JSONError) -> String {
    try Self.reading(value) { fields, text throws(JSONError) in
      var found: String?
      for key in ["output", "contents", "content"] where found?.isEmpty != false {
        found = try fields.plainText(key) ?? found
      }
      if let found { return found }
      var chunks: [String] = []
      try fields.object("diff")?.forEach("chunks") { chunk throws(JSONError) in
        if let lines = try JSONFields(chunk)?.plainText("diffString") { chunks.append(lines) }
      }
      if !chunks.isEmpty { return chunks.joined(separator: "\n") }
      return fields.keys.isEmpty ? "" : text
    }
  }

  private static func reason(_ value: Bytes) throws(JSONError) -> String {
    try Self.reading(value) { fields, text throws(JSONError) in
      try fields.firstText(["clientVisibleErrorMessage", "modelVisibleErrorMessage", "message"]) ?? text
    }
  }

  private static func reading(
    _ value: Bytes, _ body: (JSONFields, String) throws(JSONError) -> String
  ) throws(JSONError) -> String {
    var text = try AssistantText.plain(value)
    let plain = text
    let found: Result<String, JSONError>? = text.withUTF8 { bytes in
      guard let fields = JSONFields(Bytes(bytes)) else { return nil }
      return Result { () throws(JSONError) in try body(fields, plain) }
    }
    return try found?.get() ?? plain
  }

  /// Cursor's summary of the earlier messages, written when they became too many.
  private mutating func readSummary(_ bubble: JSONFields) throws(JSONError) {
    guard let value = bubble["conversationSummary"] ?? bubble["cachedConversationSummary"] else { return }
    let summary = try Self.reading(value) { fields, text throws(JSONError) in
      try fields.plainText("summary") ?? ""
    }
    if !summary.isEmpty { parts.append(AssistantPart(kind: .system, text: "compacted: \(summary)")) }
  }
}

internal import MessageModel

struct CopilotChat {
  private var reader: AssistantReader
  private let folder: String?
  private var id: String
  private var title: String?
  private var asked: String?
  private var start: Timestamp?
  private var count = 0
  private var known = LastAssistantConversation()

  init(file: InputFile, options: ImportOptions) {
    reader = AssistantReader("copilot-chat", assistant: "GitHub Copilot", options)
    let name = file.name
    id =
      name.hasSuffix(".jsonl")
      ? String(name.dropLast(6)) : name.hasSuffix(".json") ? String(name.dropLast(5)) : name
    folder = Self.folder(beside: file)
  }

  private static func folder(beside file: InputFile) -> String? {
    let address = file.facts(in: "workspace.json")?.withUnsafeBytes { bytes in
      (try? JSONFields(bytes)?.firstText(["folder", "workspace"])) ?? nil
    }
    return address?.replacingEscapes(after: "%")
  }

  mutating func note(_ key: String, _ value: Bytes) throws(JSONError) {
    switch key {
    case "sessionId": id = try AssistantText.plain(value)
    case "customTitle": if value.first == UInt8(ascii: "\"") { title = try AssistantText.plain(value) }
    case "responderUsername":
      let name = try AssistantText.plain(value)
      if !name.isEmpty { reader.assistant = name }
    case "creationDate":
      start = Int64(value.string).map { Timestamp(millisecondsSince1970: $0) }
    default: break
    }
  }

  mutating func noteRequest(_ value: Bytes) {
    guard asked == nil, let request = JSONFields(value), let text = try? Self.text(of: request) else {
      return
    }
    asked = AssistantConversation.title(text)
  }

  private static func text(of request: JSONFields) throws(JSONError) -> String {
    if let text = try request.object("message")?.plainText("text") { return text }
    return try request.plainText("message") ?? ""
  }

  // MARK: Requests

  mutating func take(_ value: Bytes, into sink: inout RecordSink) throws(JSONError) {
    count += 1
    let request = try JSONFields.reading(value)
    let own = try request.plainText("requestId") ?? "request \(count)"
    let written = request.integer("timestamp").map { Timestamp(millisecondsSince1970: $0) }
    guard let time = written ?? start else { throw JSONError(reason: "it has no time") }
    start = time
    let talk = known.conversation(reader.platform, id: id, folder: folder, title: title ?? asked)
    let key = "\(id)/\(own)"
    let isOfProgram = request.isTrue("isSystemInitiated")
    var question = try asked(request)
    if isOfProgram { question.becomeNote() }
    reader.append(
      [question], at: time, by: isOfProgram ? .program : .me, id: key, original: value, in: talk, into: &sink)
    let model = try request.plainText("modelId")
    let resolved = try request.object("result")?.object("metadata")?.plainText("resolvedModel")
    reader.append(
      try answered(request), at: time, by: .assistant(model: resolved ?? model), id: "\(key)/answer",
      in: talk,
      into: &sink)
    try end(request, at: time, key, talk, into: &sink)
  }

  private func asked(_ request: JSONFields) throws(JSONError) -> AssistantPart {
    var part = AssistantPart(kind: .text, text: try Self.text(of: request))
    try request.object("variableData")?.forEach("variables") { value throws(JSONError) in
      guard let variable = JSONFields(value), let kind = try variable.plainText("kind"),
        kind == "file" || kind == "image" || kind == "directory"
      else { return }
      let place = variable.object("value")
      let path =
        try (place?.object("uri") ?? place)?.firstText(["fsPath", "path"])
      let name = try variable.plainText("name") ?? path ?? "file-\(part.attachments.count + 1)"
      let type = try variable.plainText("mimeType")
      part.attachments.append(Message.Attachment(name: name, mediaType: type, path: path))
    }
    return part
  }

  private func end(
    _ request: JSONFields, at time: Timestamp, _ key: String, _ talk: AssistantConversation,
    into sink: inout RecordSink
  ) throws(JSONError) {
    let result = request.object("result")
    var parts: [AssistantPart] = []
    if let failure = try result?.object("errorDetails")?.plainText("message"), !failure.isEmpty {
      parts.append(AssistantPart.note("failed: \(failure)"))
    } else if request.isTrue("isCanceled") {
      parts.append(AssistantPart.note("cancelled"))
    }
    reader.append(parts, at: time, id: "\(key)/end", in: talk, into: &sink)
    let facts = result?.object("metadata")
    var usage = TurnUsage()
    usage.add(
      sent: facts?.integer("promptTokens") ?? request.integer("promptTokens"),
      received: facts?.integer("outputTokens") ?? request.integer("completionTokens"))
    guard !usage.isEmpty else { return }
    reader.append([usage.part], at: time, id: "\(key)/usage", in: talk, into: &sink)
  }

  // MARK: Replies

  private func answered(_ request: JSONFields) throws(JSONError) -> [AssistantPart] {
    let calls = try CopilotChatCalls(request.object("result")?.object("metadata"))
    var parts: [AssistantPart] = []
    try request.forEach("response") { value throws(JSONError) in
      try take(JSONFields(value) ?? JSONFields(), value, calls, &parts)
    }
    if parts.allSatisfy(\.isEmpty) { return parts.said }
    for place in parts.indices where parts[place].kind == .text { parts[place].text.trimLines() }
    return parts.filter { !$0.isBlank }
  }

  private func take(
    _ piece: JSONFields, _ value: Bytes, _ calls: CopilotChatCalls, _ parts: inout [AssistantPart]
  ) throws(JSONError) {
    switch try piece.plainText("kind") ?? "" {
    case "", "markdownContent", "markdownVuln":
      guard let text = piece["value"] ?? piece["content"] else { return parts.append(.unknown(value)) }
      parts.say(try Self.text(of: text))
    case "inlineReference":
      let place = piece.object("inlineReference")
      let inner = place?.object("location")?.object("uri") ?? place?.object("uri") ?? place
      let path = try inner?.firstText(["fsPath", "path"])
      let (own, other) = (try piece.plainText("name"), try place?.plainText("name"))
      guard let name = own ?? other ?? path else { return parts.append(.unknown(value)) }
      parts.say("`\(name)`")
    case "thinking":
      let text = try Self.text(of: piece["value"])
      if parts.last?.kind == .thinking {
        parts[parts.count - 1].text += text
      } else {
        parts.append(AssistantPart(kind: .thinking, text: text))
      }
    case "toolInvocationSerialized", "toolInvocation": parts += try calls.parts(of: piece)
    case "textEditGroup", "notebookEditGroup", "workspaceEdit":
      let path = try piece.object("uri")?.firstText(["fsPath", "path"]) ?? ""
      let call = "edit\nfile: \(path)"
      if parts.last?.text != call { parts.append(AssistantPart(kind: .tool, text: call)) }
    case "warning", "confirmation", "elicitation", "elicitationSerialized":
      let text = try Self.text(of: piece["content"] ?? piece["message"] ?? piece["title"])
      parts.append(AssistantPart.note(text))
    case "progressMessage", "progressTask", "progressTaskSerialized", "codeblockUri", "undoStop",
      "prepareToolInvocation", "mcpServersStarting", "command", "reference", "codeCitation", "extensions",
      "pullRequest", "treeData", "multiDiffData", "usedContext", "contentReference", "move", "hook",
      "questionCarousel", "clearToPreviousToolInvocation":
      break
    default: parts.append(.unknown(value))
    }
  }

  static func text(of value: Bytes?) throws(JSONError) -> String {
    guard let value else { return "" }
    if let fields = JSONFields(value) { return try fields.firstText(["value", "text"]) ?? "" }
    guard value.first == UInt8(ascii: "[") else { return try AssistantText.plain(value) }
    var texts: [String] = []
    var scanner = JSONScanner(value)
    try scanner.array { scanner throws(JSONError) in
      let element = try scanner.value()
      let text = try JSONFields(element)?.firstText(["value", "text"])
      let plain = try AssistantText.plain(element)
      texts.append(text ?? plain)
    }
    return texts.joined()
  }
}

/// A request's tool calls from its metadata: the reply only contains what the user saw.
struct CopilotChatCalls {
  private var given: [String: (name: String, arguments: Bytes?)] = [:]
  private var results: [String: Bytes] = [:]

  init(_ metadata: JSONFields?) throws(JSONError) {
    try metadata?.forEach("toolCallRounds") { round throws(JSONError) in
      try JSONFields(round)?.forEach("toolCalls") { value throws(JSONError) in
        guard let call = JSONFields(value), let id = try call.plainText("id") else { return }
        given[id] = (try call.plainText("name") ?? "tool", call["arguments"])
      }
    }
    if let all = metadata?.object("toolCallResults") { for id in all.keys { results[id] = all[id] } }
  }

  func parts(of piece: JSONFields) throws(JSONError) -> [AssistantPart] {
    let id = try piece.plainText("toolCallId") ?? ""
    let known = given[id] ?? given.first { id.hasPrefix($0.key) && !$0.key.isEmpty }?.value
    let tool = try piece.plainText("toolId")
    let name = known?.name ?? tool ?? "tool"
    var call = AssistantPart(kind: .tool)
    if let known {
      call.text = try AssistantText.call(name, known.arguments)
    } else {
      call.text = ([name] + (try shown(piece))).joined(separator: "\n")
    }
    var result = AssistantPart(kind: .result)
    result.tool = name
    result.text = try output(of: piece, id)
    let isComplete = piece.isTrue("isComplete")
    return [call, isComplete ? result.ended() : result].filter { !$0.isEmpty }
  }

  private func shown(_ piece: JSONFields) throws(JSONError) -> [String] {
    let data = piece.object("toolSpecificData")
    let line = data?.object("commandLine")
    let typed = try line?.firstText(["userEdited", "toolEdited", "original"])
    let named = try data?.plainText("command")
    if let command = typed ?? named {
      return ["command: \(command)"]
    }
    if let input = data?.object("rawInput").flatMap({ _ in data?["rawInput"] }) {
      return [try AssistantText.arguments(input)]
    }
    var lines: [String] = []
    for key in ["agentName", "description", "prompt"] {
      if let text = try data?.plainText(key) { lines.append("\(key): \(text)") }
    }
    let message = try CopilotChat.text(of: piece["pastTenseMessage"] ?? piece["invocationMessage"])
    if lines.isEmpty, !message.isEmpty { lines.append(message) }
    if let input = try piece.object("resultDetails")?.plainText("input") { lines.append("input: \(input)") }
    return lines
  }

  private func output(of piece: JSONFields, _ id: String) throws(JSONError) -> String {
    let data = piece.object("toolSpecificData")
    if let result = results[id].flatMap({ JSONFields($0) }) {
      var texts: [String] = []
      try result.forEach("content") { value throws(JSONError) in
        guard let part = JSONFields(value), let inner = part["value"] else { return }
        try Self.gather(inner, into: &texts)
      }
      if !texts.isEmpty { return texts.joined() }
    }
    if let text = try data?.object("terminalCommandOutput")?.plainText("text") {
      let code = data?.object("terminalCommandState")?.integer("exitCode") ?? 0
      return code == 0 ? text : "failed (\(code)): \(text)"
    }
    let details = piece.object("resultDetails")
    var texts: [String] = []
    try details?.forEach("output") { value throws(JSONError) in
      if let text = try JSONFields(value)?.plainText("value") { texts.append(text) }
    }
    let text = texts.isEmpty ? try data?.plainText("result") ?? "" : texts.joined(separator: "\n")
    return details?.isTrue("isError") == true ? "failed: \(text)" : text
  }

  private static let deepest = 64

  private static func gather(_ value: Bytes, into texts: inout [String], depth: Int = 0) throws(JSONError) {
    guard depth < deepest else { return }
    var scanner = JSONScanner(value)
    switch try scanner.kind() {
    case .string: texts.append(try scanner.string().string())
    case .array:
      try scanner.array { scanner throws(JSONError) in
        let element = try scanner.value()
        if element.first != UInt8(ascii: "\"") { try gather(element, into: &texts, depth: depth + 1) }
      }
    case .object:
      try scanner.object { scanner, key throws(JSONError) in
        let name = try key.string()
        let inner = try scanner.value()
        switch name {
        case "text" where inner.first == UInt8(ascii: "\""): texts.append(try AssistantText.plain(inner))
        case "node", "children": try gather(inner, into: &texts, depth: depth + 1)
        default: break
        }
      }
    case .number, .literal: break
    }
  }
}

extension [AssistantPart] {
  fileprivate mutating func say(_ text: String) {
    guard last?.kind == .text else {
      append(AssistantPart(kind: .text, text: text))
      return
    }
    self[count - 1].text += text
  }
}

extension String {
  fileprivate mutating func trimLines() {
    let own = drop(while: \.isNewline)
    self = String(own[..<(own.lastIndex { !$0.isNewline }.map { own.index(after: $0) } ?? own.startIndex)])
  }
}

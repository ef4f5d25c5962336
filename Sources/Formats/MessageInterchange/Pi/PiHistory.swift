internal import MessageModel

struct PiHistory: JSONSessionRows {
  private static let platform = "pi"

  private let options: ImportOptions
  private let outline: PiOutline
  private let fileName: String
  private let assistant: String
  private let isFollowed: Bool
  private var times: LooseTime
  private var tools = ToolNames()
  private var session: (id: String, talk: AssistantConversation)?
  private var last: Timestamp?
  private var usage = TurnUsage()
  private var turn: (id: String, talk: AssistantConversation)?
  private var branches: [String: AssistantConversation] = [:]
  private(set) var hasSeenItsFormat = false

  private static let openClawNames: Set<String> = [
    ".openclaw", "openclaw", ".clawdbot", "clawdbot", ".moltbot", "moltbot",
  ]

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    times = LooseTime(options)
    outline = PiOutline(of: file)
    fileName = file.name
    isFollowed = file.source.isReadOn
    assistant = Self.openClawNames.isDisjoint(with: file.components) ? "Pi" : "OpenClaw"
  }

  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    hasSeenItsFormat = true
    if try fields.plainText("type") == "session" { return try begin(fields, line, into: &sink) }
    let own = try fields.plainText("id")
    let (parts, sender, model) = try said(fields, line)
    guard !parts.isEmpty || !usage.isEmpty else { return }
    guard let time = try moment(fields) else { throw JSONError(reason: "it has no time") }
    let (id, trunk) = session ?? unnamed()
    let talk = talk(of: own, trunk)
    let conversation = sink.conversation(of: talk, options)
    let key = "\(id)/\(own ?? "\(time.millisecondsSince1970)-\(number)")"
    if sender == options.me ?? "me" {
      close(into: &sink)
      turn = (key, talk)
    }
    last = time
    sink.append(
      parts, at: time, by: sender, senderID: model, platform: Self.platform, id: key,
      original: options.keepsOriginal ? line : nil, conversation: conversation)
  }

  mutating func finish(into sink: inout RecordSink) {
    if !isFollowed { close(into: &sink) }
  }

  private mutating func close(into sink: inout RecordSink) {
    guard let turn, let last, !usage.isEmpty else { return }
    sink.append(
      [usage.part], at: last, by: nil, platform: Self.platform, id: "\(turn.id)/usage",
      conversation: sink.conversation(of: turn.talk, options))
    usage = TurnUsage()
  }

  private mutating func moment(_ fields: JSONFields) throws(JSONError) -> Timestamp? {
    if let written = try fields.plainText("timestamp"), let time = times.read(written)?.time { return time }
    return try fields.object("message")?.plainText("timestamp").flatMap { times.read($0)?.time }
  }

  // MARK: Where it belongs

  private mutating func begin(
    _ fields: JSONFields, _ line: Bytes, into sink: inout RecordSink
  ) throws(JSONError) {
    guard session == nil else { return }
    let id = try fields.plainText("id") ?? fileName
    let folder = try fields.plainText("cwd")
    let talk = AssistantConversation(Self.platform, id: id, folder: folder, title: outline.title)
    session = (id, talk)
    guard let time = try moment(fields) else { throw JSONError(reason: "it has no time") }
    var told = [folder.map { "session in \($0)" } ?? "session"]
    if let version = try fields.plainText("version") { told.append("\(assistant), format \(version)") }
    if let parent = try fields.firstText(["branchedFrom", "parentSession"]) {
      let name = parent.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init)
      told.append("branched from \(name ?? parent)")
    }
    sink.append(
      [AssistantPart.note(told.joined(separator: ", "))], at: time, by: nil,
      platform: Self.platform, id: "\(id)/start", original: options.keepsOriginal ? line : nil,
      conversation: sink.conversation(of: talk, options))
  }

  private mutating func unnamed() -> (id: String, talk: AssistantConversation) {
    let made = (fileName, AssistantConversation(Self.platform, id: fileName, title: outline.title))
    session = made
    return made
  }

  private mutating func talk(of entry: String?, _ trunk: AssistantConversation) -> AssistantConversation {
    guard let branch = entry.flatMap({ outline.branch(of: $0) }) else { return trunk }
    if let known = branches[branch.id] { return known }
    let talk = AssistantConversation("left behind", of: trunk, id: branch.id, title: branch.title)
    branches[branch.id] = talk
    return talk
  }

  // MARK: Content

  private typealias Said = (parts: [AssistantPart], sender: String?, model: String?)

  private mutating func said(_ fields: JSONFields, _ line: Bytes) throws(JSONError) -> Said {
    switch try fields.plainText("type") ?? "" {
    case "message":
      guard let message = fields.object("message") else { return ([.unknown(line)], nil, nil) }
      return try self.message(message, line)
    case "custom_message": return (try content(of: fields, .system, line), nil, nil)
    case "compaction":
      let count = fields.integer("tokensBefore").map { " (\($0) tokens)" } ?? ""
      return (Self.told("context compacted\(count)", try fields.plainText("summary")), nil, nil)
    case "branch_summary":
      return (Self.told("went back to another branch", try fields.plainText("summary")), nil, nil)
    case "model_change":
      let model = try fields.plainText("modelId") ?? ""
      return (
        model.isEmpty
          ? [AssistantPart(kind: .system, word: "model_change")] : Self.told("model: \(model)", nil),
        nil, nil
      )
    case "thinking_level_change", "custom", "label", "session_info", "title", "leaf",
      "child_usage_attributed":
      return ([], nil, nil)
    default: return ([.unknown(line)], nil, nil)
    }
  }

  private func content(
    of message: JSONFields, _ kind: Message.Kind, _ line: Bytes
  ) throws(JSONError) -> [AssistantPart] {
    guard message["content"] != nil else { return [.unknown(line)] }
    return try PiContent.parts(of: message, kind) { _, _ in }.said
  }

  private static func told(_ fact: String, _ text: String?) -> [AssistantPart] {
    let lines = [fact, text].compactMap { $0 }.filter { !$0.isEmpty }
    return [AssistantPart.note(lines.joined(separator: "\n"))]
  }

  private mutating func message(_ message: JSONFields, _ line: Bytes) throws(JSONError) -> Said {
    var calls: [(String?, String)] = []
    switch try message.plainText("role") ?? "" {
    case "user": return (try content(of: message, .text, line), options.me ?? "me", nil)
    case "assistant":
      guard message["content"] != nil else { return ([.unknown(line)], assistant, nil) }
      var parts = try PiContent.parts(of: message, .text) { calls.append(($0, $1)) }
      for (id, name) in calls { tools.note(id, name) }
      if let failure = try message.plainText("errorMessage"), !failure.isEmpty {
        parts.append(AssistantPart.note("failed: \(failure)"))
      }
      addUsage(message.object("usage"))
      return (parts.said, assistant, try message.plainText("model"))
    case "toolResult":
      let called = tools.name(of: try message.plainText("toolCallId"))
      let name = try message.plainText("toolName") ?? called
      return ([try result(message, of: name)], nil, nil)
    case "bashExecution":
      return (try shell(message), options.me ?? "me", nil)
    case "compactionSummary", "branchSummary":
      return (Self.told("summary", try message.plainText("summary")), nil, nil)
    case "custom", "system", "developer", "hookMessage", "":
      return (try content(of: message, .system, line), nil, nil)
    default: return ([.unknown(line)], nil, nil)
    }
  }

  private func result(_ message: JSONFields, of name: String) throws(JSONError) -> AssistantPart {
    var result = AssistantPart(kind: .result)
    result.tool = name
    var texts: [String] = []
    for part in try PiContent.parts(of: message, .result, { _, _ in }) {
      if !part.text.isEmpty { texts.append(part.text) }
      result.adopt(part)
    }
    result.text = texts.joined(separator: "\n")
    if message.isTrue("isError") { result.text = "failed: \(result.text)" }
    return result.ended()
  }

  private func shell(_ message: JSONFields) throws(JSONError) -> [AssistantPart] {
    var result = AssistantPart(kind: .result, text: try message.plainText("output") ?? "")
    result.tool = "bash"
    if let code = message.integer("exitCode"), code != 0 { result.text = "failed (\(code)): \(result.text)" }
    return [
      AssistantPart(kind: .text, text: "! \(try message.plainText("command") ?? "")"), result.ended(),
    ]
  }

  private mutating func addUsage(_ usage: JSONFields?) {
    guard let usage else { return }
    let cached = max(0, min(usage.integer("cacheRead") ?? 0, 1 << 40))
    let written = max(0, min(usage.integer("cacheWrite") ?? 0, 1 << 40))
    let fresh = max(0, min(usage.integer("input") ?? 0, 1 << 40))
    self.usage.add(
      sent: fresh + cached + written, received: usage.integer("output"), cached: cached,
      cost: usage.object("cost")?.real("total"))
  }
}

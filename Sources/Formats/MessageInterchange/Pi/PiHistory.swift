internal import MessageModel

struct PiHistory: JSONSessionRows {
  private var reader: AssistantReader
  private let outline: PiOutline
  private let fileName: String
  private let isFollowed: Bool
  private var times: LooseTime
  private var tools = ToolNames()
  private var session: (id: String, talk: AssistantConversation)?
  private(set) var hasSeenItsFormat = false
  private var isOfDroid = false
  /// The time of an entry that has none of its own.
  var writtenAt: Timestamp?
  /// The entries of the session of which the file is a checkpoint.
  private var copied: Set<String> = []

  private static let openClawNames: Set<String> = [
    ".openclaw", "openclaw", ".clawdbot", "clawdbot", ".moltbot", "moltbot",
  ]

  init(file: InputFile, options: ImportOptions) {
    let isPi = Self.openClawNames.isDisjoint(with: file.components)
    reader = AssistantReader("pi", assistant: isPi ? "Pi" : "OpenClaw", options)
    times = LooseTime(options)
    outline = PiOutline(of: file)
    fileName = file.name
    isFollowed = file.source.isReadOn
    copied = Self.entries(ofSessionOf: file)
  }

  /// OpenClaw copied a session before it was compacted, `ID.checkpoint.ID.jsonl`. The session itself has its entries,
  /// unless they were trimmed.
  private static func entries(ofSessionOf checkpoint: InputFile) -> Set<String> {
    let name = checkpoint.name
    guard AssistantPlace.fits(name, "*.checkpoint.*.jsonl"), let end = name.firstRange(of: ".checkpoint."),
      let session = Transcript("\(name[..<end.lowerBound]).jsonl", beside: checkpoint)
    else { return [] }
    var ids: Set<String> = []
    session.look { (fields) throws(JSONError) in
      if try fields.plainText("type") != "session", let id = try fields.plainText("id") { ids.insert(id) }
    }
    return ids
  }

  /// The entries of a session in OpenClaw's database are passed to ``take(_:_:number:into:)`` one by one.
  init(openClaw session: String, _ outline: PiOutline, _ options: ImportOptions) {
    reader = AssistantReader("pi", assistant: "OpenClaw", options)
    times = LooseTime(options)
    self.outline = outline
    fileName = session
    isFollowed = false
  }

  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    // Entries of Droid have the same keys.
    isOfDroid = isOfDroid || DroidHistory.isHead(fields)
    guard !isOfDroid else { throw JSONError(reason: "it belongs to a session of Droid") }
    hasSeenItsFormat = true
    try Self.withEntry(of: fields) { (entry, text) throws(JSONError) in
      try take(entry: entry, text ?? line, number: number, into: &sink)
    }
  }

  private mutating func take(
    entry fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    if try fields.plainText("type") == "session" { return try begin(fields, line, into: &sink) }
    let own = try fields.plainText("id")
    if let own, copied.contains(own) { return }
    try noteTitle(fields, into: &sink)
    let (parts, speaker) = try said(fields, line)
    guard !parts.isEmpty || !reader.usage.isEmpty else { return }
    guard let time = try moment(fields) else { throw JSONError(reason: "it has no time") }
    let (id, trunk) = session ?? unnamed()
    let talk = talk(of: own, trunk)
    let key = "\(id)/\(own ?? "\(time.millisecondsSince1970)-\(number)")"
    if case .me = speaker { reader.beginTurn(key, in: talk, into: &sink) }
    reader.last = time
    reader.append(parts, at: time, by: speaker, id: key, original: line, in: talk, into: &sink)
    if isFollowed, try Self.endsTurn(fields) { reader.noteUsage(into: &sink) }
  }

  private static func endsTurn(_ fields: JSONFields) throws(JSONError) -> Bool {
    let reason = try fields.object("message")?.plainText("stopReason")
    return reason != nil && reason != "toolUse"
  }

  mutating func finish(into sink: inout RecordSink) {
    if !isFollowed { reader.endTurn(into: &sink) }
  }

  private mutating func moment(_ fields: JSONFields) throws(JSONError) -> Timestamp? {
    if let written = try fields.plainText("timestamp"), let time = times.read(written)?.time { return time }
    let ofMessage = try fields.object("message")?.plainText("timestamp")
    return ofMessage.flatMap { times.read($0)?.time } ?? writtenAt
  }

  private mutating func begin(
    _ fields: JSONFields, _ line: Bytes, into sink: inout RecordSink
  ) throws(JSONError) {
    guard session == nil else { return }
    let id = try fields.plainText("id") ?? fileName
    let folder = try fields.plainText("cwd")
    let talk = AssistantConversation(reader.platform, id: id, folder: folder, title: outline.title)
    session = (id, talk)
    guard copied.isEmpty else { return }
    guard let time = try moment(fields) else { throw JSONError(reason: "it has no time") }
    var told = [folder.map { "session in \($0)" } ?? "session"]
    if let version = try fields.plainText("version") { told.append("\(reader.assistant), format \(version)") }
    if let parent = try fields.firstText(["branchedFrom", "parentSession"]) {
      let name = parent.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init)
      told.append("branched from \(name ?? parent)")
    }
    reader.append(
      [.note(told.joined(separator: ", "))], at: time, id: "\(id)/start", original: line, in: talk,
      into: &sink)
  }

  private mutating func unnamed() -> (id: String, talk: AssistantConversation) {
    let made = (fileName, AssistantConversation(reader.platform, id: fileName, title: outline.title))
    session = made
    return made
  }

  /// A session that is followed has no title before its first question, and another one once it is renamed.
  private mutating func noteTitle(_ fields: JSONFields, into sink: inout RecordSink) throws(JSONError) {
    guard isFollowed, let known = session?.talk else { return }
    if try fields.plainText("type") == "session_info", let name = try fields.plainText("name") {
      session?.talk.retitle(name)
    } else if !known.hasTitle, let question = try PiOutline.question(fields) {
      session?.talk.retitle(question)
    }
    if let talk = session?.talk, talk != known { sink.note(titleOf: talk, reader.options) }
  }

  private mutating func talk(of entry: String?, _ trunk: AssistantConversation) -> AssistantConversation {
    guard let branch = entry.flatMap({ outline.branch(of: $0) }) else { return trunk }
    return reader.leftBehind(branch.id, title: branch.title, of: trunk)
  }

  private typealias Said = (parts: [AssistantPart], speaker: AssistantReader.Speaker)

  private mutating func said(_ fields: JSONFields, _ line: Bytes) throws(JSONError) -> Said {
    switch try fields.plainText("type") ?? "" {
    case "message":
      guard let message = fields.object("message") else { return ([.unknown(line)], .program) }
      return try self.message(message, line)
    case "custom_message": return (try content(of: fields, .system, line), .program)
    case "compaction":
      let count = fields.integer("tokensBefore").map { " (\($0) tokens)" } ?? ""
      return (Self.told("context compacted\(count)", try fields.plainText("summary")), .program)
    case "reset":
      return (Self.told("context cleared (\(try fields.plainText("reason") ?? "reset"))", nil), .program)
    case "branch_summary":
      return (Self.told("went back to another branch", try fields.plainText("summary")), .program)
    case "model_change":
      let model = try fields.plainText("modelId") ?? ""
      return (
        model.isEmpty
          ? [AssistantPart(kind: .system, word: "model_change")] : Self.told("model: \(model)", nil),
        .program
      )
    case "thinking_level_change", "custom", "label", "session_info", "title", "leaf",
      "child_usage_attributed":
      return ([], .program)
    default: return ([.unknown(line)], .program)
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
    case "user":
      return PiContent.isContext(message)
        ? (try content(of: message, .system, line), .program) : (try content(of: message, .text, line), .me)
    case "assistant":
      guard message["content"] != nil else { return ([.unknown(line)], .assistant()) }
      var parts = try PiContent.parts(of: message, .text) { calls.append(($0, $1)) }
      for (id, name) in calls { tools.note(id, name) }
      if try message.plainText("stopReason") == "aborted" {
        parts.append(AssistantPart.note("interrupted"))
      } else if let failure = try message.plainText("errorMessage"), !failure.isEmpty {
        parts.append(AssistantPart.note("failed: \(failure)"))
      }
      addUsage(message.object("usage"))
      return (parts.said, .assistant(model: try message.plainText("model")))
    case "toolResult":
      let called = tools.name(of: try message.plainText("toolCallId"))
      let name = try message.plainText("toolName") ?? called
      return ([try result(message, of: name)], .program)
    case "bashExecution":
      return (try shell(message), .me)
    case "compactionSummary", "branchSummary":
      return (Self.told("summary", try message.plainText("summary")), .program)
    case "custom", "system", "developer", "hookMessage", "":
      return (try content(of: message, .system, line), .program)
    default: return ([.unknown(line)], .program)
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
    if message.isTrue("cancelled") {
      result.text = "interrupted: \(result.text)"
    } else if let code = message.integer("exitCode"), code != 0 {
      result.text = "failed (\(code)): \(result.text)"
    }
    return [
      AssistantPart(kind: .text, text: "! \(try message.plainText("command") ?? "")"), result.ended(),
    ]
  }

  private mutating func addUsage(_ usage: JSONFields?) {
    guard let usage else { return }
    reader.usage.add(
      fresh: usage.integer("input"), cached: usage.integer("cacheRead"), written: usage.integer("cacheWrite"),
      received: usage.integer("output"), cost: usage.object("cost")?.real("total"))
  }
}

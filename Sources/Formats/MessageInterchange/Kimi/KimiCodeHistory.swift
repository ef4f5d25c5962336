internal import MessageModel

/// Lines have no ids; their numbers serve as ids, since a file only grows.
struct KimiCodeHistory: JSONSessionRows {
  private var reader: AssistantReader
  private let outline: KimiCodeOutline
  private let isFollowed: Bool
  private let isAgent: Bool
  private let id: String
  private let file: InputFile
  private var trunk: AssistantConversation
  private var times: LooseTime
  private var tools = ToolNames()
  private var model: String?
  /// Prompts that were read before the model was told of them.
  private var given: [String] = []
  private var isInterrupted = false
  private var stepUsage = StepUsage()
  private(set) var hasSeenItsFormat = false

  private struct Tokens {
    let fresh, cached, written, received: Int64?

    init(_ fields: JSONFields) {
      fresh = fields.integer("inputOther")
      cached = fields.integer("inputCacheRead")
      written = fields.integer("inputCacheCreation")
      received = fields.integer("output")
    }
  }

  /// What a step used: most versions record it apart from the end of the step, too.
  private struct StepUsage {
    var atEnd: Tokens?
    var isRecorded = false
  }

  private struct State {
    var title: String?
    var folder: String?
  }

  init(file: InputFile, options: ImportOptions) {
    self.file = file
    reader = AssistantReader("kimi", assistant: "Kimi", options)
    times = LooseTime(options)
    isFollowed = file.source.isReadOn
    outline = KimiCodeOutline(of: file)
    let isInAgents = file.folder.dropLast().last == "agents"
    let session = (isInAgents ? file.folder.dropLast(2) : file.folder[...]).last ?? file.name
    let agent = isInAgents ? file.folder.last ?? "main" : "main"
    let state = Self.state(beside: file)
    isAgent = agent != "main"
    id = isAgent ? "\(session)/\(agent)" : session
    trunk =
      isAgent
      ? reader.agent(agent, called: outline.profile ?? "agent", of: session)
      : AssistantConversation(
        reader.platform, id: session, folder: state.folder ?? outline.folder,
        title: state.title ?? outline.asked)
  }

  private static func state(beside file: InputFile) -> State {
    var state = State()
    file.facts(in: "state.json")?.withUnsafeBytes { bytes in
      guard let fields = JSONFields(bytes) else { return }
      func text(_ key: String) -> String? {
        let text = (try? fields.plainText(key)) ?? nil
        return text?.isEmpty == false ? text : nil
      }
      state = State(title: text("title"), folder: text("cwd") ?? text("workDir"))
    }
    return state
  }

  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    hasSeenItsFormat = true
    let type = try fields.plainText("type") ?? ""
    let (parts, speaker) = try said(type, fields, line)
    let written = try fields.firstText(["time", "created_at"])
    guard let time = written.flatMap({ times.read($0)?.time }) ?? reader.last else {
      if parts.isEmpty { return }
      throw JSONError(reason: "it has no time")
    }
    let key = type == "metadata" ? "\(id)/start" : "\(id)/\(number)"
    if beginsTurn(type, parts, speaker) { noteTitle(parts, into: &sink) }
    let branch = outline.branch(at: time).map { reader.leftBehind($0.id, title: $0.title, of: trunk) }
    let talk = branch ?? trunk
    if beginsTurn(type, parts, speaker) { reader.beginTurn(key, in: talk, into: &sink) }
    reader.last = time
    reader.append(parts.said, at: time, by: speaker, id: key, original: line, in: talk, into: &sink)
    if isFollowed, type == "turn.ended" { reader.noteUsage(into: &sink) }
  }

  /// A session that is followed has no title before its first question, and another one once it is renamed.
  private mutating func noteTitle(_ parts: [AssistantPart], into sink: inout RecordSink) {
    guard isFollowed, !isAgent else { return }
    let known = trunk
    if let title = Self.state(beside: file).title {
      trunk.retitle(title)
    } else if !known.hasTitle, let question = parts.first?.text {
      trunk.retitle(question)
    }
    if trunk != known { sink.note(titleOf: trunk, reader.options) }
  }

  /// The task of an agent is a prompt of the program.
  private func beginsTurn(
    _ type: String, _ parts: [AssistantPart], _ speaker: AssistantReader.Speaker
  ) -> Bool {
    guard case .me = speaker else { return type == "turn.prompt" }
    return type != "turn.steer" && !parts.isEmpty
  }

  mutating func finish(into sink: inout RecordSink) {
    guard !isFollowed else { return }
    beginStep()
    reader.endTurn(into: &sink)
  }

  private typealias Said = (parts: [AssistantPart], speaker: AssistantReader.Speaker)

  /// Families of events that the program writes for itself, or that repeat others.
  private static let silent: Set<String> = [
    "config", "cron", "forked", "full_compaction", "goal", "interaction", "interruptionReminder", "llm",
    "mcp",
    "permission", "plan", "plan_mode", "plugin", "profile", "prompt", "runtime", "staleGuard", "swarm_mode",
    "task", "token_counting", "tools", "tower_mode", "usage",
  ]

  private mutating func said(_ type: String, _ fields: JSONFields, _ line: Bytes) throws(JSONError) -> Said {
    switch type {
    case "metadata": return (isAgent ? [] : [try begin(fields)], .program)
    case "turn.prompt", "turn.steer":
      isInterrupted = false
      beginStep()
      guard let text = try KimiCodeText.prompt(fields) else { return ([], .program) }
      var part = try KimiContent.said(fields["input"])
      part.text = text
      given.append(text)
      return ([part], .me)
    case "context.append_message":
      guard let message = fields.object("message") else { return ([.unknown(line)], .program) }
      return try self.message(message, line)
    case "context.append_loop_event":
      guard let event = fields.object("event") else { return ([.unknown(line)], .program) }
      return try step(event, line)
    case "llm.request":
      model = try fields.plainText("model") ?? model
      return ([], .program)
    case "usage.record":
      stepUsage = StepUsage(isRecorded: true)
      add(fields.object("usage").map(Tokens.init))
      return ([], .program)
    default: return (try happened(type, fields, line), .program)
    }
  }

  private func begin(_ fields: JSONFields) throws(JSONError) -> AssistantPart {
    var told = [outline.folder.map { "session in \($0)" } ?? "session"]
    if let version = try fields.plainText("protocol_version") {
      told.append("Kimi Code, protocol \(version)")
    }
    return .note(told.joined(separator: ", "))
  }

  private mutating func happened(
    _ type: String, _ fields: JSONFields, _ line: Bytes
  ) throws(JSONError) -> [AssistantPart] {
    switch type {
    case "turn.cancel":
      if try fields.plainText("target") == "queued" { return [.note("a queued prompt was withdrawn")] }
      return interruption()
    case "turn.ended":
      switch try fields.plainText("reason") ?? "" {
      case "cancelled": return interruption()
      case "failed":
        return [.note("failed: \(try fields.object("error")?.plainText("message") ?? "the request")")]
      case "blocked": return [.note("blocked by a hook")]
      default: return []
      }
    case "context.apply_compaction":
      let count = fields.integer("tokensBefore").map { " (\($0) tokens)" } ?? ""
      var text = try fields.firstText(["summary", "contextSummary"]) ?? ""
      if let message = fields.object("summary") { text = try KimiContent.said(message["content"]).text }
      return [.note("context compacted\(count)\(text.isEmpty ? "" : "\n")\(text)")]
    case "context.clear": return [.note("context cleared")]
    case "context.undo":
      let count = fields.integer("count") ?? 1
      return [.note("went back by \(count) \(count == 1 ? "turn" : "turns")")]
    case "goal.create": return [.note("goal: \(try fields.plainText("objective") ?? "")")]
    case "permission.record_approval_result":
      let result = fields.object("result")
      guard try result?.plainText("decision") == "rejected" else { return [] }
      let feedback = try result?.plainText("feedback") ?? ""
      return [.note(feedback.isEmpty ? "rejected" : "rejected: \(feedback)")]
    default:
      return Self.silent.contains(String(type.prefix { $0 != "." })) ? [] : [.unknown(line)]
    }
  }

  /// A turn that was cancelled may be recorded as such and as ended.
  private mutating func interruption() -> [AssistantPart] {
    defer { isInterrupted = true }
    return isInterrupted ? [] : [.note("interrupted")]
  }

  // MARK: Messages

  private mutating func message(_ message: JSONFields, _ line: Bytes) throws(JSONError) -> Said {
    switch try message.plainText("role") ?? "" {
    case "user": return try told(message)
    case "assistant":
      var parts = try Self.parts(of: message)
      try message.forEach("toolCalls") { value throws(JSONError) in
        guard let call = JSONFields(value) else { return parts.append(.unknown(value)) }
        let function = call.object("function") ?? call
        parts.append(
          try self.call(try function.plainText("name"), try call.plainText("id"), function["arguments"]))
      }
      return (parts, .assistant(model: model))
    case "tool":
      return ([try result(of: try message.plainText("toolCallId"), message, "content")], .program)
    case "system": return ([], .program)
    default: return ([.unknown(line)], .program)
    }
  }

  /// What the model was told in the user's role: a prompt, or words of the program.
  private mutating func told(_ message: JSONFields) throws(JSONError) -> Said {
    let origin = message.object("origin")
    let kind = try origin?.plainText("kind") ?? "user"
    if ["injection", "compaction_summary"].contains(kind) { return ([], .program) }
    var part = try KimiContent.said(message["content"])
    let phase = try origin?.plainText("phase")
    let isTyped = kind == "shell_command" && phase == "input"
    if kind == "user" || isTyped {
      guard let place = given.firstIndex(of: part.text) else { return ([part], .me) }
      given.remove(at: place)
      return ([], .program)
    }
    // The words of a command that the user gave.
    if try KimiCodeText.isAsked(origin), !given.isEmpty { given.removeFirst() }
    part.kind = .system
    return ([part], .program)
  }

  private static func parts(of message: JSONFields) throws(JSONError) -> [AssistantPart] {
    guard let content = message["content"], content.first == UInt8(ascii: "[") else {
      return [try KimiContent.said(message["content"])]
    }
    var parts: [AssistantPart] = []
    try message.forEach("content") { value throws(JSONError) in
      var part = AssistantPart(kind: .text)
      try KimiContent.take(JSONFields(value) ?? JSONFields(), value, into: &part)
      parts.append(part)
    }
    return parts
  }

  private mutating func step(_ event: JSONFields, _ line: Bytes) throws(JSONError) -> Said {
    switch try event.plainText("type") ?? "" {
    case "content.part":
      guard let content = event.object("part") else { return ([.unknown(line)], .program) }
      var part = AssistantPart(kind: .text)
      try KimiContent.take(content, line, into: &part)
      let isEncrypted = part.isEmpty && content["encrypted"] != nil
      return (isEncrypted ? [] : [part], .assistant(model: model))
    case "tool.call":
      let part = try call(
        try event.plainText("name"), try event.plainText("toolCallId"), event["args"])
      return ([part], .assistant(model: model))
    case "tool.result":
      let result = event.object("result") ?? JSONFields()
      return ([try self.result(of: try event.plainText("toolCallId"), result, "output")], .program)
    case "step.begin":
      beginStep()
      return ([], .program)
    case "step.end":
      if !stepUsage.isRecorded { stepUsage.atEnd = event.object("usage").map(Tokens.init) }
      return ([], .program)
    default: return ([.unknown(line)], .program)
    }
  }

  private mutating func call(
    _ name: String?, _ id: String?, _ arguments: Bytes?
  ) throws(JSONError) -> AssistantPart {
    tools.note(id, name ?? "tool")
    return AssistantPart(kind: .tool, text: try AssistantText.call(name ?? "tool", arguments))
  }

  private func result(of call: String?, _ fields: JSONFields, _ key: String) throws(JSONError)
    -> AssistantPart
  {
    var part = try KimiContent.said(fields[key])
    part.kind = .result
    part.tool = tools.name(of: call)
    if part.isBlank { part.text = try fields.plainText("note") ?? "" }
    if fields.isTrue("isError") { part.text = "failed: \(part.text)" }
    return part.ended()
  }

  private mutating func beginStep() {
    add(stepUsage.atEnd)
    stepUsage = StepUsage()
  }

  private mutating func add(_ tokens: Tokens?) {
    guard let tokens else { return }
    reader.usage.add(
      fresh: tokens.fresh, cached: tokens.cached, written: tokens.written, received: tokens.received)
  }
}

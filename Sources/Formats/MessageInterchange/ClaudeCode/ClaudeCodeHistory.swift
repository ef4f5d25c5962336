internal import MessageModel

struct ClaudeCodeHistory: JSONSessionRows {
  private let reader: AssistantReader
  private let file: InputFile
  private var outline: ClaudeCodeOutline
  private var times: LooseTime
  private var trail = ClaudeCodeTrail()
  private var tools = ToolNames()
  private var talks: [String: AssistantConversation] = [:]
  private var untitled: Set<String> = []
  private var chains: [String: String] = [:]
  private var lastFolder: String?
  private var lastTime: Timestamp?
  private var usage = ClaudeCodeUsage()
  private var queue = ClaudeCodeQueue()
  private var turns = ClaudeCodeTurns()
  private(set) var hasSeenItsFormat = false

  private static let mostRemembered = 65_536

  init(file: InputFile, options: ImportOptions) {
    reader = AssistantReader("claude-code", assistant: "Claude", options)
    times = LooseTime(options)
    outline = ClaudeCodeOutline(of: file)
    self.file = file
  }

  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    guard !QwenHistory.isOurs(fields) else { throw JSONError(reason: "it belongs to a session of Qwen Code") }
    hasSeenItsFormat = hasSeenItsFormat || ClaudeCodeRecord.isAboutSession(fields)
    if try ClaudeCodeRecord.isOfQueue(fields), ClaudeCodeRecord.isAboutSession(fields) {
      return try noteQueued(fields, line, into: &sink)
    }
    guard let record = try ClaudeCodeRecord(fields) else { return try keep(fields, line, into: &sink) }
    let place = record.isOnSide ? nil : trail.take(record)
    let parts = try parts(of: fields, line)
    hasSeenItsFormat = true
    let message = fields.object("message")
    try usage.take(fields, message, isOnSide: record.isOnSide)
    guard !parts.isEmpty else { return }
    guard let written = try fields.string("timestamp"), let time = moment(written) else {
      throw JSONError(reason: "it has no time")
    }
    lastTime = time
    let session = try fields.plainText("sessionId") ?? "unknown"
    lastFolder = try fields.plainText("cwd") ?? lastFolder
    let isNew = talks[session] == nil
    var talk = talk(of: record, place, session, parts)
    if talk.note != nil { talk.note = usage.note(of: session) }
    if isNew, !record.isOnSide { try begin(fields, session, at: time, into: &sink) }
    let isAssistant = try fields.plainText("type") == "assistant"
    let isSaid = parts.contains { $0.kind == .text || $0.kind.isStep }
    let model = isAssistant ? try message?.plainText("model") : nil
    let name = isSaid ? (isAssistant || talk.isOfAgent ? reader.assistant : reader.me) : nil
    let prompt = isAssistant || talk.isOfAgent ? nil : typed(parts, in: session)
    if record.role == .prompt { turns.end(before: record, in: talk, by: reader, into: &sink) }
    reader.append(
      parts, at: time, by: .named(name, model: model), id: record.id, original: line, prompt: prompt,
      in: talk,
      into: &sink)
    guard isAssistant else { return }
    turns.add(usage.given(), of: record, model, in: talk, at: time)
    let reason = try message?.plainText("stop_reason") ?? ""
    if Self.lastReasons.contains(reason) { turns.end(in: talk, by: reader, into: &sink) }
  }

  /// The reasons that end a turn; the others call a tool.
  private static let lastReasons: Set<String> = ["end_turn", "stop_sequence", "max_tokens", "refusal"]

  /// The last turn of a session that is followed may go on.
  mutating func finish(into sink: inout RecordSink) {
    if !file.source.isReadOn { turns.endAll(by: reader, into: &sink) }
  }

  /// What recognises a prompt of the session in the program's list and queue.
  private mutating func typed(_ parts: [AssistantPart], in session: String) -> TypedPrompt? {
    guard let text = parts.first(where: \.isTyped)?.text else { return nil }
    var prompt = TypedPrompt(
      .session, session: session, folder: usage.note(of: session).folder ?? lastFolder,
      spelling: ClaudeCodeText.spelling(ofTyped: text))
    prompt.typedAt = queue.take(text, of: session)
    return prompt
  }

  /// The beginnings of what other sessions and programs queue.
  private static let foreignMarks = [
    "<cross-session-message", "<teammate-message", "<agent-message", "<channel",
  ]

  /// Keeps a queued prompt that the session does not have so far.
  private mutating func noteQueued(
    _ fields: JSONFields, _ line: Bytes, into sink: inout RecordSink
  ) throws(JSONError) {
    switch try ClaudeCodeQueue.operation(of: fields) {
    case .dequeue, .remove, .popAll: return
    case .enqueue: break
    case nil: return try keepUnknown(fields, line, into: &sink)
    }
    guard let queued = try ClaudeCodeQueue.Prompt(fields) else { return }
    let time = try fields.plainText("timestamp").flatMap { moment($0) }
    queue.append(queued, at: time)
    guard !outline.queue.read.contains(queued.id) else { return }
    guard let time else { throw JSONError(reason: "it has no time") }
    let session = queued.session
    var parts = unwrapped(try AnthropicContent(queued.content, &tools).parts)
    let isMine = !parts.contains { part in Self.foreignMarks.contains { part.text.hasPrefix($0) } }
    if !isMine { for place in parts.indices { parts[place].kind = .system } }
    parts.append(.note("queued: the session does not show that it was read"))
    var talk =
      talks[session]
      ?? AssistantConversation(
        reader.platform, id: session, folder: outline.folder(of: session), title: outline.title(of: session))
    if talks[session] != nil { talk.note = usage.note(of: session) }
    reader.append(
      parts, at: time, by: isMine ? .me : .program, id: queued.id, original: line,
      prompt: TypedPrompt(.queue, session: session, folder: talk.note?.folder), in: talk, into: &sink)
  }

  /// Keeps a record of an unknown kind without an id: a hash of the line becomes its id.
  private mutating func keep(
    _ fields: JSONFields, _ line: Bytes, into sink: inout RecordSink
  ) throws(JSONError) {
    guard !ClaudeCodeRecord.isAboutSession(fields) else { return try noteTitle(in: fields, into: &sink) }
    try keepUnknown(fields, line, into: &sink)
  }

  private mutating func keepUnknown(
    _ fields: JSONFields, _ line: Bytes, into sink: inout RecordSink
  ) throws(JSONError) {
    guard fields["type"] != nil, let session = try fields.plainText("sessionId") else {
      throw JSONError(reason: "it has no id, and no kind or no session")
    }
    guard talks[session] != nil else {
      throw JSONError(reason: "it is of an unknown kind, and before the first message of its session")
    }
    let written = try fields.plainText("timestamp").flatMap { moment($0) }
    guard let time = written ?? lastTime else { throw JSONError(reason: "it has no time") }
    let record = ClaudeCodeRecord(unnamed: "\(session)/\(String(FNVHash.of(line), radix: 16))")
    let parts = [AssistantPart.unknown(line)]
    reader.append(
      parts, at: time, id: record.id, original: line, in: talk(of: record, nil, session, parts), into: &sink)
  }

  /// A session that is followed is named anew once its title changes; of others the outline has the last one.
  private mutating func noteTitle(in fields: JSONFields, into sink: inout RecordSink) throws(JSONError) {
    guard file.source.isReadOn, let session = try fields.plainText("sessionId") else { return }
    try outline.noteTitle(fields, of: session)
    guard var talk = talks[session], let title = outline.title(of: session) else { return }
    talk.retitle(title)
    guard talk != talks[session] else { return }
    untitled.remove(session)
    talks[session] = talk
    talk.note = usage.note(of: session)
    sink.note(titleOf: talk, reader.options)
  }

  private mutating func moment(_ written: String) -> Timestamp? {
    var copy = written
    return copy.withUTF8 { times.read(Bytes($0)) }?.time
  }

  private mutating func talk(
    of record: ClaudeCodeRecord, _ place: ClaudeCodeTrail.Place?, _ session: String, _ parts: [AssistantPart]
  ) -> AssistantConversation {
    if talks.count >= Self.mostRemembered { (talks, untitled) = ([:], []) }
    let trunk = trunk(of: session, record, parts)
    if !record.isOnSide { talks[session] = trunk }
    if record.isOnSide {
      return sideTalk(of: record, session, parts.first.flatMap { ClaudeCodeText($0.text).title })
    }
    guard let branch = place.flatMap({ outline.branches[$0] }) else { return trunk }
    let key = "\(session)/\(branch)"
    let talk =
      talks[key]
      ?? AssistantConversation("left behind", of: trunk, id: branch, title: outline.branchTitles[branch])
    talks[key] = talk
    return talk
  }

  /// A session without a title is named after its first prompt.
  private mutating func trunk(
    of session: String, _ record: ClaudeCodeRecord, _ parts: [AssistantPart]
  ) -> AssistantConversation {
    if let known = talks[session], !untitled.contains(session) || record.isOnSide || record.role == .other {
      return known
    }
    var title = talks[session] == nil ? title(of: session, mayComeLate: !record.isOnSide) : nil
    if title == nil, !record.isOnSide {
      title = parts.first { $0.kind == .text && !$0.text.hasPrefix("/") }.flatMap {
        ClaudeCodeText($0.text).title
      }
    }
    if title == nil { untitled.insert(session) } else { untitled.remove(session) }
    return AssistantConversation(reader.platform, id: session, folder: lastFolder, title: title)
  }

  /// Searches again, since the title may have been written after the first search.
  private mutating func title(of session: String, mayComeLate: Bool) -> String? {
    if let known = outline.title(of: session) { return known }
    guard mayComeLate, file.diskPath != nil else { return nil }
    outline = ClaudeCodeOutline(of: file)
    return outline.title(of: session)
  }

  private mutating func sideTalk(
    of record: ClaudeCodeRecord, _ session: String, _ title: String?
  ) -> AssistantConversation {
    if chains.count >= Self.mostRemembered { chains = [:] }
    let chain = record.agent ?? record.parent.flatMap { chains[$0] } ?? record.id
    if record.agent == nil { chains[record.id] = chain }
    let key = "\(session)/\(chain)"
    let own = title ?? "agent \(chain.prefix(8))"
    let talk =
      talks[key]
      ?? AssistantConversation(
        reader.platform, id: key, folder: lastFolder, title: own, agentOf: session.prefix(8))
    talks[key] = talk
    return talk
  }

  private func begin(
    _ fields: JSONFields, _ session: String, at time: Timestamp, into sink: inout RecordSink
  ) throws(JSONError) {
    guard let talk = talks[session] else { return }
    var facts: [String] = []
    if let folder = try fields.plainText("cwd") { facts.append("session in \(folder)") }
    if let branch = try fields.plainText("gitBranch"), !branch.isEmpty { facts.append("branch \(branch)") }
    if let version = try fields.plainText("version") { facts.append("Claude Code \(version)") }
    guard !facts.isEmpty else { return }
    reader.append(
      [AssistantPart(kind: .system, text: facts.joined(separator: ", "))], at: time, id: "\(session)/start",
      in: talk, into: &sink)
  }

  private mutating func parts(of fields: JSONFields, _ line: Bytes) throws(JSONError) -> [AssistantPart] {
    switch try fields.plainText("type") ?? "" {
    case "user": return try asked(fields) ?? [.unknown(line)]
    case "assistant": return try answered(fields) ?? [.unknown(line)]
    case "system": return try told(fields)
    case "attachment": return try attached(fields) ?? [.unknown(line)]
    default: return ClaudeCodeRecord.isAboutSession(fields) ? [] : [.unknown(line)]
    }
  }

  private mutating func asked(_ fields: JSONFields) throws(JSONError) -> [AssistantPart]? {
    guard let content = fields.object("message")?["content"] else { return nil }
    let isOfProgram = fields.isTrue("isMeta") || ClaudeCodeRecord.isSummary(fields)
    var parts = unwrapped(
      try AnthropicContent(content, &tools, textKind: isOfProgram ? .system : .text).parts)
    if let path = try fields.object("toolUseResult")?.plainText("persistedOutputPath"),
      let index = parts.firstIndex(where: { $0.kind == .result })
    {
      let place = path.split(separator: "/").suffix(3)
      parts[index].attachments.append(
        Message.Attachment(
          name: place.last.map(String.init) ?? path, mediaType: "text/plain",
          path: place.joined(separator: "/")))
    }
    return parts
  }

  private mutating func answered(_ fields: JSONFields) throws(JSONError) -> [AssistantPart]? {
    guard let message = fields.object("message"), let content = message["content"] else { return nil }
    let model = try message.plainText("model")
    let isOfProgram = fields.isTrue("isApiErrorMessage") || model == "<synthetic>"
    return try AnthropicContent(content, &tools, textKind: isOfProgram ? .system : .text).parts
  }

  /// Kinds without a text: figures of the program.
  private static let silentKinds: Set<String> = [
    "turn_duration", "stop_hook_summary", "api_error", "api_metrics",
  ]

  private func told(_ fields: JSONFields) throws(JSONError) -> [AssistantPart] {
    guard var text = try fields.plainText("content"), !text.isEmpty else {
      let kind = try fields.plainText("subtype") ?? ""
      return Self.silentKinds.contains(kind) ? [] : [AssistantPart(kind: .system, word: kind)]
    }
    if let facts = fields.object("compactMetadata") {
      let (trigger, tokens) = (try facts.plainText("trigger"), try facts.plainText("preTokens"))
      let told = [trigger, tokens.map { "\($0) tokens" }].compactMap { $0 }
      if !told.isEmpty { text += " (\(told.joined(separator: ", ")))" }
    }
    return [AssistantPart(kind: .system, text: ClaudeCodeText(text).text)]
  }

  /// The program attaches what the model is to know; a person's words are among it if they were queued.
  private mutating func attached(_ fields: JSONFields) throws(JSONError) -> [AssistantPart]? {
    guard let attachment = fields.object("attachment"), let type = try attachment.plainText("type"),
      !type.isEmpty
    else { return nil }
    guard type == "queued_command" else { return [] }
    guard let prompt = attachment["prompt"] else { return nil }
    return unwrapped(try AnthropicContent(prompt, &tools).parts)
  }

  /// The parts without the marks of the program around them.
  private func unwrapped(_ parts: [AssistantPart]) -> [AssistantPart] {
    parts.map { part in
      guard part.kind == .text else { return part }
      var part = part
      let text = ClaudeCodeText(part.text)
      part.text = text.text
      if text.isOfProgram { part.kind = .system }
      return part
    }
  }
}

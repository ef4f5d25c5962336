internal import MessageModel

/// Lines have no ids; their numbers serve as ids, since a file only grows.
struct CodexHistory: JSONSessionRows {
  private var reader: AssistantReader
  private let outline: CodexOutline
  private let fileName: String
  private let isFollowed: Bool
  private var times: LooseTime
  private var tools = ToolNames()
  private var session: (id: String, talk: AssistantConversation)?
  private var start: Timestamp?
  private var model: String?
  private var turn: Int?
  private var turnCount = 0
  private var usage = CodexUsage()
  /// Before this time the events of a forked session are copies.
  private var copiesEnd: Timestamp?
  private(set) var hasSeenItsFormat = false

  /// A fork copies events at once, with their times or its own; a reply takes longer.
  private static let copyMilliseconds: Int64 = 2_000

  init(file: InputFile, options: ImportOptions) {
    reader = AssistantReader("codex", assistant: "Codex", options)
    times = LooseTime(options)
    outline = CodexOutline(of: file)
    fileName = file.name
    isFollowed = file.source.isReadOn
  }

  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    let record = try CodexRecord(fields)
    var time = start
    if let written = record.time, let moment = try moment(written) { time = moment }
    var parts: [AssistantPart] = []
    var speaker = AssistantReader.Speaker.program
    switch record.topic {
    case .session(let facts):
      // A forked session contains its parent's facts after its own.
      guard session == nil else { return }
      start = time
      if let written = facts["timestamp"], let moment = try moment(written) { start = moment }
      parts = [try begin(facts)]
    case .turn(let facts):
      let next = try facts.plainText("model") ?? model
      if next != model { endTurn(into: &sink) }
      model = next
    case .item(let item):
      try checkOwner(of: fields)
      if try CodexRecord.question(item) != nil { endTurn(into: &sink) }
      try noteTurn(item)
      (parts, speaker) = try said(item, line)
    case .event(let event):
      try noteTokens(event, at: time, number)
      if try event.plainText("type").map(Self.ends.contains) == true { endTurn(into: &sink) }
      try noteTitle(event, into: &sink)
      parts = try happened(event, line)
    case .compaction(let facts):
      let text = try facts.plainText("message") ?? ""
      parts = [AssistantPart(kind: .system, text: text.isEmpty ? "context compacted" : text)]
    case .unknown:
      try checkOwner(of: fields)
      parts = [.unknown(line)]
    case .nothing: return
    }
    hasSeenItsFormat = true
    guard !parts.isEmpty else { return }
    guard let time else { throw JSONError(reason: "it has no time") }
    let (id, trunk) = session ?? unnamed()
    let prompt = speaker.isMe ? TypedPrompt(.session, session: id, folder: nil) : nil
    reader.append(
      parts, at: time, by: speaker, id: "\(id)/\(number)", original: line, prompt: prompt,
      in: talk(trunk, parts), into: &sink)
  }

  /// Without a payload the line may be another program's.
  private func checkOwner(of fields: JSONFields) throws(JSONError) {
    guard session == nil, fields["payload"] == nil, !hasSeenItsFormat else { return }
    throw JSONError(reason: "no session begins in or before it")
  }

  private mutating func moment(_ value: Bytes) throws(JSONError) -> Timestamp? {
    var text = try AssistantText.plain(value)
    return text.withUTF8 { times.read(Bytes($0)) }?.time
  }

  // MARK: Where it belongs

  private mutating func begin(_ facts: JSONFields) throws(JSONError) -> AssistantPart {
    let id = try facts.firstText(["id", "session_id"]) ?? fileName
    let folder = try facts.plainText("cwd")
    var talk = AssistantConversation(reader.platform, id: id, folder: folder, title: outline.title)
    talk.note?.branch = try facts.object("git")?.plainText("branch")
    session = (id, talk)
    let parent = try facts.plainText("forked_from_id")
    let isSpawned = facts.object("source")?.object("subagent")?.object("thread_spawn") != nil
    if parent != nil || isSpawned { copiesEnd = start?.advanced(byMilliseconds: Self.copyMilliseconds) }
    var told = [folder.map { "session in \($0)" } ?? "session"]
    if let branch = try facts.object("git")?.plainText("branch") { told.append("branch \(branch)") }
    if let version = try facts.plainText("cli_version") { told.append("Codex \(version)") }
    if let parent { told.append("branched from \(parent)") }
    return AssistantPart(kind: .system, text: told.joined(separator: ", "))
  }

  private mutating func unnamed() -> (id: String, talk: AssistantConversation) {
    let made = (fileName, AssistantConversation(reader.platform, id: fileName, title: outline.title))
    session = made
    return made
  }

  private mutating func noteTokens(
    _ event: JSONFields, at time: Timestamp?, _ number: Int
  ) throws(JSONError) {
    guard try event.plainText("type") == "token_count", let time else { return }
    var note = session?.talk.note
    usage.take(
      event, isCopy: copiesEnd.map { time < $0 } ?? false, at: time, line: number, noting: &note)
    session?.talk.note = note
  }

  /// The events that end a turn.
  private static let ends: Set<String> = [
    "task_complete", "turn_complete", "turn_aborted", "thread_rolled_back",
  ]

  private mutating func endTurn(into sink: inout RecordSink) {
    guard let (part, line, time) = usage.endTurn(of: model) else { return }
    let (id, trunk) = session ?? unnamed()
    reader.append([part], at: time, id: "\(id)/\(line)/usage", in: talk(trunk, [part]), into: &sink)
  }

  /// The last turn of a session that is followed may go on.
  mutating func finish(into sink: inout RecordSink) {
    if !isFollowed { endTurn(into: &sink) }
  }

  /// A session that is followed is named anew once its title changes; of others the outline has the last one.
  private mutating func noteTitle(_ event: JSONFields, into sink: inout RecordSink) throws(JSONError) {
    guard isFollowed, try event.plainText("type") == "thread_name_updated",
      let title = try event.plainText("thread_name")
    else { return }
    session?.talk.retitle(title)
    if let session { sink.note(titleOf: session.talk, reader.options) }
  }

  private mutating func noteTurn(_ item: JSONFields) throws(JSONError) {
    guard let question = try CodexRecord.question(item) else { return }
    if session?.talk.hasTitle == false { session?.talk.retitle(question) }
    turn = turnCount
    turnCount += 1
  }

  private mutating func talk(_ trunk: AssistantConversation, _ parts: [AssistantPart])
    -> AssistantConversation
  {
    guard let start = turn.flatMap({ outline.branches[$0] }) else { return trunk }
    return reader.leftBehind("turn \(start + 1)", title: parts.first?.text, of: trunk)
  }

  // MARK: Content

  private mutating func said(
    _ item: JSONFields, _ line: Bytes
  ) throws(JSONError) -> ([AssistantPart], AssistantReader.Speaker) {
    if try CodexRecord.isMessage(item) { return try message(item, line) }
    switch try item.plainText("type") ?? "" {
    case "reasoning": return (try thoughts(item, line), .assistant(model: model))
    case "local_shell_call", "web_search_call":
      let type = try item.plainText("type") ?? ""
      return ([try call(named: String(type.dropLast(5)), item, item["action"])], .assistant(model: model))
    case "image_generation_call":
      var part = try call(named: "image_generation", item, item["revised_prompt"])
      if let data = item["result"], data.first == UInt8(ascii: "\"") {
        part.attach("image-1.png", type: "image/png", TransferEncoding.base64(data))
      }
      return ([part], .assistant(model: model))
    case let type where type.hasSuffix("_output"):
      return ([try result(item).ended()], .program)
    case let type where type.hasSuffix("_call"):
      let name = try item.plainText("name") ?? type
      return ([try call(named: name, item, item["arguments"] ?? item["input"])], .assistant(model: model))
    case let type:
      return (CodexKinds.silentItems.contains(type) ? [] : [.unknown(line)], .program)
    }
  }

  private func message(_ item: JSONFields, _ line: Bytes) throws(JSONError) -> (
    [AssistantPart], AssistantReader.Speaker
  ) {
    guard item["content"] != nil else { return ([.unknown(line)], .program) }
    let role = try item.plainText("role")
    var part = AssistantPart(kind: .text)
    try part.takeBlocks(of: item, under: "content")
    let isOfProgram = role != "assistant" && (role != "user" || CodexRecord.isOfProgram(part.text))
    if isOfProgram { part.kind = .system }
    return ([part], isOfProgram ? .program : role == "assistant" ? .assistant(model: model) : .me)
  }

  private mutating func call(
    named name: String, _ item: JSONFields, _ input: Bytes?
  ) throws(JSONError) -> AssistantPart {
    tools.note(try item.firstText(["call_id", "id"]), name)
    return AssistantPart(kind: .tool, text: try AssistantText.call(name, input))
  }

  /// The output is a string, a list of texts and pictures, or a string of JSON with the exit code.
  private func result(_ item: JSONFields) throws(JSONError) -> AssistantPart {
    var part = AssistantPart(kind: .result)
    part.tool = tools.name(of: try item.plainText("call_id"))
    guard let output = item["output"] else { return part }
    if let object = JSONFields(output) {
      part.text = try object.firstText(["content", "output"]) ?? output.string
    } else if output.first == UInt8(ascii: "[") {
      try part.takeBlocks(of: item, under: "output")
    } else {
      part.text = Self.unwrapped(try AssistantText.plain(output))
    }
    return part
  }

  /// The output in `{"output":"…","metadata":{"exit_code":1,…}}`, with the code of a failure.
  private static func unwrapped(_ text: String) -> String {
    guard text.hasPrefix("{\"output\":") else { return text }
    var copy = text
    return copy.withUTF8 { bytes in
      guard let fields = JSONFields(Bytes(bytes)), let output = try? fields.plainText("output") else {
        return text
      }
      let code = fields.object("metadata")?.integer("exit_code") ?? 0
      return code == 0 ? output : "failed (\(code)): \(output)"
    }
  }

  private mutating func happened(
    _ event: JSONFields, _ line: Bytes
  ) throws(JSONError) -> [AssistantPart] {
    let type = try event.plainText("type") ?? ""
    var text = ""
    switch type {
    case "turn_aborted":
      let reason = try event.plainText("reason")
      text = "turn aborted" + (reason.map { ": \($0)" } ?? "")
    case "thread_rolled_back":
      let count = event.integer("num_turns") ?? 0
      text = "went back by \(count) \(count == 1 ? "turn" : "turns")"
      turn = nil
    case "error", "stream_error", "warning": text = try event.plainText("message") ?? ""
    default: return CodexKinds.isSilentEvent(type) ? [] : [.unknown(line)]
    }
    return [AssistantPart(kind: .system, text: text, word: type)]
  }

  /// Where nothing is listed, the thoughts are encrypted, or are none.
  private func thoughts(_ item: JSONFields, _ line: Bytes) throws(JSONError) -> [AssistantPart] {
    let lists = ["summary", "content"]
    guard lists.contains(where: { item[$0] != nil }) || item["encrypted_content"] != nil else {
      return [.unknown(line)]
    }
    var texts: [String] = []
    for list in lists {
      try item.forEach(list) { value throws(JSONError) in
        texts.append(try JSONFields(value)?.plainText("text") ?? value.string)
      }
    }
    guard !texts.isEmpty else { return [] }
    return [AssistantPart(kind: .thinking, text: texts.filter { !$0.isEmpty }.joined(separator: "\n"))]
  }
}

extension AssistantPart {
  fileprivate mutating func takeBlocks(of item: JSONFields, under key: String) throws(JSONError) {
    guard let content = item[key], content.first == UInt8(ascii: "[") else {
      text = try item[key].map(AssistantText.plain) ?? ""
      return
    }
    var texts: [String] = []
    try item.forEach(key) { value throws(JSONError) in
      let block = JSONFields(value)
      let image = try block?.plainText("image_url")
      if let image { attach(addressed: image) }
      if let text = try block?.plainText("text") {
        texts.append(text)
      } else if image == nil {
        texts.append(try AssistantText.plain(value))
      }
    }
    text = texts.joined(separator: "\n")
  }
}

internal import MessageModel

/// What a session's first message needs from the rest of the file: the title and the abandoned prompts.
struct ClaudeCodeOutline {
  private var given: [String: String] = [:]
  /// The beginnings of the first prompts, by session.
  private var asked: [String: String] = [:]
  private var questions: [ClaudeCodeTrail.Place: String] = [:]
  private var command: Command?

  private struct Command {
    var session: String
    var place: ClaudeCodeTrail.Place?
    var title: String
  }

  private var summaries: [String: String] = [:]
  /// The folders in which sessions began.
  private var folders: [String: String] = [:]
  private(set) var queue = ClaudeCodeQueue()
  private var trail = ClaudeCodeTrail()
  private(set) var branches: [ClaudeCodeTrail.Place: String] = [:]
  private(set) var branchTitles: [String: String] = [:]

  /// An older version copied earlier sessions into the file of the one that continued them.
  private static let mostSessions = 256
  private static let mostQuestions = 32_768
  init(of file: InputFile) {
    let isWhole = Transcript(file).look { (fields) throws(JSONError) in try take(fields) }
    noteTask(of: file)
    defer { questions = [:] }
    guard isWhole else { return }
    branches = trail.branches()
    for (place, name) in branches.sorted(by: { $0.key < $1.key }) where branchTitles[name] == nil {
      branchTitles[name] = questions[place]
    }
  }

  /// The title of a task of Claude Cowork, which lies beside its folder: `local_5.json`.
  private mutating func noteTask(of file: InputFile) {
    guard let place = file.components.lastIndex(of: ".claude"), place > 0,
      let facts = file.facts(in: "\(file.components[place - 1]).json")
    else { return }
    facts.withUnsafeBytes { bytes in
      guard let task = JSONFields(bytes), let session = try? task.plainText("cliSessionId"),
        let title = try? task.plainText("title"), !title.isEmpty
      else { return }
      given[session] = title
    }
  }

  func title(of session: String) -> String? { given[session] ?? asked[session] }

  func folder(of session: String) -> String? { folders[session] }

  private mutating func take(_ fields: JSONFields) throws(JSONError) {
    let session = try fields.plainText("sessionId") ?? ""
    if try ClaudeCodeRecord.isOfQueue(fields) {
      guard try ClaudeCodeQueue.operation(of: fields) == .enqueue,
        let prompt = try ClaudeCodeQueue.Prompt(fields)
      else { return }
      return queue.append(prompt)
    }
    guard let record = try ClaudeCodeRecord(fields) else { return try noteTitle(fields, of: session) }
    guard !record.isOnSide else { return }
    if folders[session] == nil, folders.count < Self.mostSessions {
      folders[session] = try fields.plainText("cwd")
    }
    if !queue.isEmpty { try queue.take(fields, of: session) }
    let place = trail.take(record)
    if let summary = summaries[record.id] { given[session] = given[session] ?? summary }
    guard record.role == .prompt else { return try noteAnswer(fields) }
    guard let content = fields.object("message")?["content"] else { return }
    var tools = ToolNames()
    let text = ClaudeCodeText(try AnthropicContent(content, &tools).parts.first?.text ?? "")
    let asking = text.title.map { Command(session: session, place: place, title: $0) }
    if !text.isCommand, let asking { noteQuestion(asking) }
    command = text.isCommand ? asking : nil
  }

  /// A command that Claude answered was a prompt; the program itself runs others, such as `/exit`.
  private mutating func noteAnswer(_ fields: JSONFields) throws(JSONError) {
    guard let command, try fields.plainText("type") == "assistant",
      try fields.object("message")?.plainText("model") != "<synthetic>"
    else { return }
    noteQuestion(command)
    self.command = nil
  }

  private mutating func noteQuestion(_ question: Command) {
    if asked[question.session] == nil, asked.count < Self.mostSessions {
      asked[question.session] = question.title
    }
    if let place = question.place, questions.count < Self.mostQuestions { questions[place] = question.title }
  }

  mutating func noteTitle(_ fields: JSONFields, of session: String) throws(JSONError) {
    switch try fields.plainText("type") {
    case "custom-title": given[session] = try fields.plainText("customTitle") ?? given[session]
    case "ai-title":
      let title = try fields.plainText("aiTitle")
      given[session] = given[session] ?? title
    case "summary":
      guard let leaf = try fields.plainText("leafUuid"), let text = try fields.plainText("summary"),
        summaries.count < Self.mostSessions
      else { return }
      summaries[leaf] = text
    default: break
    }
  }
}

struct ClaudeCodeText {
  let text: String
  let isOfProgram: Bool
  let isCommand: Bool

  private static let programMarks = [
    "<local-command-", "<bash-stdout>", "<bash-stderr>", "<task-notification>",
    "[Request interrupted by user",
  ]

  init(_ text: String) {
    isOfProgram =
      Self.programMarks.contains { text.hasPrefix($0) } || text.hasPrefix("Caveat: The messages below")
    guard text.hasPrefix("<command-"), let name = Self.inner(text, "command-name") else {
      self.text = Self.inner(text, "local-command-stdout") ?? text
      isCommand = false
      return
    }
    isCommand = true
    let arguments = Self.inner(text, "command-args") ?? ""
    self.text = arguments.isEmpty ? name : "\(name) \(arguments)"
  }

  var title: String? { isOfProgram || text.hasPrefix("<") ? nil : AssistantConversation.title(text) }

  /// The other spelling of a command of the shell: lists have `!ls`, sessions `<bash-input>ls</bash-input>`.
  static func spelling(ofTyped text: String) -> String? {
    if text.hasPrefix("!") { return "<bash-input>\(String(text.dropFirst()).trimmed)</bash-input>" }
    return text.hasPrefix("<bash-input>") ? inner(text, "bash-input").map { "!\($0.trimmed)" } : nil
  }

  private static func inner(_ text: String, _ mark: String) -> String? {
    guard let start = text.firstRange(of: "<\(mark)>"),
      let end = text[start.upperBound...].firstRange(of: "</\(mark)>")
    else { return nil }
    return String(text[start.upperBound..<end.lowerBound])
  }
}

/// The branches of a session: each prompt begins one, and going back to prompt again abandons another.
/// Parallel results of tools fork too, but abandon nothing. Memory holds the prompts and the latest records;
/// a record that names an older one continues the current prompt.
struct ClaudeCodeTrail {
  typealias Place = Int32

  private struct Prompt {
    var parent: Place?
    var id: String
  }

  private var prompts: [Prompt] = []
  private var places: [UInt64: Place] = [:]
  private var former: [UInt64: Place] = [:]
  /// Whether a prompt has named a known record; some programs write sessions in which none does.
  private var isChained = false
  private(set) var current: Place?

  private static let capacity = 1 << 17

  mutating func take(_ record: ClaudeCodeRecord) -> Place? {
    var place = current
    // A prompt without a parent is the first one, asked again.
    var isRoot = false
    if let parent = record.parent {
      let key = FNVHash.of(parent)
      if let known = places[key] ?? former[key] {
        place = known < 0 ? nil : known
        isChained = isChained || record.role == .prompt
      }
    } else {
      isRoot = record.role == .prompt && isChained
    }
    if record.role == .prompt {
      prompts.append(Prompt(parent: isRoot ? nil : place, id: record.id))
      place = Place(prompts.count - 1)
    }
    if places.count >= Self.capacity { (former, places) = (places, [:]) }
    places[FNVHash.of(record.id)] = place ?? -1
    current = place
    return place
  }

  /// For each prompt off the path to the last record, the id of the first prompt of its branch.
  func branches() -> [Place: String] {
    var isOnWay = [Bool](repeating: false, count: prompts.count)
    var place = current
    while let here = place {
      isOnWay[Int(here)] = true
      place = prompts[Int(here)].parent
    }
    var starts = [Place?](repeating: nil, count: prompts.count)
    var branches: [Place: String] = [:]
    for (index, prompt) in prompts.enumerated() where !isOnWay[index] {
      // A parent precedes its children in the file.
      let start = prompt.parent.flatMap { starts[Int($0)] } ?? Place(index)
      starts[index] = start
      branches[Place(index)] = prompts[Int(start)].id
    }
    return branches
  }
}

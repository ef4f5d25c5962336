/// The facts of a session of Claude Code that its first message needs: its title, which may stand at the end,
/// and which questions were left behind.
struct ClaudeCodeOutline {
  /// The titles that were given to sessions, by a person or an assistant.
  private var given: [String: String] = [:]
  /// The beginnings of their first questions.
  private var asked: [String: String] = [:]
  /// The beginnings of the first questions of ways, by the questions that those begin with.
  private var questions: [ClaudeCodeTrail.Place: String] = [:]
  /// A command that was typed last, of which it is not known whether it asks for something.
  private var command: Command?

  private struct Command {
    var session: String
    var place: ClaudeCodeTrail.Place?
    var title: String
  }

  /// The titles that older versions wrote at the beginning of any file of the folder: the record it ends with.
  private var summaries: [String: String] = [:]
  private var trail = ClaudeCodeTrail()
  private(set) var branches: [ClaudeCodeTrail.Place: String] = [:]
  /// The first questions of the branches, by their names.
  private(set) var branchTitles: [String: String] = [:]

  /// So many sessions of one file are given titles: an older version copied those that it went on with.
  private static let mostSessions = 256
  /// So many questions are remembered, of which branches may be called after one.
  private static let mostQuestions = 32_768
  /// Looks through a file.
  init(of file: InputFile) {
    let isWhole = Transcript(file).look { (fields) throws(JSONError) in try take(fields) }
    defer { questions = [:] }
    guard isWhole else { return }
    branches = trail.branches()
    for (place, name) in branches.sorted(by: { $0.key < $1.key }) where branchTitles[name] == nil {
      branchTitles[name] = questions[place]
    }
  }

  /// The title of a session.
  func title(of session: String) -> String? { given[session] ?? asked[session] }

  private mutating func take(_ fields: JSONFields) throws(JSONError) {
    let session = try fields.plainText("sessionId") ?? ""
    guard let record = try ClaudeCodeRecord(fields) else { return try noteTitle(fields, of: session) }
    guard !record.isOnSide else { return }
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

  /// A command that Claude answered was a question; others, as `/exit`, the program itself does.
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

  private mutating func noteTitle(_ fields: JSONFields, of session: String) throws(JSONError) {
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

/// A text of a session of Claude Code, in which commands stand between marks.
struct ClaudeCodeText {
  /// The text as a person would have it.
  let text: String
  /// Whether it is what the program says and no person has typed.
  let isOfProgram: Bool
  /// Whether it is a command of the program: `/exit`.
  let isCommand: Bool

  private static let programMarks = [
    "<local-command-", "<bash-stdout>", "<bash-stderr>", "<task-notification>",
  ]

  /// Reads a text.
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

  /// A title for what begins with it; `nil` if it tells nothing.
  var title: String? { isOfProgram || text.hasPrefix("<") ? nil : AssistantTalk.title(text) }

  private static func inner(_ text: String, _ mark: String) -> String? {
    guard let start = text.firstRange(of: "<\(mark)>"),
      let end = text[start.upperBound...].firstRange(of: "</\(mark)>")
    else { return nil }
    return String(text[start.upperBound..<end.lowerBound])
  }
}

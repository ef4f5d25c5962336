internal import MessageModel

/// A program's list of the prompts typed in all its sessions, also those that it has deleted. A prompt belongs to
/// the session that its line names, else to its folder. The session's own record of it takes its place.
struct PromptList: JSONSessionRows {
  struct Prompt {
    var text: String
    /// The text as the session spells it, if it differs.
    var spelling: String?
    var milliseconds: Int64
    var precision = TimePrecision.millisecond
    var session: String?
    var folder: String?

    fileprivate var home: String { session ?? TypedPrompt.key(ofFolder: folder ?? "") }

    /// Equal for equal texts of a session.
    fileprivate var hash: UInt64 { FNVHash.of("\(home) \(text)") }
  }

  typealias Parsing = @Sendable (JSONFields, InputFile) throws(JSONError) -> Prompt

  private let reader: AssistantReader
  private let file: InputFile
  private let parse: Parsing
  /// The times of equal texts of a session.
  private var times: [UInt64: [Int64]] = [:]
  private var timeCount = 0
  /// The first prompts of sessions.
  private var titles: [String: String] = [:]
  private(set) var hasSeenItsFormat = false

  private static let mostTimes = 262_144

  init(
    _ platform: String, assistant: String, file: InputFile, options: ImportOptions, parse: @escaping Parsing
  ) {
    reader = AssistantReader(platform, assistant: assistant, options)
    self.file = file
    self.parse = parse
    Transcript(file).look { (fields) throws(JSONError) in note(try parse(fields, file)) }
    for hash in times.keys { times[hash]?.sort() }
  }

  private mutating func note(_ prompt: Prompt) {
    guard timeCount < Self.mostTimes, !prompt.text.isEmpty else { return }
    timeCount += 1
    times[prompt.hash, default: []].append(prompt.milliseconds)
    if titles[prompt.home] == nil, !prompt.text.hasPrefix("/") { titles[prompt.home] = prompt.text }
  }

  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    let prompt = try parse(fields, file)
    hasSeenItsFormat = true
    guard !prompt.text.isEmpty else { throw JSONError(reason: "it has no text") }
    var typed = TypedPrompt(
      .list, session: prompt.session, folder: prompt.folder, spelling: prompt.spelling)
    // Equal texts of one moment are compared to the session's one after the other.
    typed.next = next(after: prompt).map(Timestamp.init(millisecondsSince1970:))
    let hash = String(FNVHash.of(prompt.text), radix: 36)
    reader.append(
      [AssistantPart(kind: .text, text: prompt.text)],
      at: Timestamp(millisecondsSince1970: prompt.milliseconds), precision: prompt.precision, by: .me,
      id: "\(TypedPrompt.Place.list.prefix)\(prompt.home)/\(prompt.milliseconds)-\(hash)", original: line,
      prompt: typed, in: conversation(of: prompt), into: &sink)
  }

  private func next(after prompt: Prompt) -> Int64? {
    guard let times = times[prompt.hash] else { return nil }
    let (moment, isTooMuch) = prompt.milliseconds.addingReportingOverflow(1_000)
    let place = isTooMuch ? times.endIndex : times.partitioningIndex { $0 > moment }
    return place < times.endIndex ? times[place] : nil
  }

  private func conversation(of prompt: Prompt) -> AssistantConversation {
    var talk = AssistantConversation(
      reader.platform, id: prompt.home, folder: prompt.folder,
      title: prompt.session == nil ? "prompts without a session" : titles[prompt.home] ?? prompt.text,
      isSession: prompt.session != nil)
    talk.isLeastKnown = true
    return talk
  }
}

extension PromptList {
  /// `~/.claude/history.jsonl`. Until autumn 2025 lines named no session.
  static func ofClaudeCode(_ file: InputFile, _ options: ImportOptions) -> PromptList {
    PromptList("claude-code", assistant: "Claude", file: file, options: options) {
      (line, file) throws(JSONError) in
      guard let display = try line.plainText("display"), let time = line.integer("timestamp") else {
        throw JSONError(reason: "it has no text or no time")
      }
      let pasted = try Pasted(line, beside: file)
      let text = pasted.expanded(display).trimmed
      return Prompt(
        text: text, spelling: ClaudeCodeText.spelling(ofTyped: text), milliseconds: time,
        session: try named("sessionId", in: line), folder: try named("project", in: line))
    }
  }

  /// `~/.codex/history.jsonl`.
  static func ofCodex(_ file: InputFile, _ options: ImportOptions) -> PromptList {
    PromptList("codex", assistant: "Codex", file: file, options: options) {
      (line, _) throws(JSONError) in
      guard let text = try line.plainText("text"), let time = line.integer("ts") else {
        throw JSONError(reason: "it has no text or no time")
      }
      let (milliseconds, isTooMuch) = time.multipliedReportingOverflow(by: 1_000)
      guard !isTooMuch else { throw JSONError(reason: "its time is out of the range of times") }
      return Prompt(
        text: text.trimmed, milliseconds: milliseconds, precision: .second,
        session: try named("session_id", in: line))
    }
  }

  private static func named(_ key: String, in line: JSONFields) throws(JSONError) -> String? {
    let text = try line.plainText(key)
    return text?.isEmpty == true ? nil : text
  }

  static func isOfClaudeCode(_ record: JSONFields) -> Bool {
    record["display"] != nil && record["timestamp"] != nil && record["type"] == nil
      && (record["project"] != nil || record["sessionId"] != nil)
  }

  static func isOfCodex(_ record: JSONFields) -> Bool { Set(record.keys) == ["session_id", "ts", "text"] }
}

/// What was pasted into a prompt of Claude Code, whose text has marks in its place: `[Pasted text #1 +2 lines]`.
private struct Pasted {
  private var texts: [String: String] = [:]

  init(_ line: JSONFields, beside file: InputFile) throws(JSONError) {
    guard let contents = line.object("pastedContents") else { return }
    for number in contents.keys {
      guard let content = contents.object(number) else { continue }
      if let text = try content.plainText("content") {
        texts[number] = text
      } else if let hash = try content.plainText("contentHash"),
        let bytes = file.facts(in: "paste-cache/\(hash).txt")
      {
        texts[number] = String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  private static let marks = ["[Pasted text #", "[...Truncated text #"]
  private static let longestMark = 80

  func expanded(_ text: String) -> String {
    guard !texts.isEmpty else { return text }
    var whole = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "[") {
      whole += rest[..<start]
      rest = rest[start...]
      if let (pasted, end) = pasted(at: rest) {
        whole += pasted
        rest = rest[end...]
      } else {
        whole.append(rest.removeFirst())
      }
    }
    return whole + rest
  }

  private func pasted(at rest: Substring) -> (text: String, end: String.Index)? {
    guard let mark = Self.marks.first(where: { rest.hasPrefix($0) }),
      let end = rest.prefix(Self.longestMark).firstIndex(of: "]")
    else { return nil }
    let number = rest.dropFirst(mark.count).prefix { $0.isASCII && $0.isNumber }
    return texts[String(number)].map { ($0, rest.index(after: end)) }
  }
}

extension String {
  var trimmed: String {
    let rest = drop(while: \.isWhitespace)
    return rest.lastIndex { !$0.isWhitespace }.map { String(rest[...$0]) } ?? ""
  }
}

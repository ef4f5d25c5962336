/// How a program writes a message as a line of JSON: the keys of what is said, by whom and when.
///
/// A key may be a path (`message.role`), and of several keys the first counts that a line has. The defaults are
/// the usual names, so an entry of ``ImportFormats/assistants`` names only what differs.
struct ChatShape: Sendable {
  enum Voice: Sendable {
    case me, assistant, program
    /// The result of a tool.
    case tool
    /// A record of which nothing is kept as a message.
    case nothing
  }

  enum SessionName: Sendable {
    /// The name of the file, without its ending.
    case file
    /// The name of a folder: 0 is the file's own.
    case folder(above: Int)
  }

  /// The keys of the tokens and the cost in dollars. `sent` includes cached tokens, `fresh` does not.
  struct Usage: Sendable {
    var fresh: String?
    var sent: String?
    var cached: String?
    var written: String?
    var received: String?
    var cost: String?
  }

  /// Who speaks, by keys and their values: `role=user`, or `source=MODEL type=*` for any value of the second.
  /// The first that a line fits counts; a line that fits none is kept as an unknown record.
  var voices: KeyValuePairs<String, Voice> = [
    "role=user": .me, "role=human": .me, "role=assistant": .assistant, "role=model": .assistant,
    "role=ai": .assistant, "role=system": .program, "role=developer": .program, "role=tool": .tool,
  ]
  var text = ["content", "text"]
  var thinking = ["thinking", "reasoning", "reasoning_content"]
  /// Lists of calls beside the text.
  var calls = ["tool_calls"]
  /// The time, as a text or as a count since 1970. A line without one has the time of the line before, the
  /// first lines the day on which the file last changed.
  var time = ["timestamp", "created_at", "createdAt", "time", "ts"]
  /// The id within the session; without one, the number of the line.
  var id = ["id", "uuid"]
  var model = ["model"]
  /// The title; without one, the first question.
  var title: [String] = []
  /// The assistant's working folder.
  var folder = ["cwd"]
  /// The name of the tool in a result.
  var tool = ["name", "tool_name"]
  /// Whether each argument of a call is JSON within a string.
  var areArgumentsEncoded = false
  /// The call of which this is the result.
  var call = ["tool_call_id", "call_id", "tool_use_id"]
  /// The tag around what the user typed, among what the program adds.
  var question: String?
  /// The tag around JSON that the program adds to a question, in which the folder is looked for, too.
  var context: String?
  /// The tag around a time in the text.
  var stamp: String?
  var usage: Usage?
  var session = SessionName.file
  /// The file beside it that states the session's title, folder and beginning, by the keys above.
  var facts: String?
  /// The folder in a session's folder that has what its agents did, a file for each.
  var agents: String?
  /// The keys by which a file is known wherever it lies; none if other programs write the same ones.
  var marks: [String] = []

  /// Who speaks in a record, and the last value that says so; `nil` if none of the values is known.
  func voice(of record: JSONFields) -> (voice: Voice, word: String)? {
    for (signs, voice) in voices {
      let words = signs.split(separator: " ").map { Self.word(of: $0, in: record) }
      if let last = words.last, let word = last, !words.contains(nil) { return (voice, word) }
    }
    return nil
  }

  private static func word(of sign: Substring, in record: JSONFields) -> String? {
    guard let mark = sign.lastIndex(of: "="), let word = record.text(at: String(sign[..<mark])) else {
      return nil
    }
    let wanted = sign[sign.index(after: mark)...]
    return wanted == "*" || word == wanted ? word : nil
  }

  func fits(_ record: JSONFields) -> Bool {
    guard let (voice, _) = voice(of: record) else { return false }
    return voice == .nothing || (text + thinking + calls).contains { record.value(at: $0) != nil }
  }

  func isMarked(_ record: JSONFields) -> Bool {
    marks.allSatisfy { record.value(at: $0) != nil } && fits(record)
  }

  /// The session's id, and that of the one whose agent it is.
  func session(of file: InputFile) -> (id: String, parent: String?) {
    let name = PathNames.folderAndName(of: PathNames.withoutArchiveExtensions(file.name)).name
    let own = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : String(name[..<$0]) } ?? name
    let folders = file.folder
    if let agents, folders.last == agents, folders.count > 1 { return (own, folders[folders.count - 2]) }
    switch session {
    case .file: return (own, nil)
    case .folder(let above): return (folders.count > above ? folders[folders.count - 1 - above] : own, nil)
    }
  }
}

extension JSONFields {
  /// The value at a path of keys: `message.role`.
  func value(at path: String) -> Bytes? {
    guard path.utf8.contains(UInt8(ascii: ".")) else { return self[path] }
    let found = followed(path.split(separator: ".").map(String.init))
    return found.flatMap { $0.fields[$0.key] }
  }

  func first(of paths: [String]) -> Bytes? { paths.lazy.compactMap { value(at: $0) }.first }

  /// The string or number at a path.
  func text(at path: String) -> String? {
    guard let value = value(at: path), value.first != UInt8(ascii: "{"), value.first != UInt8(ascii: "[")
    else { return nil }
    return try? AssistantText.plain(value)
  }

  func firstText(at paths: [String]) -> String? { paths.lazy.compactMap { text(at: $0) }.first }

  func count(at path: String?) -> Int64? { path.flatMap { text(at: $0) }.flatMap { Int64($0) } }
}

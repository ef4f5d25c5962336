internal import MessageModel

/// Gemini in Google Takeout: `My Activity/Gemini Apps/MyActivity.json`, an entry per prompt.
/// Entries are newest first. They do not name their chats, so all are one conversation.
struct GeminiTakeout: JSONHistory {
  private static let platform = "gemini-takeout"
  private static let talk = AssistantConversation(
    platform, id: "activity", title: "Gemini Apps", isSession: false)

  private let reader: AssistantReader
  private var times: LooseTime
  private var moment = ""
  private var count = 0

  init(options: ImportOptions) {
    reader = AssistantReader(Self.platform, assistant: "Gemini", options)
    times = LooseTime(options)
  }

  func descends(into path: [String]) -> Bool { path.isEmpty }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    let entry = try JSONFields.reading(value)
    let products = try entry.strings("products") + [entry.plainText("header") ?? ""]
    guard products.contains(where: { $0.contains("Gemini") || $0.contains("Bard") }) else {
      let other = products.first { !$0.isEmpty }
      throw JSONError(
        reason: other.map { "it is of another product: \($0.prefix(40))" } ?? "it is of no product")
    }
    let written = try entry.plainText("time") ?? ""
    let (time, precision) = try times.moment(written)
    count = written == moment ? count + 1 : 1
    moment = written
    let id = count == 1 ? written : "\(written)/\(count)"
    var question = try Self.question(entry)
    try Self.attach(entry, to: &question)
    reader.append(
      [question], at: time, precision: precision, by: question.kind == .system ? .program : .me, id: id,
      original: value, in: Self.talk, into: &sink)
    var answers: [AssistantPart] = []
    try entry.forEach("safeHtmlItem") { item throws(JSONError) in
      let html = try JSONFields(item)?.plainText("html")
      answers.append(html.map { AssistantPart(kind: .text, text: HTMLText.plain($0)) } ?? .unknown(item))
    }
    reader.append(
      answers.said, at: time, precision: precision, by: .assistant(), id: "\(id)/answer", in: Self.talk,
      into: &sink)
  }

  /// English words before the prompt; other languages are left as they are.
  private static let verbs = ["Prompted ", "Asked ", "Said ", "Searched for ", "Branched "]

  private static func question(_ entry: JSONFields) throws(JSONError) -> AssistantPart {
    let title = try entry.plainText("title") ?? ""
    for verb in verbs where title.hasPrefix(verb) {
      return AssistantPart(
        kind: .text, text: String(title.dropFirst(verb.count)), word: String(verb.dropLast()))
    }
    if verbs.contains("\(title) ") { return AssistantPart(kind: .text, word: title) }
    return AssistantPart(kind: entry["safeHtmlItem"] == nil ? .system : .text, text: title)
  }

  private static func attach(_ entry: JSONFields, to part: inout AssistantPart) throws(JSONError) {
    var known: Set<String> = []
    func add(_ name: String?) {
      guard let name, !name.isEmpty, !name.contains("://"), known.insert(name).inserted else { return }
      let shown = name.split(separator: "/").last.map(String.init) ?? name
      part.attachments.append(Message.Attachment(name: shown, path: name))
    }
    for key in ["imageFile", "attachedFiles", "audioFiles"] {
      if entry[key]?.first == UInt8(ascii: "\"") { add(try entry.plainText(key)) }
      try entry.forEach(key) { value throws(JSONError) in
        let file = JSONFields(value)
        add(try file == nil ? AssistantText.plain(value) : file?.firstText(["url", "path", "name"]))
      }
    }
    try entry.forEach("subtitles") { value throws(JSONError) in add(try JSONFields(value)?.plainText("url")) }
  }
}

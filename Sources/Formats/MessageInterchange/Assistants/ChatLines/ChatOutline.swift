/// What a session's first message needs from the rest of the file.
struct ChatOutline {
  /// The last title, or the first question.
  private(set) var title: String?
  private(set) var folder: String?
  /// When the session began, as the file beside it states.
  private(set) var beginning: String?
  /// Whether the file has a record of the program.
  private(set) var isOurs = false
  private var asked: String?
  private var content = ChatContent(areArgumentsEncoded: false)

  /// Reads up to the first question, or the whole file if the program writes titles into it.
  init(of file: InputFile, _ shape: ChatShape) {
    let _: Never?? = Transcript(file).first { (fields) throws(JSONError) in
      try take(fields, shape)
      return asked != nil && shape.title.isEmpty ? .some(nil) : nil
    }
    title = title ?? asked
    guard let name = shape.facts else { return }
    file.facts(in: name)?.withUnsafeBytes { if let facts = JSONFields($0) { note(facts, shape) } }
  }

  private mutating func note(_ facts: JSONFields, _ shape: ChatShape) {
    title = facts.firstText(at: shape.title) ?? title
    folder = facts.firstText(at: shape.folder) ?? folder
    beginning = facts.firstText(at: shape.time)
  }

  private mutating func take(_ fields: JSONFields, _ shape: ChatShape) throws(JSONError) {
    isOurs = isOurs || shape.fits(fields)
    folder = folder ?? fields.firstText(at: shape.folder)
    title = fields.firstText(at: shape.title) ?? title
    guard asked == nil, let (voice, _) = shape.voice(of: fields), voice == .me,
      let text = fields.first(of: shape.text)
    else { return }
    let parts = try content.parts(of: text, .text)
    folder = folder ?? parts.lazy.compactMap { shape.folder(in: $0.text) }.first
    asked = parts.first { $0.kind == .text && !$0.isBlank }.flatMap {
      AssistantConversation.title(shape.asked(in: $0.text))
    }
  }
}

extension ChatShape {
  /// What the user typed, without what the program added around it.
  func asked(in text: String) -> String {
    guard let question, let start = text.firstRange(of: "<\(question)>"),
      let end = text[start.upperBound...].ranges(of: "</\(question)>").last
    else { return text }
    return Self.trimmed(text[start.upperBound..<end.lowerBound])
  }

  /// The time in what the program added before the user's text, without the parentheses around its zone.
  func stamp(in text: String) -> String? {
    let added =
      question.flatMap { text.firstRange(of: "<\($0)>") }.map { text[..<$0.lowerBound] } ?? text[...]
    guard let stamp, let start = added.firstRange(of: "<\(stamp)>"),
      let end = added[start.upperBound...].firstRange(of: "</\(stamp)>")
    else { return nil }
    return String(added[start.upperBound..<end.lowerBound].map { "()".contains($0) ? " " : $0 })
  }

  /// The folder in what the program added to a question.
  func folder(in text: String) -> String? {
    guard let context, let start = text.firstRange(of: "<\(context)>"),
      let end = text[start.upperBound...].firstRange(of: "</\(context)>")
    else { return nil }
    var added = Self.trimmed(text[start.upperBound..<end.lowerBound])
    return added.withUTF8 { JSONFields(Bytes($0))?.firstText(at: folder) }
  }

  private static func trimmed(_ text: Substring) -> String {
    var rest = text.drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}

internal import MessageModel

/// A poll of a room: <https://github.com/matrix-org/matrix-spec-proposals/blob/main/proposals/3381-polls.md>.
struct MatrixPoll {
  fileprivate static let mostAnswers = 100
  private static let keys = [
    "m.poll", "m.poll.start", "org.matrix.msc3381.poll.start", "org.matrix.msc3381.v2.poll.start",
  ]

  let question: String
  private var answers: [(id: String, words: String)] = []

  /// `nil` if the content of an event is no poll.
  init?(_ content: JSONFields?) throws(JSONError) {
    guard let content, let poll = Self.keys.lazy.compactMap({ content.object($0) }).first else { return nil }
    question = try poll.object("question")?.matrixWords() ?? ""
    try poll.forEach("answers") { value throws(JSONError) in
      guard answers.count < Self.mostAnswers else { return }
      let answer = try JSONFields.reading(value)
      answers.append((try answer.firstText(["id", "m.id"]) ?? "", try answer.matrixWords() ?? ""))
    }
  }

  var text: String { ([question] + answers.map { "- \($0.words)" }).joined(separator: "\n") }

  /// The words of an answer, or its id if the poll has no such answer.
  func answer(_ id: String) -> String { answers.first { $0.id == id }?.words ?? id }

  static func isPart(_ type: String) -> Bool {
    type.hasPrefix("m.poll.") || type.hasPrefix("org.matrix.msc3381.")
  }
}

extension MatrixEvent {
  /// Polls, votes and ends of polls.
  func readPoll(into message: inout RichMessage, in room: MatrixRoom) throws(JSONError) {
    if let poll = try MatrixPoll(content) {
      message.text = poll.text
      return
    }
    message.kind = .system
    let target = try relation("m.reference")
    if let target { message.details.replyTo = .external(target) }
    let poll = target.flatMap { room.polls[$0] }
    if type.hasSuffix("poll.response") {
      let chosen = try choices().prefix(MatrixPoll.mostAnswers).map { poll?.answer($0) ?? $0 }
      message.text = chosen.isEmpty ? "removed the vote" : "voted for \(chosen.joined(separator: ", "))"
    } else if type.hasSuffix("poll.end") {
      let counts = results().map { "- \(poll?.answer($0) ?? $0) (\($1))" }
      message.text = ([try content?.matrixWords() ?? "ended the poll"] + counts).joined(separator: "\n")
    } else {
      message.text = try content?.matrixWords() ?? ""
    }
  }

  private func choices() throws(JSONError) -> [String] {
    guard let content else { return [] }
    let chosen = try content.strings("m.selections")
    guard chosen.isEmpty else { return chosen }
    let response = content.object("m.poll.response") ?? content.object(type)
    return try response?.strings("answers") ?? []
  }

  /// The votes for each answer by its id.
  private func results() -> [(String, Int64)] {
    guard let results = content?.object("m.poll.results") else { return [] }
    return results.keys.sorted().compactMap { key in results.integer(key).map { (key, $0) } }
  }
}

extension JSONFields {
  /// The words of an event or of a part of one, where there are any:
  /// <https://github.com/matrix-org/matrix-spec-proposals/blob/main/proposals/1767-extensible-events.md>.
  func matrixWords() throws(JSONError) -> String? {
    for key in ["body", "org.matrix.msc1767.text", "m.text", "org.matrix.msc1767.message", "m.message"] {
      if let words = try plainText(key), !words.isEmpty { return words }
      if let words = try plainForm(key), !words.isEmpty { return words }
    }
    let html = try plainText("formatted_body").map { HTMLText.plain($0, showsEmoji: true) } ?? ""
    return html.isEmpty ? nil : html
  }

  private func plainForm(_ key: String) throws(JSONError) -> String? {
    var words: String?
    try forEach(key) { value throws(JSONError) in
      guard words == nil, let form = JSONFields(value) else { return }
      let type = try form.plainText("mimetype") ?? "text/plain"
      if type == "text/plain" { words = try form.plainText("body") }
    }
    return words
  }
}

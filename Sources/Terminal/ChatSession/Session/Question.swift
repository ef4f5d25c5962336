internal import MessageModel

/// Permission for a kind of change to an imported conversation, asked for once per run.
package struct Permission: Hashable, Sendable {
  enum Sort: Hashable, Sendable { case appending, editing, deletion, reaction }

  let sort: Sort
  let conversation: Conversation.ID
}

/// A question before a command; the next line is the reply.
///
/// Another command, Esc and Ctrl-C put it away. In scripts and views, which cannot reply, the command fails
/// instead.
package struct Question: Hashable, Sendable {
  package struct Answer: Hashable, Sendable {
    /// Its first letter is enough.
    var word: String
    var command: TypedCommand?
  }

  var text: String
  var answers: [Answer]
  /// The reply of an empty line; `nil` if that puts the question away.
  var enter: Answer?
  var permits: Permission?
  var remedy: Remedy?

  /// Whether other lines pass, since no reply is needed.
  var isPassing: Bool { enter != nil }

  /// The question with its replies: `delete 12 messages? y or n, then Enter`.
  var line: String { isPassing ? text : "\(text) \(choices), then Enter" }

  var prompt: String { isPassing ? "Enter to send > " : "\(letters.joined(separator: "/")) > " }

  private var choices: String {
    let rest = letters.dropLast().joined(separator: ", ")
    return rest.isEmpty ? letters.joined() : "\(rest) or \(letters[letters.count - 1])"
  }

  private var letters: [String] { answers.map { String($0.word.prefix(1)) } }

  func answer(_ line: some StringProtocol) -> Answer? {
    let word = line.lowercased()
    if word.isEmpty { return enter ?? Answer(word: "", command: nil) }
    return answers.first { $0.word == word || ($0.word.prefix(1) == word && word.first?.isLetter == true) }
  }

  var refusal: UsageError {
    UsageError("this has to be asked first: \(text)", cause: "nobody is there to answer", remedy: remedy)
  }

  var misunderstanding: UsageError {
    UsageError("\(text)", remedy: .words(answers.map(\.word).joined(separator: " or ")))
  }
}

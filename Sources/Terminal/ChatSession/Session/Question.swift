internal import MessageModel

/// A sort of change of an imported conversation, which is asked about once in a run.
package struct Permission: Hashable, Sendable {
  /// The sorts of changes.
  enum Sort: Hashable, Sendable { case appending, editing, deletion, reaction }

  let sort: Sort
  let conversation: Conversation.ID
}

/// A question that a session asks before it goes on: the next line answers.
///
/// A line that begins with a slash is another command and puts the question away, as Esc and Ctrl-C do. Where nobody
/// can answer, in scripts and in views, what asks fails.
package struct Question: Hashable, Sendable {
  /// An answer that is understood.
  package struct Answer: Hashable, Sendable {
    /// The word for it; its first letter will do.
    var word: String
    /// The command that it leads to; `nil` for none.
    var command: TypedCommand?
  }

  /// The question, in one line.
  var text: String
  var answers: [Answer]
  /// The answer that an empty line gives; without one, an empty line puts the question away.
  var enter: Answer?
  /// What may be done once somebody has agreed; `nil` for nothing.
  var permits: Permission?
  /// The way to do it without a question, for scripts.
  var remedy: Remedy?

  /// Whether a line that is no answer is read like any other: for what need not be answered.
  var isPassing: Bool { enter != nil }

  /// The question with its answers: `delete 12 messages? y/n, then Enter`.
  var line: String { isPassing ? text : "\(text) \(letters), then Enter" }

  /// The text before the line that answers.
  var prompt: String { isPassing ? "Enter to send > " : "\(letters) > " }

  private var letters: String { answers.map { String($0.word.prefix(1)) }.joined(separator: "/") }

  /// Returns the answer that a line gives; `nil` if it is none.
  func answer(_ line: some StringProtocol) -> Answer? {
    let word = line.lowercased()
    if word.isEmpty { return enter ?? Answer(word: "", command: nil) }
    return answers.first { $0.word == word || ($0.word.prefix(1) == word && word.first?.isLetter == true) }
  }

  /// The error where nobody can answer.
  var refusal: UsageError {
    UsageError("this has to be asked first: \(text)", cause: "nobody is there to answer", remedy: remedy)
  }

  /// The error that says that a line is no answer.
  var misunderstanding: UsageError {
    UsageError("\(text)", remedy: .words(answers.map(\.word).joined(separator: " or ")))
  }
}

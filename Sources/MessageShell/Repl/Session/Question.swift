internal import MessageModel

/// A question that a session asks before it goes on: the next line answers.
///
/// A line that begins with a slash is another command and puts the question away, as an empty one and Ctrl-C do. Where
/// nobody can answer, in scripts and in views, what asks fails.
package struct Question: Hashable, Sendable {
  /// An answer that is understood.
  package struct Answer: Hashable, Sendable {
    /// The word for it; its first letter will do.
    var word: String
    /// The command that it leads to; `nil` for none.
    var command: ReplCommand?
  }

  /// The question, in one line.
  var text: String
  var answers: [Answer]
  /// The way to do it without a question, for scripts.
  var remedy: String?

  /// The question with its answers: `delete 12 messages? (yes, no)`.
  var line: String { "\(text) (\(answers.map(\.word).joined(separator: ", ")))" }

  /// Returns the answer that a line gives; `nil` if it is none.
  func answer(_ line: some StringProtocol) -> Answer? {
    let word = line.lowercased()
    return answers.first { $0.word == word || $0.word.prefix(1) == word }
  }

  /// The error where nobody can answer.
  var refusal: UsageError {
    UsageError("this has to be asked first: \(text)", cause: "nobody is there to answer", remedy: remedy)
  }

  /// The error that says that a line is no answer.
  var misunderstanding: UsageError {
    UsageError("\(text)", remedy: answers.map(\.word).joined(separator: " or "))
  }
}

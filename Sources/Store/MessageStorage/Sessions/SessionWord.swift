/// A word by which a session of an assistant is found, with what it is.
package struct SessionWord: Hashable, Sendable {
  /// The sort of a word. The raw values are stored.
  package enum Sort: Int64, Hashable, Sendable, CaseIterable {
    /// The path of the folder that the assistant worked in.
    case folder = 0
    /// The branch of git that it worked on.
    case branch = 1
    /// The id of a model.
    case model = 2
    /// The name of a tool that was called.
    case tool = 3
    /// The path of a file that a call names.
    case file = 4

    /// Whether a program says it of the session as a whole, rather than its messages.
    var isNoted: Bool {
      switch self {
      case .folder, .branch: true
      case .model, .tool, .file: false
      }
    }
  }

  package var sort: Sort
  package var word: String

  /// Creates a word.
  package init(_ sort: Sort, _ word: String) {
    self.sort = sort
    self.word = word
  }
}

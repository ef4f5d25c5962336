/// A word of an assistant's session that can be searched.
package struct SessionWord: Hashable, Sendable {
  /// The sort of a word. Raw values are stored.
  package enum Sort: Int64, Hashable, Sendable, CaseIterable {
    /// The path of the assistant's folder.
    case folder = 0
    /// The git branch.
    case branch = 1
    /// The id of a model.
    case model = 2
    /// The name of a tool that was called.
    case tool = 3
    /// The path of a file that a call names.
    case file = 4

    /// Whether it comes from the notes of the session rather than its messages.
    var isNoted: Bool {
      switch self {
      case .folder, .branch: true
      case .model, .tool, .file: false
      }
    }
  }

  package var sort: Sort
  package var word: String

  package init(_ sort: Sort, _ word: String) {
    self.sort = sort
    self.word = word
  }
}

/// The words that may stand at the end of a command line.
enum CompletionAnswer: Equatable {
  /// One of these words.
  case words([Word])
  /// The path of a file, which the shell finds itself.
  case files
  /// The path of a folder, which the shell finds itself.
  case folders

  /// A word, as the program is to get it: a shell must quote it.
  struct Word: Equatable {
    var text: String
    /// Its description in a few words of ours; empty if it speaks for itself.
    var summary = ""
  }

  /// The word that a script is told first: `words`, `files` or `folders`.
  var kind: String {
    switch self {
    case .words: "words"
    case .files: "files"
    case .folders: "folders"
    }
  }

  /// The words; none where the shell is to find paths.
  var words: [Word] {
    switch self {
    case .words(let words): words
    case .files, .folders: []
    }
  }
}

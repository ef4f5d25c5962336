enum CompletionAnswer: Equatable {
  /// One of these words.
  case words([Word])
  /// A file path, which the shell completes.
  case files
  /// A folder path, which the shell completes.
  case folders

  /// A word as the program must receive it: the shell's script quotes it.
  struct Word: Equatable {
    var text: String
    var summary = ""
  }

  /// The kind as scripts read it, on the first line of output.
  var kind: String {
    switch self {
    case .words: "words"
    case .files: "files"
    case .folders: "folders"
    }
  }

  var words: [Word] {
    switch self {
    case .words(let words): words
    case .files, .folders: []
    }
  }
}

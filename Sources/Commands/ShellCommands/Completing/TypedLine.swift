/// A bash command line up to the cursor, split as the shell would, without expanding or running anything.
struct TypedLine: Equatable {
  enum Quoting: Hashable {
    case none, single, double
    /// `$'…'`, in which a backslash escapes.
    case escaping
  }

  /// The words before the last one, unquoted.
  private(set) var words: [String] = []
  /// The word before the cursor, unquoted; empty after a space.
  private(set) var last = ""
  private(set) var quoting = Quoting.none
  /// Whether the line ends with an escaping backslash.
  private(set) var endsInBackslash = false
  /// Whether the shell would expand a part of the last word: a variable, a command substitution, a file
  /// pattern.
  private(set) var isExpanded = false
  /// Whether the only expansion is a dollar sign that may begin `$'…'`.
  private var hasOneDollar = false
  private var hasWord = false

  init(_ line: String) {
    var before: Unicode.Scalar?
    for scalar in line.unicodeScalars {
      take(scalar, behind: before)
      before = scalar
    }
  }

  private mutating func take(_ scalar: Unicode.Scalar, behind before: Unicode.Scalar?) {
    if endsInBackslash {
      if quoting == .double, !Self.quotableInDouble.contains(scalar) { last += "\\" }
      last.unicodeScalars.append(scalar)
      endsInBackslash = false
      return
    }
    switch (quoting, scalar) {
    case (.none, "\\"), (.double, "\\"), (.escaping, "\\"):
      (endsInBackslash, hasWord) = (true, true)
    case (.none, "'"):
      if before == "$", last.hasSuffix("$") {
        last.unicodeScalars.removeLast()
        quoting = .escaping
        if hasOneDollar { isExpanded = false }
      } else {
        quoting = .single
      }
      hasWord = true
    case (.none, "\""): (quoting, hasWord) = (.double, true)
    case (.single, "'"), (.escaping, "'"), (.double, "\""): quoting = .none
    case (.none, _) where Self.separating.contains(scalar): endWord()
    case (.none, _), (.single, _), (.double, _), (.escaping, _):
      if means(scalar) { (isExpanded, hasOneDollar) = (true, scalar == "$" && !isExpanded) }
      last.unicodeScalars.append(scalar)
      hasWord = true
    }
  }

  private mutating func endWord() {
    if hasWord { words.append(last) }
    (last, hasWord, isExpanded) = ("", false, false)
  }

  /// Whether an unescaped scalar is special to the shell within the present quotes.
  private func means(_ scalar: Unicode.Scalar) -> Bool {
    switch quoting {
    case .none: scalar.isASCII && !Self.plain.contains(scalar)
    case .double: "$`!".unicodeScalars.contains(scalar)
    case .single, .escaping: false
    }
  }

  /// Returns the text to type after the last word to complete it to `word`, quoted to suit the line; `nil` if
  /// `word` does not begin with the last word, or if the shell would first expand that. Typed text keeps its
  /// quotes. An open quote stays open: readline closes it.
  func rest(of word: String) -> String? {
    guard !isExpanded, word.utf8.starts(with: last.utf8) else { return nil }
    let rest = Array(String(decoding: word.utf8.dropFirst(last.utf8.count), as: UTF8.self).unicodeScalars)
    guard let end = rest.last else { return "" }
    // The backslash was already typed.
    let isEscaped = endsInBackslash && quoted(rest[0]).hasPrefix("\\")
    var written = rest.dropLast().map(quoted).joined()
    if isEscaped, rest.count > 1 { written.removeFirst() }
    return written + (isEscaped && rest.count == 1 ? closing(behindBackslash: end) : closing(end))
  }

  /// Quotes the last scalar of a name: readline adds the closing quote unless the text ends with it.
  private func closing(_ scalar: Unicode.Scalar) -> String {
    switch (quoting, scalar) {
    case (.single, "'"), (.escaping, "'"): "'\\'"
    case (.double, "\""): "\"\\\""
    case (.double, "!"): "\"\\!\"\""
    case (.none, _), (.single, _), (.double, _), (.escaping, _): quoted(scalar)
    }
  }

  private func closing(behindBackslash scalar: Unicode.Scalar) -> String {
    switch (quoting, scalar) {
    case (.double, "\""): "\"\""
    case (.escaping, "'"): "''"
    case (.none, _), (.single, _), (.double, _), (.escaping, _): "\(scalar)"
    }
  }

  private func quoted(_ scalar: Unicode.Scalar) -> String {
    switch quoting {
    case .none: scalar.isASCII && !Self.plain.contains(scalar) ? "\\\(scalar)" : "\(scalar)"
    case .single: scalar == "'" ? "'\\''" : "\(scalar)"
    // Only other quotes keep `!` within double quotes from expanding history.
    case .double where scalar == "!": "\"'!'\""
    case .double: Self.quotableInDouble.contains(scalar) ? "\\\(scalar)" : "\(scalar)"
    case .escaping: scalar == "'" || scalar == "\\" ? "\\\(scalar)" : "\(scalar)"
    }
  }

  private static let separating = Set(" \t\n;|&()<>".unicodeScalars)
  private static let quotableInDouble = Set("$`\"\\".unicodeScalars)
  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,+@%:=".unicodeScalars)
}

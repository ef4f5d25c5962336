/// A command line of bash up to the cursor, taken apart as the shell would, and without running anything that stands in it.
struct TypedLine: Equatable {
  /// The quoting at the end of the line.
  enum Quoting: Hashable {
    case none, single, double
    /// `$'…'`, in which a backslash means something.
    case escaping
  }

  /// The words before the last one, as the program would get them.
  private(set) var words: [String] = []
  /// The word that the cursor stands behind, as the program would get it; empty behind a space.
  private(set) var last = ""
  /// The quoting around the cursor.
  private(set) var quoting = Quoting.none
  /// Whether the line ends with a backslash that quotes what comes.
  private(set) var endsInBackslash = false
  /// Whether the shell would put something in the place of a part of the last word: a variable, what a command prints, files.
  private(set) var isExpanded = false
  /// Whether that is a single dollar, which may belong to quotes.
  private var hasOneDollar = false
  private var hasWord = false

  /// Takes a line apart.
  ///
  /// - Complexity: O(its length).
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
      // The dollar belongs to the quotes.
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

  /// Whether a scalar that nothing quotes means something else than itself, in the present quotes.
  private func means(_ scalar: Unicode.Scalar) -> Bool {
    switch quoting {
    case .none: scalar.isASCII && !Self.plain.contains(scalar)
    case .double: "$`!".unicodeScalars.contains(scalar)
    case .single, .escaping: false
    }
  }

  /// Returns what is to be typed so that the last word becomes `word`, quoted as the line asks for it; `nil` if that does not
  /// begin as the last word does, or nobody knows how that begins until the shell has expanded it.
  ///
  /// What was typed stays as it was, whatever its quotes. An open quote stays open: readline closes it.
  func rest(of word: String) -> String? {
    guard !isExpanded, word.utf8.starts(with: last.utf8) else { return nil }
    let rest = Array(String(decoding: word.utf8.dropFirst(last.utf8.count), as: UTF8.self).unicodeScalars)
    guard let end = rest.last else { return "" }
    // The backslash is there already.
    let isEscaped = endsInBackslash && quoted(rest[0]).hasPrefix("\\")
    var written = rest.dropLast().map(quoted).joined()
    if isEscaped, rest.count > 1 { written.removeFirst() }
    return written + (isEscaped && rest.count == 1 ? closing(behindBackslash: end) : closing(end))
  }

  /// Returns how the last scalar of a name is written: readline closes a quote behind it unless that is what it ends with.
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
    // Within double quotes only others keep it from bringing up a line of the history.
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

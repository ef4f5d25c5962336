/// Reads a query by recursive descent. Nothing it meets is an error.
struct SearchQueryParser {
  private enum Token: Equatable {
    case phrase(String, isPrefix: Bool)
    case or, and, not, open, close
  }

  private var tokens: [Token] = []
  private var position = 0
  private var depth = 0
  /// The greatest depth of parentheses; deeper ones are passed over. FTS5's own parser has a limit.
  private static let depthLimit = 12

  /// The number of words and phrases typed.
  let wordCount: Int

  init(_ text: String) {
    var lexer = Lexer(text)
    wordCount = lexer.run()
    tokens = lexer.tokens
  }

  /// Returns the query; `nil` if nothing is looked for.
  mutating func query() -> SearchQuery? {
    var parts: [SearchQuery] = []
    while position < tokens.count {
      if let part = alternatives() { parts.append(part) }
      // A parenthesis that closes nothing.
      if peek == .close { position += 1 }
    }
    return Self.joined(parts, SearchQuery.all)
  }

  private var peek: Token? { position < tokens.count ? tokens[position] : nil }

  private mutating func alternatives() -> SearchQuery? {
    var parts: [SearchQuery] = []
    if let first = conjunction() { parts.append(first) }
    while peek == .or {
      position += 1
      if let next = conjunction() { parts.append(next) }
    }
    return Self.joined(parts, SearchQuery.any)
  }

  private mutating func conjunction() -> SearchQuery? {
    var parts: [SearchQuery] = []
    while let token = peek, token != .or, token != .close {
      if token == .and {
        position += 1
      } else if let part = term() {
        parts.append(part)
      }
    }
    return Self.joined(parts, SearchQuery.all)
  }

  private mutating func term() -> SearchQuery? {
    guard let token = peek else { return nil }
    position += 1
    switch token {
    case .phrase(let text, let isPrefix): return .phrase(text, isPrefix: isPrefix)
    case .not:
      guard let next = peek, next != .or, next != .and, next != .close else { return nil }
      guard let inner = term() else { return nil }
      if case .not(let twice) = inner { return twice }
      return .not(inner)
    case .open: return group()
    case .or, .and, .close: return nil
    }
  }

  private mutating func group() -> SearchQuery? {
    guard depth < Self.depthLimit else { return nil }
    depth += 1
    defer { depth -= 1 }
    let inner = alternatives()
    if peek == .close { position += 1 }
    return inner
  }

  private static func joined(_ parts: [SearchQuery], _ join: ([SearchQuery]) -> SearchQuery) -> SearchQuery? {
    parts.count > 1 ? join(parts) : parts.first
  }
}

extension SearchQueryParser {
  /// Cuts a query into words, phrases and signs.
  private struct Lexer {
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private(set) var tokens: [Token] = []

    init(_ text: String) {
      // FTS5 reads its query as a C string, which a NUL would end inside a quotation.
      scalars = text.unicodeScalars.map { $0.value == 0 ? " " : $0 }
    }

    /// Cuts, and returns how many words there are.
    mutating func run() -> Int {
      var isAtStart = true
      while position < scalars.count {
        let scalar = scalars[position]
        switch scalar {
        case "\"": readPhrase()
        case "(", ")":
          tokens.append(scalar == "(" ? .open : .close)
          position += 1
        case "-" where isAtStart && beginsNegation:
          tokens.append(.not)
          position += 1
        case _ where scalar.properties.isWhitespace: position += 1
        default: readWord()
        }
        isAtStart = scalar.properties.isWhitespace || scalar == "("
      }
      return tokens.reduce(0) { if case .phrase = $1 { $0 + 1 } else { $0 } }
    }

    /// Whether the hyphen here stands before something to be left out.
    private var beginsNegation: Bool {
      guard position + 1 < scalars.count else { return false }
      let next = scalars[position + 1]
      return !next.properties.isWhitespace && next != "-"
    }

    private mutating func readPhrase() {
      let start = position + 1
      let end = scalars[start...].firstIndex(of: "\"") ?? scalars.count
      position = min(end + 1, scalars.count)
      add(scalars[start..<end])
    }

    private mutating func readWord() {
      let start = position
      while position < scalars.count, !ends(scalars[position]) { position += 1 }
      let word = String(String.UnicodeScalarView(scalars[start..<position]))
      switch word {
      case "OR", "|": tokens.append(.or)
      case "AND", "&": tokens.append(.and)
      case "NOT": tokens.append(.not)
      default: add(scalars[start..<position])
      }
    }

    private func ends(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isWhitespace || scalar == "\"" || scalar == "(" || scalar == ")"
    }

    /// Adds a phrase, with the star behind it; one without a letter or digit says nothing.
    private mutating func add(_ part: ArraySlice<Unicode.Scalar>) {
      var text = part
      var isPrefix = false
      if text.last == "*" {
        isPrefix = true
        text.removeLast()
      } else if position < scalars.count, scalars[position] == "*" {
        isPrefix = true
        position += 1
      }
      guard text.contains(where: Self.isToken) else { return }
      // Behind other signs a star asks for what begins with nothing.
      isPrefix = isPrefix && text.last.map(Self.isToken) == true
      tokens.append(.phrase(String(String.UnicodeScalarView(text)), isPrefix: isPrefix))
    }

    /// Whether the tokenizer takes a character for a part of a word.
    private static func isToken(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .decimalNumber, .letterNumber, .otherNumber, .privateUse, .nonspacingMark, .spacingMark,
        .enclosingMark:
        true
      default: false
      }
    }
  }
}

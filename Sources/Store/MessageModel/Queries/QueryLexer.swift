enum QueryToken: Hashable {
  case phrase(String, isPrefix: Bool)
  case term(QueryTerm)
  case or, and, not, open, close
}

/// Splits a query into words, phrases, terms and operators.
struct QueryLexer {
  private let scalars: [Unicode.Scalar]
  private let vocabulary: QueryVocabulary
  private let readsOperators: Bool
  private var position = 0
  private var tokens: [QueryToken] = []
  private(set) var places: [Range<Int>] = []
  /// The start of the current token.
  private(set) var start = 0

  static let timeWords = 5

  /// - Parameter readsOperators: Whether `OR`, `AND` and `NOT` are operators rather than words.
  init(_ text: String, _ vocabulary: QueryVocabulary, readsOperators: Bool = true) {
    // FTS5 reads its query as a C string, which a NUL would end within a quotation.
    scalars = text.unicodeScalars.map { $0.value == 0 ? " " : $0 }
    self.vocabulary = vocabulary
    self.readsOperators = readsOperators && !vocabulary.isOfSentences
  }

  mutating func run() throws(QueryMistake) -> [QueryToken] {
    var isAtStart = true
    while position < scalars.count {
      start = position
      let scalar = scalars[position]
      switch scalar {
      case "\"": try readPhrase()
      case "(", ")":
        if !vocabulary.isOfSentences { tokens.append(scalar == "(" ? .open : .close) }
        position += 1
      case "-" where isAtStart && beginsNegation:
        tokens.append(.not)
        position += 1
      case _ where scalar.properties.isWhitespace: position += 1
      default: if try !readTerm() { readWord() }
      }
      while places.count < tokens.count { places.append(start..<position) }
      isAtStart = scalar.properties.isWhitespace || scalar == "("
    }
    return tokens
  }

  private var beginsNegation: Bool {
    guard position + 1 < scalars.count else { return false }
    let next = scalars[position + 1]
    return !next.properties.isWhitespace && next != "-" && !(vocabulary.isOfSentences && next == "(")
  }

  // MARK: Words

  private mutating func readPhrase() throws(QueryMistake) { add(try quoted()[...]) }

  private mutating func quoted() throws(QueryMistake) -> [Unicode.Scalar] {
    let start = position + 1
    let end = scalars[start...].firstIndex(of: "\"")
    if end == nil, vocabulary.hasTerms, !vocabulary.isOfSentences { throw .openQuote }
    position = min((end ?? scalars.count) + 1, scalars.count)
    return Array(scalars[start..<(end ?? scalars.count)])
  }

  private mutating func readWord() {
    let start = position
    while position < scalars.count, !ends(scalars[position]) { position += 1 }
    let word = scalars[start..<position]
    switch Self.text(word) {
    case "OR" where readsOperators, "|" where readsOperators: tokens.append(.or)
    case "AND" where readsOperators, "&" where readsOperators: tokens.append(.and)
    case "NOT" where readsOperators: tokens.append(.not)
    // The excluded word is not typed yet.
    case _ where position == scalars.count && word.allSatisfy({ $0 == "-" }) && !tokens.isEmpty: break
    default: add(word)
    }
  }

  private func ends(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar == "\"" || scalar == "(" || scalar == ")"
  }

  /// Adds a phrase, with its star. If there are terms, a phrase of signs alone is searched in texts, since
  /// the indexes do not have it.
  private mutating func add(_ part: ArraySlice<Unicode.Scalar>) {
    var text = part
    var isPrefix = false
    // Several stars are one: a phrase that kept a star would be parsed differently next time.
    while text.last == "*" {
      isPrefix = true
      text.removeLast()
    }
    if !isPrefix, position < scalars.count, scalars[position] == "*" {
      isPrefix = true
      position += 1
    }
    guard text.contains(where: { $0.isOfWords || vocabulary.hasTerms && $0.isSign }) else { return }
    // After other signs a star would match everything.
    isPrefix = isPrefix && text.last?.isOfWords == true
    tokens.append(.phrase(Self.text(text), isPrefix: isPrefix))
  }

  private static func text(_ part: some Sequence<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: part)
    return String(view)
  }

  // MARK: Terms

  private mutating func readTerm() throws(QueryMistake) -> Bool {
    guard vocabulary.hasTerms, let colon = colonOfKey else { return false }
    let name = Self.text(scalars[position..<colon])
    guard let key = QueryTerm.Key(rawValue: name.lowercased()) else {
      if vocabulary.isOfSentences || !isValue(at: colon + 1) { return false }
      throw .noTerm(name, word: Self.text(scalars[position...].prefix { !$0.properties.isWhitespace }))
    }
    position = colon + 1
    let value = try readValue(of: key)
    if value.allSatisfy(\.isWhitespace) {
      guard vocabulary.isOfSentences else { throw .noValue(key) }
      position = start
      return false
    }
    tokens.append(.term(QueryTerm(key, value)))
    return true
  }

  /// The colon after the letters that begin here.
  private var colonOfKey: Int? {
    var index = position
    while index < scalars.count, scalars[index].properties.isAlphabetic || scalars[index] == "-" {
      index += 1
    }
    return index > position && index < scalars.count && scalars[index] == ":" ? index : nil
  }

  /// Whether a term's value may begin here, rather than the rest of an address or a second colon.
  private func isValue(at index: Int) -> Bool {
    guard index < scalars.count else { return false }
    return !scalars[index].properties.isWhitespace && ![":", "/", ")"].contains(scalars[index])
  }

  private mutating func readValue(of key: QueryTerm.Key) throws(QueryMistake) -> String {
    if position < scalars.count, scalars[position] == "\"" { return Self.text(try quoted()) }
    let end = endOfValue(from: position)
    guard key.isTime, end > position else {
      defer { position = end }
      return Self.text(scalars[position..<end])
    }
    return readTime()
  }

  /// Values end at the next space, or at an unmatched closing parenthesis.
  private func endOfValue(from start: Int) -> Int {
    var (index, open) = (start, 0)
    while index < scalars.count, !scalars[index].properties.isWhitespace {
      if scalars[index] == "(" { open += 1 }
      if scalars[index] == ")" {
        open -= 1
        if open < 0 { break }
      }
      index += 1
    }
    return index
  }

  /// Includes following words that belong to the time.
  private mutating func readTime() -> String {
    var words: [Substring] = []
    var ends: [Int] = []
    var index = position
    while words.count < Self.timeWords, index < scalars.count, scalars[index] != "\"" {
      let end = endOfValue(from: index)
      if end == index { break }
      words.append(Self.text(scalars[index..<end])[...])
      ends.append(end)
      index = end
      while index < scalars.count, scalars[index].properties.isWhitespace { index += 1 }
    }
    let count = min(max(1, vocabulary.timeLength(words)), words.count)
    position = ends[count - 1]
    return words[..<count].joined(separator: " ")
  }
}

extension Unicode.Scalar {
  /// Whether it is visible punctuation or a symbol.
  fileprivate var isSign: Bool {
    switch properties.generalCategory {
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation, .modifierSymbol:
      true
    default: isSymbol
    }
  }

  /// Whether it is an emoji, or a mathematical or currency sign.
  var isSymbol: Bool {
    switch properties.generalCategory {
    case .otherSymbol, .mathSymbol, .currencySymbol: true
    default: false
    }
  }

  /// Whether the tokenizer of the search indexes takes it for a part of a word.
  package var isOfWords: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse, .nonspacingMark, .spacingMark,
      .enclosingMark:
      true
    default: false
    }
  }
}

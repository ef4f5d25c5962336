/// Texts of which any match of a regular expression (PCRE2's) contains at least one.
///
/// A parser of part of the syntax: an expression with anything else has no such texts. Each text is a run of
/// letters and digits, which the tokenizer of the search index folds one by one, so that the words of a
/// message with the text contain the folded text; or a run of ``UnspacedScripts``, each a word of its own.
struct PatternTexts {
  struct Text: Hashable {
    var text: String
    var isUnspaced: Bool
  }

  /// Shorter texts are in too many words.
  private static let leastCount = 3
  private static let leastUnspacedCount = 2
  private static let mostTexts = 8
  private static let mostDepth = 32

  private let signs: [Unicode.Scalar]
  private var place = 0
  private var depth = 0
  private let isCaseless: Bool

  /// Returns the texts; `nil` if none are known.
  static func of(_ pattern: String) -> [Text]? {
    #if PCRE2
      var parser = PatternTexts(pattern)
      guard let found = try? parser.alternatives(), parser.place == parser.signs.count else { return nil }
      return found.texts
    #else
      // Foundation's syntax is another one.
      return nil
    #endif
  }

  private init(_ pattern: String) {
    let signs = Array(pattern.unicodeScalars)
    isCaseless = signs.starts(with: "(?i)".unicodeScalars)
    self.signs = signs
    place = isCaseless ? 4 : 0
  }

  private struct Unknown: Error {}

  /// What a part of an expression requires.
  private struct Required {
    var texts: [Text]?

    /// Longer texts are in fewer words.
    private var worth: Int {
      (texts ?? []).map { $0.text.unicodeScalars.count * ($0.isUnspaced ? 2 : 1) }.min() ?? 0
    }

    mutating func take(_ other: Required) { if other.worth > worth { self = other } }
  }

  private var next: Unicode.Scalar? { place < signs.count ? signs[place] : nil }

  private mutating func takes(_ sign: Unicode.Scalar) -> Bool {
    guard next == sign else { return false }
    place += 1
    return true
  }

  private mutating func take() throws -> Unicode.Scalar {
    guard let sign = next else { throw Unknown() }
    place += 1
    return sign
  }

  private mutating func alternatives() throws -> Required {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.mostDepth else { throw Unknown() }
    var all = try sequence()
    while takes("|") {
      let next = try sequence()
      all.texts = all.texts.flatMap { texts in next.texts.map { texts + $0 } }
    }
    if let count = all.texts?.count, count > Self.mostTexts { all.texts = nil }
    return all
  }

  private mutating func sequence() throws -> Required {
    var (required, run) = (Required(), [Unicode.Scalar]())
    while let sign = next, sign != "|", sign != ")" {
      let literal = try literal()
      let group = literal == nil ? try atom() : Required()
      let isThere = try repetition()
      if let literal, isThere == nil {
        run.append(literal)
        continue
      }
      required.take(self.required(by: run))
      run = []
      if isThere != false { required.take(literal.map { self.required(by: [$0]) } ?? group) }
    }
    required.take(self.required(by: run))
    return required
  }

  // MARK: Literals

  /// Takes the next sign if it stands for itself.
  private mutating func literal() throws -> Unicode.Scalar? {
    let sign = try take()
    if sign == "\\", let escaped = next, escaped.isASCII, !Self.isAlphanumeric(escaped) { return try take() }
    if !"\\^$.[|()*+?{".unicodeScalars.contains(sign) { return sign }
    place -= 1
    return nil
  }

  private static func isAlphanumeric(_ sign: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(sign) || ("A"..."Z").contains(sign) || ("0"..."9").contains(sign)
  }

  private func required(by run: [Unicode.Scalar]) -> Required {
    var (required, part) = (Required(), [Unicode.Scalar]())
    var isUnspaced = false
    func end() {
      let isLong = part.count >= (isUnspaced ? Self.leastUnspacedCount : Self.leastCount)
      let text = Text(text: String(String.UnicodeScalarView(part)), isUnspaced: isUnspaced)
      if isLong { required.take(Required(texts: [text])) }
      part = []
    }
    for sign in run {
      let isOfUnspaced = UnspacedScripts.contains(sign)
      if isOfUnspaced != isUnspaced || !isFolded(sign) { end() }
      isUnspaced = isOfUnspaced
      if isFolded(sign) { part.append(sign) }
    }
    end()
    return required
  }

  /// Whether it is part of a word, and what the expression takes for the same has the same folded form.
  private func isFolded(_ sign: Unicode.Scalar) -> Bool {
    if Self.isAlphanumeric(sign) { return true }
    guard !sign.isASCII, !isCaseless else { return false }
    switch sign.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber:
      return true
    default: return false
    }
  }

  // MARK: The rest

  /// Takes a quantifier; returns whether what it repeats must be there, `nil` without one.
  private mutating func repetition() throws -> Bool? {
    var isThere: Bool?
    while let sign = next {
      switch sign {
      case "*", "?":
        place += 1
        isThere = false
      case "+":
        place += 1
        isThere = isThere ?? true
      case "{": isThere = try count() > 0 && isThere ?? true
      default: return isThere
      }
      // Lazy and possessive.
      if !takes("?") { _ = takes("+") }
    }
    return isThere
  }

  /// Takes `{3}`, `{3,}` or `{3,4}`; returns the least number.
  private mutating func count() throws -> Int {
    place += 1
    guard let least = number() else { throw Unknown() }
    if takes(",") { _ = number() }
    guard takes("}") else { throw Unknown() }
    return least
  }

  private mutating func number() -> Int? {
    let digits = signs[place...].prefix { ("0"..."9").contains($0) }
    place += digits.count
    return Int(String(String.UnicodeScalarView(digits)))
  }

  private mutating func atom() throws -> Required {
    switch try take() {
    case ".", "^", "$": return Required()
    case "\\":
      try escape()
      return Required()
    case "[":
      try set()
      return Required()
    case "(": return try group()
    default: throw Unknown()
    }
  }

  private mutating func escape() throws {
    let sign = try take()
    if "dDwWsShHvVRXbBAzZGtnrfea".unicodeScalars.contains(sign) { return }
    guard sign == "p" || sign == "P" else { throw Unknown() }
    guard takes("{") else {
      _ = try take()
      return
    }
    while try take() != "}" {}
  }

  private mutating func set() throws {
    _ = takes("^")
    _ = takes("]")
    while true {
      switch try take() {
      case "]": return
      case "\\": try escapeInSet()
      case "[": try classInSet()
      default: break
      }
    }
  }

  private mutating func escapeInSet() throws {
    let sign = try take()
    if "dDwWsShHvVbtnrfea".unicodeScalars.contains(sign) || !Self.isAlphanumeric(sign) { return }
    place -= 1
    try escape()
  }

  /// `[:alpha:]`, or a bracket that stands for itself.
  private mutating func classInSet() throws {
    if next == "." || next == "=" { throw Unknown() }
    guard takes(":") else { return }
    _ = takes("^")
    while let sign = next, ("a"..."z").contains(sign) { place += 1 }
    guard takes(":"), takes("]") else { throw Unknown() }
  }

  /// A group, after its parenthesis.
  private mutating func group() throws -> Required {
    if next == "*" { throw Unknown() }
    var isLookaround = false
    if takes("?") {
      switch try take() {
      case ":", ">": break
      case "=", "!": isLookaround = true
      case "<":
        isLookaround = takes("=") || takes("!")
        if !isLookaround { try name() }
      case "P": if takes("<") { try name() } else { throw Unknown() }
      default: throw Unknown()
      }
    }
    let inner = try alternatives()
    guard takes(")") else { throw Unknown() }
    return isLookaround ? Required() : inner
  }

  private mutating func name() throws {
    while try take() != ">" {}
  }
}

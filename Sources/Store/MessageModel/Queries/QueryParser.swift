/// Parses by recursive descent. Misplaced operators are ignored.
struct QueryParser {
  private let tokens: [QueryToken]
  private var position = 0
  private var depth = 0
  /// Deeper parentheses are ignored, since FTS5's parser has a limit.
  private static let depthLimit = 12

  init(_ text: String, _ vocabulary: QueryVocabulary, readsOperators: Bool = true) throws(QueryMistake) {
    var lexer = QueryLexer(text, vocabulary, readsOperators: readsOperators)
    tokens = try lexer.run()
  }

  /// `nil` for an empty query.
  mutating func query() -> QueryExpression? {
    var parts: [QueryExpression] = []
    while position < tokens.count {
      if let part = alternatives() { parts.append(part) }
      // An unmatched closing parenthesis.
      if peek == .close { position += 1 }
    }
    return Self.joined(parts, QueryExpression.all)
  }

  private var peek: QueryToken? { position < tokens.count ? tokens[position] : nil }

  private mutating func alternatives() -> QueryExpression? {
    var parts: [QueryExpression] = []
    if let first = conjunction() { parts.append(first) }
    while peek == .or {
      position += 1
      if let next = conjunction() { parts.append(next) }
    }
    return Self.joined(parts, QueryExpression.any)
  }

  private mutating func conjunction() -> QueryExpression? {
    var parts: [QueryExpression] = []
    while let token = peek, token != .or, token != .close {
      if token == .and {
        position += 1
      } else if let part = part() {
        parts.append(part)
      }
    }
    return Self.joined(parts, QueryExpression.all)
  }

  private mutating func part() -> QueryExpression? {
    var isWanted = true
    while peek == .not {
      position += 1
      isWanted.toggle()
    }
    guard let inner = unsignedPart() else { return nil }
    if isWanted { return inner }
    if case .not(let twice) = inner { return twice }
    return .not(inner)
  }

  private mutating func unsignedPart() -> QueryExpression? {
    guard let token = peek, token != .or, token != .and, token != .close else { return nil }
    position += 1
    switch token {
    case .phrase(let text, let isPrefix): return .phrase(text, isPrefix: isPrefix)
    case .term(let term): return .term(term)
    case .open: return group()
    case .not, .or, .and, .close: return nil
    }
  }

  private mutating func group() -> QueryExpression? {
    guard depth < Self.depthLimit else { return nil }
    depth += 1
    defer { depth -= 1 }
    let inner = alternatives()
    if peek == .close { position += 1 }
    return inner
  }

  private static func joined(
    _ parts: [QueryExpression], _ join: ([QueryExpression]) -> QueryExpression
  ) -> QueryExpression? {
    parts.count > 1 ? join(parts) : parts.first
  }
}

internal import MessageModel

/// A query of words alone: words that must all be there, `"phrases"`, `prefixes*`, `OR`, `-without` or `NOT
/// without`, and parentheses. Any text is a query, since misplaced operators are ignored. Every word reaches
/// FTS5 in quotes and is tokenized there. Runs of characters of ``UnspacedScripts`` become phrases.
typealias SearchQuery = QueryExpression

extension QueryExpression {
  static let wordLimit = 1_000

  /// Throws if it has no letter or digit, or more than ``wordLimit`` words.
  init(_ text: String) throws(StoreError) {
    // Without terms a query has no syntax errors.
    guard let query = try? Self.reading(text, .words) else {
      throw StoreError(
        .invalidRequest, "cannot search for '\(VisibleText.of(String(text.prefix(40))))'",
        cause: "there is no letter or digit in it", remedy: "a regular expression, which finds any sign")
    }
    let count = query.partCount
    guard count <= Self.wordLimit else {
      throw StoreError(
        .invalidRequest, "cannot search for \(count) words", cause: "a query has at most \(Self.wordLimit)")
    }
    self = query
  }

  /// The query in FTS5's language (<https://sqlite.org/fts5.html#full_text_query_syntax>), for the column of
  /// words; `nil` if a part of it is purely negative, which FTS5 cannot express.
  var expression: String? {
    switch self {
    case .phrase(let text, let isPrefix):
      return "\"\(UnspacedScripts.spaced(text).replacing("\"", with: "\"\""))\"\(isPrefix ? " *" : "")"
    case .any(let parts):
      let texts = parts.compactMap(\.expression)
      return texts.count == parts.count ? "(\(texts.joined(separator: " OR ")))" : nil
    case .all(let parts):
      let wanted = parts.filter { !$0.isNegative }.map(\.expression)
      let unwanted = parts.compactMap(\.negated).map(\.expression)
      guard !wanted.isEmpty, wanted.allSatisfy({ $0 != nil }), unwanted.allSatisfy({ $0 != nil }) else {
        return nil
      }
      let positive = "(\(wanted.compactMap(\.self).joined(separator: " AND ")))"
      if unwanted.isEmpty { return positive }
      return "(\(positive) NOT (\(unwanted.compactMap(\.self).joined(separator: " OR "))))"
    case .not, .term: return nil
    }
  }

  /// The words of which it negates each; `nil` if it wants any.
  var excluded: SearchQuery? {
    switch self {
    case .not(let inner): return inner.expression == nil ? nil : inner
    case .all(let parts):
      let excluded = parts.compactMap(\.excluded)
      return excluded.count == parts.count ? .any(excluded) : nil
    case .any, .phrase, .term: return nil
    }
  }

  private var negated: SearchQuery? {
    if case .not(let inner) = self { return inner }
    return nil
  }

  private var isNegative: Bool { negated != nil }

  /// The part without negations, for marking; with `marksExact` also text with significant signs
  /// (``ExactText``), such as `c++`.
  func positive(marksExact: Bool = true) -> SearchQuery? {
    switch self {
    case .phrase(let text, _): return marksExact || !ExactText.isWanted(text) ? self : nil
    case .not, .term: return nil
    case .all(let parts), .any(let parts):
      let kept = parts.compactMap { $0.positive(marksExact: marksExact) }
      return kept.isEmpty ? nil : .any(kept)
    }
  }
}

internal import MessageModel

/// A query of words alone: words that must all be there, `"phrases"`, `prefixes*`, `OR`, `-without` or `NOT without`,
/// and parentheses.
///
/// Any text is a query. Signs that mean nothing where they stand are passed over; every word reaches FTS5 in quotes, to
/// be taken apart by the index's own tokenizer. Runs of characters of ``UnspacedScripts`` become phrases.
typealias SearchQuery = QueryExpression

extension QueryExpression {
  /// The most words of a query.
  static let wordLimit = 1_000

  /// Reads a query of words alone.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` if there is not one letter or digit in it, or more words than
  ///   ``wordLimit``.
  init(_ text: String) throws(StoreError) {
    // Without terms there are no mistakes.
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

  /// The query in FTS5's own language, for the column of words; `nil` if it cannot be said there, since some part of
  /// it wants nothing but the absence of something.
  ///
  /// <https://sqlite.org/fts5.html#full_text_query_syntax>
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

  /// The query of what is to be absent, if this asks for nothing else.
  private var negated: SearchQuery? {
    if case .not(let inner) = self { return inner }
    return nil
  }

  private var isNegative: Bool { negated != nil }

  /// The part that looks for what is there, for marking it; `nil` if there is none.
  ///
  /// - Parameter marksExact: Whether what has signs as parts of it is marked by its words.
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

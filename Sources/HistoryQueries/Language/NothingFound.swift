package import MessageModel
package import MessageStorage

/// What to say when a search has found nothing: what may have been meant, and where else it is found.
package struct NothingFound: Sendable {
  private let store: any QueriedStore
  private let selection: Selection

  /// The most words of a query that are looked at, and the most that are named for one.
  private static let wordLimit = 4
  private static let nameLimit = 3
  /// How many hits elsewhere are looked at for the conversations that they are in.
  private static let elsewhereLimit = 100

  /// Creates a helper.
  ///
  /// - Parameter selection: Where nothing was found.
  package init(in selection: Selection, of store: any QueriedStore) {
    self.store = store
    self.selection = selection
  }

  /// Returns the error that says that nothing was found, with what helps.
  ///
  /// - Parameters:
  ///   - query: What was typed.
  ///   - remark: What else there is to say.
  package func error(_ query: String, _ pattern: SearchPattern, remark: String? = nil) -> StoreError {
    let causes = [suggestion(query, pattern), elsewhere(pattern), remark].compactMap(\.self)
    return StoreError(
      .notFound, "nothing found for '\(VisibleText.of(String(query.prefix(200))))'",
      cause: causes.isEmpty ? nil : causes.joined(separator: "; "))
  }

  /// The words that may have been meant. What cannot be read now helps nobody.
  private func suggestion(_ query: String, _ pattern: SearchPattern) -> String? {
    guard let expression = try? QueryExpression.reading(query, .ofQueries) else { return nil }
    if case .regex = pattern { return nil }
    let words = expression.wantedPhrases.filter { !$0.text.contains(where: \.isWhitespace) }
      .prefix(Self.wordLimit)
    let missing = words.filter {
      (try? store.finds(.words($0.text + ($0.isPrefix ? "*" : "")), in: selection)) == false
    }
    let near = missing.map(\.text).compactMap { try? store.words(near: $0, in: selection) }.filter {
      !$0.isEmpty
    }
    if !near.isEmpty {
      let names = near.map { $0.prefix(Self.nameLimit).map { VisibleText.of($0) }.joined(separator: ", ") }
      return "did you mean \(names.joined(separator: "; "))?"
    }
    let isTogether = words.count > 1 && missing.isEmpty && expression.terms.isEmpty
    return isTogether ? "each of the words is there, but not together" : nil
  }

  /// The other conversations that have it.
  private func elsewhere(_ pattern: SearchPattern) -> String? {
    guard case .some(let here) = selection.conversations,
      let hits = try? store.newestHits(pattern, limit: Self.elsewhereLimit)
    else { return nil }
    let others = hits.map(\.conversation).filter { !here.contains($0) }
    let ids = others.reduce(into: [Conversation.ID]()) { if !$0.contains($1) { $0.append($1) } }
    let names = ids.prefix(Self.nameLimit).compactMap { try? store.conversation($0)?.name }
    guard !names.isEmpty else { return nil }
    let more = ids.count > names.count ? " and others" : ""
    return "it is in \(names.map { "'\(VisibleText.of($0))'" }.joined(separator: ", "))\(more)"
  }
}

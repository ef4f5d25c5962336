package import MessageModel
package import MessageStorage

/// The advice after a search without results: similar words, and other conversations with results.
package struct NothingFound: Sendable {
  private let store: SynchronousMessageStore
  private let selection: Selection

  /// The maximum number of examined words of a query, and of suggestions for each.
  private static let wordLimit = 4
  private static let nameLimit = 3
  /// The maximum number of results in the whole store that are read to find other conversations with results.
  private static let elsewhereLimit = 100

  /// - Parameter selection: Where nothing was found.
  package init(in selection: Selection, of store: SynchronousMessageStore) {
    self.store = store
    self.selection = selection
  }

  /// Returns the error for a search without results, with advice.
  ///
  /// - Parameters:
  ///   - query: The query as typed.
  ///   - remark: An additional cause.
  package func error(_ query: String, _ predicate: MessagePredicate, remark: String? = nil) -> StoreError {
    let words = words(of: query, predicate)
    let causes = [words?.sentence, Self.sentence(elsewhere: elsewhere(predicate)), remark].compactMap(\.self)
    return StoreError(
      .notFound, "nothing found for '\(VisibleText.of(String(query.prefix(200))))'",
      cause: causes.isEmpty ? nil : causes.joined(separator: "; "))
  }

  func answer(_ query: String, _ predicate: MessagePredicate) -> NothingAnswer? {
    let words = words(of: query, predicate)
    let missing = words?.missing.map(\.word) ?? []
    let isTelling = !missing.isEmpty || words?.areApart == true || words?.excluding.isEmpty == false
    let answer = NothingAnswer(
      missing: missing.listed, present: isTelling ? words?.present.listed : nil,
      near: words?.missing.flatMap(\.near).listed, elsewhere: elsewhere(predicate)?.names.listed,
      excluding: words?.excluding.listed)
    return answer == NothingAnswer() ? nil : answer
  }

  private struct Words {
    var present: [String] = []
    var missing: [(word: String, near: [String])] = []
    /// The terms that exclude the words: without these terms the words are found. Empty if there are none.
    var excluding: [String] = []

    /// Whether each word exists, but never together with the others.
    var areApart: Bool { present.count > 1 && missing.isEmpty && excluding.isEmpty }

    var sentence: String? {
      let near = missing.filter { !$0.near.isEmpty }.map {
        $0.near.prefix(nameLimit).map { VisibleText.of($0) }.joined(separator: ", ")
      }
      if !near.isEmpty { return "did you mean \(near.joined(separator: "; "))?" }
      if areApart { return "each of the words is there, but not together" }
      if !excluding.isEmpty, !present.isEmpty {
        let terms = excluding.map { VisibleText.of($0) }.joined(separator: " ")
        return "\(present.count == 1 ? "it is" : "they are") there, but not with \(terms)"
      }
      guard !missing.isEmpty, !present.isEmpty else { return nil }
      let names = missing.map { "'\(VisibleText.of($0.word))'" }.joined(separator: " and ")
      return "\(names) \(missing.count == 1 ? "is" : "are") not there"
    }
  }

  /// Examines the words; words that cannot be read now are left out.
  private func words(of query: String, _ predicate: MessagePredicate) -> Words? {
    guard let expression = try? QueryExpression.reading(query, .ofQueries) else { return nil }
    if case .regex = predicate { return nil }
    var words = Words()
    let phrases = expression.wantedPhrases.filter { $0.text.unicodeScalars.contains(where: \.isOfWords) }
      .prefix(Self.wordLimit).map(Self.typed)
    for phrase in phrases {
      if (try? store.finds(.matching(phrase), in: selection)) == false {
        // A phrase has no similar ones.
        let near =
          phrase.hasPrefix("\"")
          ? [] : try? store.words(near: String(phrase.prefix { $0 != "*" }), in: selection)
        words.missing.append((phrase, near ?? []))
      } else {
        words.present.append(phrase)
      }
    }
    guard words.missing.isEmpty, !expression.terms.isEmpty else { return words }
    let alone = MessagePredicate.matching(words.present.joined(separator: " "))
    if words.present.count < 2 || (try? store.finds(alone, in: selection)) == true {
      words.excluding = expression.terms.map { "\($0.key.rawValue):\($0.value)" }
    }
    return words
  }

  /// A word, prefix or phrase in typed form.
  private static func typed(_ phrase: (text: String, isPrefix: Bool)) -> String {
    let isOne = !phrase.text.contains(where: \.isWhitespace)
    return (isOne ? phrase.text : "\"\(phrase.text)\"") + (phrase.isPrefix ? "*" : "")
  }

  private func elsewhere(_ predicate: MessagePredicate) -> (names: [String], areAll: Bool)? {
    guard case .some(let here) = selection.conversations,
      let hits = try? store.hits(predicate, limit: Self.elsewhereLimit, isCancelled: { false }).hits
    else { return nil }
    let others = hits.map(\.message.conversation).filter { !here.contains($0) }
    let ids = others.reduce(into: [Conversation.ID]()) { if !$0.contains($1) { $0.append($1) } }
    let names = ids.prefix(Self.nameLimit).compactMap { try? store.conversation($0)?.name }
    return names.isEmpty ? nil : (names, ids.count <= names.count)
  }

  private static func sentence(elsewhere found: (names: [String], areAll: Bool)?) -> String? {
    guard let found else { return nil }
    let names = found.names.map { "'\(VisibleText.of($0))'" }.joined(separator: ", ")
    let verb = found.names.count == 1 && found.areAll ? "has" : "have"
    return "\(names)\(found.areAll ? "" : " and others") \(verb) some"
  }
}

extension [String] {
  fileprivate var listed: [String]? { isEmpty ? nil : self }
}

internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import TerminalText

/// `/filter`.
extension Session {
  /// The message that is to stay where it is on the screen: the hit, if it is seen.
  private var messageToKeep: Message.ID? {
    search?.place.flatMap { place in reader.sight.visible?.contains(place) == true ? place : nil }
  }

  mutating func filter(_ words: String) throws -> Effects {
    let before = context.filter
    let outcome = try context.setFilter(words)
    var effects = Effects()
    effects.replies = outcome.remark.map { [.notice($0)] } ?? []
    do { effects.replies += try reader.select(outcome, keeping: messageToKeep, in: &context) } catch {
      context.filter = before
      throw error
    }
    forgetCount()
    effects.jobs = counting()
    if case .saved(let name) = outcome, reader.traits.hasWindow {
      effects.jobs.append(context.countingFilter(name))
    }
    effects.stops = forgetHits().union([.count])
    return effects
  }
}

extension ReplContext {
  /// The outcome of the words of a filter.
  package enum FilterOutcome: Hashable {
    case taken
    /// The filter is kept by this name.
    case saved(String)
    /// A word that might be the name of a saved filter is none, and is looked for.
    case lookedFor(String)

    /// The sentence to say of it; `nil` if the messages shown say all.
    var remark: String? {
      guard case .lookedFor(let word) = self else { return nil }
      return "no saved filter '\(word)': looking for the word"
    }
  }

  /// Shows only the messages that these words let through, or all for none; the name of a saved filter stands for it,
  /// and `save NAME` saves the present one.
  ///
  /// - Throws: ``UsageError`` that names the word that is not understood; the filter stays as it was.
  mutating func setFilter(_ words: String) throws -> FilterOutcome {
    guard !words.isEmpty else {
      filter = nil
      return .taken
    }
    if let name = try Self.nameToSave(words) {
      try saveFilter(as: name)
      return .saved(name)
    }
    if let saved = try store.savedFilter(named: words) {
      filter = Filter(words: SafeText.oneLine(saved.name), predicate: saved.predicate)
      return .taken
    }
    filter = Filter(
      words: SafeText.oneLine(words), predicate: try predicate(MessageQuery(MessageQuery.saying(words))))
    let mayBeName =
      words != MessageQuery.textWord && words.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) }
    return mayBeName ? .lookedFor(words) : .taken
  }

  /// Returns the words of the filter that shows what one person wrote; none for everybody.
  static func filter(ofPerson name: String) -> String {
    name.isEmpty ? "" : MessageQuery(.term(QueryTerm(.person, name))).text
  }

  /// Returns what a query means here and now.
  func predicate(_ query: MessageQuery) throws -> MessagePredicate {
    var compiler = QueryCompiler(store, now: now(), clock: clock)
    return try compiler.predicate(query)
  }

  /// The work of counting what a saved filter lets through, so that its total is exact.
  func countingFilter(_ name: String) -> Job {
    Job(.filter) { [store] report, isCancelled in
      let other = try store.reopened()
      defer { other.close() }
      try other.countMessages(ofFilter: name) { _, _ in !isCancelled() }
      report(.filterCounted)
    }
  }

  private static func nameToSave(_ words: String) throws(UsageError) -> String? {
    let parts = words.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    guard parts.first == "save" else { return nil }
    guard parts.count == 2 else {
      throw UsageError("/filter save needs a name", remedy: "/filter save NAME")
    }
    return String(parts[1].trimming(while: \.isWhitespace))
  }

  private mutating func saveFilter(as name: String) throws {
    guard let present = filter else {
      throw UsageError("there is no filter to save", remedy: "/filter FILTERS, then /filter save NAME")
    }
    try FilterName.check(name)
    try store.saveFilter(named: name, words: present.words, predicate: present.predicate)
    filter = Filter(words: SafeText.oneLine(name), predicate: present.predicate)
  }
}

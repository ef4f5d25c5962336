internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import TerminalText

extension Session {
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
  package enum FilterOutcome: Hashable {
    case taken
    /// The filter was saved by this name.
    case saved(String)
    /// A word that is no saved filter is searched for.
    case lookedFor(String)

    /// `nil` if the messages shown are explanation enough.
    var remark: String? {
      guard case .lookedFor(let word) = self else { return nil }
      return "no filter has the name '\(word)': showing messages with this word"
    }
  }

  /// No words clear it, the name of a saved filter stands for it, and `save NAME` saves the present one.
  /// On an error it stays.
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

  static func filter(ofPerson name: String) -> String {
    name.isEmpty ? "" : MessageQuery(.term(QueryTerm(.person, name))).text
  }

  func predicate(_ query: MessageQuery) throws -> MessagePredicate {
    var compiler = QueryCompiler(store, now: now(), clock: clock)
    return try compiler.predicate(query)
  }

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

package enum FilterName {
  /// Throws ``UsageError`` for a name with another meaning for `/filter`.
  package static func check(_ name: String) throws(UsageError) {
    guard MessageQuery.isReserved(name) else { return }
    throw UsageError(
      "a filter cannot be named '\(VisibleText.of(name))'", cause: "that means something else to /filter",
      remedy: "another name")
  }
}

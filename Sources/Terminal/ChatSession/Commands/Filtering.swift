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
    // A window's title shows the filter.
    let remark = reader.traits.hasWindow ? nil : outcome.remark
    effects.replies = remark.map { [.notice($0)] } ?? []
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

  /// No words clear it, the name of a saved filter stands for it, and `save NAME` saves the present one. `add` adds
  /// a condition, `drop` removes the one added last, `not` inverts it. On an error it stays.
  mutating func setFilter(_ words: String) throws -> FilterOutcome {
    guard !words.isEmpty else {
      filter = nil
      return .taken
    }
    if let name = try Self.nameToSave(words) {
      try saveFilter(as: name)
      return .saved(name)
    }
    if let part = try savedPart(named: words) {
      filter = Filter(parts: [part])
      return .taken
    }
    switch MessageQuery.FilterWord(rawValue: words) {
    case .not: try changeFilter("invert") { $0[$0.count - 1].isInverted.toggle() }
    case .drop: try changeFilter("drop") { $0.removeLast() }
    case .add: throw UsageError("/filter add needs a filter", remedy: "/filter add from:NAME")
    case nil: return try take(words)
    }
    return .taken
  }

  private mutating func take(_ words: String) throws -> FilterOutcome {
    let parts = words.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    let isAdded = parts.count == 2 && parts[0] == MessageQuery.FilterWord.add.rawValue
    let typed = isAdded ? String(parts[1]) : words
    let saved = isAdded ? try savedPart(named: typed) : nil
    let query = MessageQuery.saying(typed)
    let part =
      try saved
      ?? Filter.Part(words: SafeText.oneLine(typed), query: query, predicate: predicate(MessageQuery(query)))
    filter = Filter(parts: (isAdded ? filter?.parts ?? [] : []) + [part])
    let mayBeName =
      saved == nil && typed != MessageQuery.textWord
      && typed.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) }
    return mayBeName ? .lookedFor(typed) : .taken
  }

  /// Changes the conditions; without any left, all messages are shown.
  private mutating func changeFilter(_ verb: String, _ body: (inout [Filter.Part]) -> Void) throws(UsageError)
  {
    guard var parts = filter?.parts else {
      throw UsageError("there is no filter to \(verb)", remedy: "/filter FILTERS")
    }
    body(&parts)
    filter = parts.isEmpty ? nil : Filter(parts: parts)
  }

  private func savedPart(named name: String) throws(StoreError) -> Filter.Part? {
    try store.savedFilter(named: name).map { saved in
      Filter.Part(
        words: SafeText.oneLine(saved.name), query: QueryTerm(.filter, saved.name).text,
        predicate: saved.predicate)
    }
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
    try store.saveFilter(named: name, words: present.savedWords, predicate: present.predicate)
    filter = try savedPart(named: name).map { Filter(parts: [$0]) } ?? filter
  }
}

extension ReplContext.Filter {
  var predicate: MessagePredicate {
    let predicates = parts.map { $0.isInverted ? MessagePredicate.not($0.predicate) : $0.predicate }
    return predicates.count == 1 ? predicates[0] : .and(predicates)
  }

  var words: String { text(\.words) }

  /// A single condition as it was typed.
  fileprivate var savedWords: String { parts.count == 1 && !parts[0].isInverted ? words : text(\.query) }

  private func text(_ words: KeyPath<Part, String>) -> String {
    parts.map { part in
      let text = part[keyPath: words]
      let isTerm = !text.contains(where: \.isWhitespace) && !text.hasPrefix("-")
      if part.isInverted { return isTerm ? "-\(text)" : "-(\(text))" }
      return isTerm || parts.count == 1 ? text : "(\(text))"
    }.joined(separator: " ")
  }
}

extension ReplContext {
  /// The number of messages regardless of the filter; `nil` if it is not known exactly.
  var wholeCount: Int? {
    get throws(StoreError) {
      let counts = try store.page(PageRequest(wholeSelection, fetchLimit: 0)).counts
      return counts.flatMap { $0.isExact ? $0.total : nil }
    }
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

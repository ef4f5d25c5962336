internal import HistoryQueries
internal import MessageModel
internal import MessageWindows

/// A search being typed: its present query, and where the reader was before.
struct TypedSearch {
  /// Its last word counts as a prefix.
  var query: String
  /// The messages that were visible, to return to if nothing is found.
  let sight: Sight
  let earlier: HitSearch?

  /// Shorter prefixes have too many matches.
  private static let fewestLetters = 3
  private static let fewestToNarrow = 2

  /// `nil` if the line is no search, or too short.
  ///
  /// - Parameter isView: Whether the line begins with a key of `less` instead of a command.
  static func wanted(
    in line: String, isView: Bool
  ) -> (query: TypedQuery, direction: HistoryView.Direction)? {
    if isView, let key = line.first, "/?".contains(key) {
      return query(from: line.dropFirst()).map { ($0, key == "/" ? .newer : .older) }
    }
    let command = isView && line.hasPrefix(":") ? line.dropFirst() : line[...]
    guard isView || command.hasPrefix("/") && !command.hasPrefix("//") else { return nil }
    let words = command.drop { $0 == "/" }
    let name = words.prefix { !$0.isWhitespace }
    guard (try? CommandParser.entry(named: name))?.name == "search" else { return nil }
    return query(from: words[name.endIndex...]).map { ($0, .older) }
  }

  /// A line that narrows a list of hits, perhaps by nothing yet; `nil` if it does something else.
  static func narrowing(by line: String, isView: Bool) -> TypedQuery? {
    if isView {
      if line.isEmpty { return TypedQuery("", .ofQueries, fewestLetters: fewestToNarrow) }
      guard line.first.map({ "/?".contains($0) }) == true else { return nil }
    } else if line.hasPrefix("/") {
      return nil
    }
    let words = isView ? line.dropFirst() : line[...]
    return query(from: words, fewest: fewestToNarrow)
      ?? TypedQuery("", .ofQueries, fewestLetters: fewestToNarrow)
  }

  private static func query(from typed: Substring, fewest: Int = fewestLetters) -> TypedQuery? {
    let text = typed.drop(while: \.isWhitespace)
    // Everything after it is an expression.
    if text.hasPrefix(ReplContext.expressionPrefix) { return nil }
    let query = TypedQuery(text, .ofQueries, fewestLetters: fewest)
    return query.shown.count { $0.isLetter || $0.isNumber } < fewest ? nil : query
  }

  /// Returns a finished query as previewed: the last word as a prefix, if that is possible.
  static func finished(_ query: String) -> String {
    if query.hasPrefix(ReplContext.expressionPrefix) { return query }
    return TypedQuery(query, .ofQueries, fewestLetters: fewestLetters).entered
  }
}

extension Session {
  /// Previews a search while it is typed; returns to the former place when it is no longer typed.
  mutating func typed(_ line: String) throws -> Effects {
    guard reader.traits.hasWindow, line != input.restored else { return Effects() }
    input.restored = nil
    guard let wanted = TypedSearch.wanted(in: line, isView: reader.traits.isView),
      let (query, predicate) = context.meaning(of: wanted.query)
    else { return try endTyping() }
    if query == typing?.query { return Effects() }
    let before = typing ?? TypedSearch(query: "", sight: reader.sight, earlier: search)
    typing = before
    typing?.query = query
    reader.clearNotice()
    let direction = before.sight.isAtNewestEdge ? .older : wanted.direction
    let search = HitSearch(
      query, predicate, number: searches.nextNumber(), direction: direction)
    self.search = search
    let seen = before.sight.visible
    let place = (direction == .older ? seen?.upperBound : seen?.lowerBound) ?? .highest
    let job = Job(.typing) { [context] report, isCancelled in
      do {
        let hit = try context.firstHit(search, from: place, isCancelled: isCancelled)
        report(.hit(hit, search: search.number))
      } catch let error as StoreError where error.kind == .cancelled {
        // Something else is being typed now.
      }
    }
    return Effects(jobs: [job], stops: [.typing, .count, .ahead])
  }

  /// Makes a finished search find what its preview showed.
  func keepingPreview(_ command: TypedCommand?, of line: String) -> TypedCommand? {
    guard reader.traits.isAttended, case .search(let query) = command?.meaning else { return command }
    let kept = line.last?.isWhitespace == true ? query : TypedSearch.finished(query)
    return TypedCommand(.search(kept), .reads)
  }

  mutating func preview(_ hit: Message.ID?) throws -> Effects {
    guard let hit else {
      search?.count = 0
      try restore(typing?.sight.place)
      return Effects(.notice("nothing found for '\(search?.query ?? "")'"))
    }
    try show(hit: hit)
    return Effects(jobs: counting())
  }

  /// Ends the preview: restores place and search.
  mutating func endTyping() throws -> Effects {
    guard let typing else { return Effects() }
    self.typing = nil
    search = typing.earlier
    // The preview's count has cancelled that of the former search.
    let isUncounted = search?.isCounting == true || search?.isStale == true || search?.count == nil
    search?.isCounting = false
    search?.known = nil
    reader.clearNotice()
    try reader.highlight(search?.marks ?? [], wholeWords: search?.findsWords ?? true, current: search?.place)
    try restore(typing.sight.place)
    let jobs = search != nil && isUncounted ? counting() : []
    return Effects(jobs: jobs, stops: [.typing, .count, .ahead])
  }

  private mutating func restore(_ place: WindowPosition?) throws(StoreError) {
    if let place { _ = try reader.move(.restore(place), in: &context) }
  }
}

internal import MessageModel
internal import MessageWindows

extension Session {
  /// Previews a search while it is typed, on another thread; returns to the former place when it is no longer
  /// typed.
  mutating func typed(_ line: String) throws -> Effects {
    guard reader.traits.hasWindow, line != lineGivenBack else { return Effects() }
    lineGivenBack = nil
    guard let wanted = TypedSearch.wanted(in: line, isView: reader.traits.isView),
      let (query, predicate) = context.meaning(of: wanted.query)
    else { return try endTyping() }
    if query == typing?.query { return Effects() }
    let before = typing ?? TypedSearch(query: "", sight: reader.sight, earlier: search)
    typing = before
    typing?.query = query
    reader.clearNotice()
    searchNumber += 1
    let direction = before.sight.isAtNewestEdge ? .older : wanted.direction
    let search = HitSearch(query, predicate, number: searchNumber, direction: direction)
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

internal import MessageModel

extension ReplSession {
  /// Looks for what is being typed behind `/search`, on another thread, and returns to where the reader was when it is
  /// not typed any more.
  mutating func typed(_ line: String) throws -> Outcome {
    guard line != lineGivenBack else { return Outcome() }
    lineGivenBack = nil
    guard let wanted = TypedSearch.wanted(in: line, isView: isReadOnly) else { return try endTyping() }
    if wanted.query == typing?.query { return Outcome() }
    let before =
      typing
      ?? TypedSearch(
        query: "", bookmark: view.bookmark, inView: (view.visible.first, view.visible.last), earlier: search)
    typing = before
    typing?.query = wanted.query
    notice = nil
    searchNumber += 1
    let direction = before.bookmark.isAtBottom ? .older : wanted.direction
    let search = HitSearch(wanted.query, number: searchNumber, direction: direction)
    self.search = search
    let place = (direction == .older ? before.inView.last : before.inView.first) ?? .highest
    let work = BackgroundWork(.typing) { [context] report, isCancelled in
      do {
        let hit = try context.firstHit(search, from: place, isCancelled: isCancelled)
        report(.hit(hit, search: search.number))
      } catch let error as StoreError where error.kind == .cancelled {
        // Something else is being typed by now.
      }
    }
    return Outcome(works: [work], stops: [.typing, .count, .ahead])
  }

  /// Shows what was found for what is being typed so far.
  mutating func preview(_ hit: Message.ID?) throws -> Outcome {
    guard let hit else {
      search?.count = 0
      if let typing { try view.restore(typing.bookmark) }
      say("nothing found for '\(search?.query ?? "")'")
      return Outcome()
    }
    try show(hit: hit)
    return Outcome(works: counting())
  }

  /// Returns to where the reader was before a search was typed, and to the search there was.
  mutating func endTyping() throws -> Outcome {
    guard let typing else { return Outcome() }
    self.typing = nil
    search = typing.earlier
    search?.isCounting = false
    search?.know(nil)
    notice = nil
    try view.highlight(search?.marks ?? [], wholeWords: search?.isIndexed ?? true)
    try view.restore(typing.bookmark)
    noteVisible()
    let works = search != nil && search?.count == nil ? counting() : []
    return Outcome(works: works, stops: [.typing, .count, .ahead])
  }
}

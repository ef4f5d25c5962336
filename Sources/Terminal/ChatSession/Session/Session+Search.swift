internal import MessageModel
internal import MessageWindows

extension Session {
  /// Begins a search from what is in view; ends the present one for no query.
  ///
  /// - Parameter direction: Where to look first; from the newest edge there is but one way.
  mutating func search(
    _ query: String, toward direction: HistoryView.Direction = .older
  ) throws -> Effects {
    if query.isEmpty { return try endSearch() }
    searchNumber += 1
    let search = HitSearch(
      query, try context.predicate(of: query), number: searchNumber,
      direction: reader.sight.isAtNewestEdge ? .older : direction)
    let visible = reader.sight.visible
    let place = (search.direction == .older ? visible?.upperBound : visible?.lowerBound) ?? .highest
    guard search.isIndexed else {
      self.search = search
      return scanning(search) { try $0.firstHit(search, from: place, isCancelled: $1) }
        .adding(Effects(stops: [.count, .ahead]))
    }
    guard let hit = try context.firstHit(search, from: place) else {
      return nothingFound(search)
    }
    self.search = search
    try show(hit: hit)
    return Effects(jobs: counting() + readingAhead(), stops: [.count, .ahead])
      .adding(remark(search.direction, from: place, to: hit))
  }

  /// Has found out elsewhere what may have been meant, and says that nothing was found.
  private func nothingFound(_ search: HitSearch) -> Effects {
    Effects(jobs: [
      Job(.search) { [context] report, _ in report(.failed(context.nothingFound(search), .search)) }
    ])
  }

  /// Says that the first hit lies in the other direction.
  private func remark(
    _ direction: HistoryView.Direction, from place: Message.ID, to hit: Message.ID
  ) -> Effects {
    switch direction {
    case .older where hit > place: Effects(.notice("no older hit; went to the next newer one"))
    case .newer where hit < place: Effects(.notice("no newer hit; went to the next older one"))
    case .older, .newer: Effects()
    }
  }

  /// Goes to the next hit in a direction.
  mutating func step(_ direction: HistoryView.Direction) throws -> Effects {
    guard let search else {
      throw UsageError("no search yet", remedy: reader.traits.isView ? "/WORDS" : "/search QUERY")
    }
    guard let place = place(of: search, toward: direction) else {
      return try arrive(at: nil)
    }
    self.search?.step = place == search.place ? direction : nil
    if let hit = search.known?.next(direction, of: place) { return try arrive(at: hit) }
    guard search.isIndexed else {
      return scanning(search) { try $0.hit(search.predicate, direction, of: place, isCancelled: $1) }
    }
    return try arrive(at: try context.hit(search.predicate, direction, of: place))
  }

  /// A search goes on at its last hit or, where that is not in view any more, at what is. Hits in view are not passed
  /// over on the way back to the last one. Where messages are printed it goes on at those printed last.
  private func place(of search: HitSearch, toward direction: HistoryView.Direction) -> Message.ID? {
    let sight = reader.sight
    guard let visible = sight.visible else { return search.place }
    guard reader.traits.hasWindow else {
      return direction == .older ? visible.lowerBound : visible.upperBound
    }
    guard let place = search.place, !visible.contains(place) else {
      return search.place ?? sight.inView?.last
    }
    return switch direction {
    case .older: place > visible.upperBound ? visible.upperBound.successor : visible.lowerBound
    case .newer: place < visible.lowerBound ? visible.lowerBound.predecessor : visible.upperBound
    }
  }

  /// Takes in what a search that reads one text after the other has found.
  mutating func found(_ hit: Message.ID?) throws -> Effects {
    if typing != nil { return try preview(hit) }
    guard let search else { return Effects() }
    let isFirst = search.place == nil
    reader.clearNotice()
    if isFirst, hit == nil {
      self.search = nil
      return nothingFound(search)
    }
    return try arrive(at: hit).adding(Effects(jobs: isFirst ? counting() : []))
  }

  /// Forgets what was read ahead, which may be wrong by now, and returns what need not be done any more.
  mutating func forgetHits() -> Set<Job.Lane> {
    search?.known = nil
    return [.ahead]
  }

  /// Reads the hits next to the reader, where few are known.
  private mutating func readingAhead() -> [Job] {
    if let place = search?.place { search?.known?.go(to: place) }
    return search?.known?.takeJobs(.ahead, in: context.store) ?? []
  }

  /// Counts the hits anew, unless that is being done.
  mutating func counting() -> [Job] {
    guard reader.traits.hasWindow, var search, let place = search.place else { return [] }
    search.isStale = search.isCounting
    defer { self.search = search }
    if search.isCounting { return [] }
    search.beginCounting()
    search.recountsAt = .now + recountInterval
    return [
      Job(.count) {
        [store = context.store, selection = context.selection, search] report, isCancelled in
        if let words = search.wordsWithin, search.count == nil,
          let most = try? store.hitCount(words, in: selection, isCancelled: isCancelled)
        {
          report(.hitEstimate(most, search: search.number))
        }
        // What was called off says nothing: something else is counted by now.
        let count =
          isCancelled() ? nil : try? store.hitCount(search.predicate, in: selection, isCancelled: isCancelled)
        if isCancelled() { return }
        report(.hitCount(count, search: search.number))
        let older = try? store.hitCount(
          search.predicate, in: selection, olderThan: place, isCancelled: isCancelled)
        if isCancelled() { return }
        report(.olderHits(older, search: search.number))
      }
    ]
  }

  /// Takes in how many hits a search or a list has; `nil` if they could not be counted, and what is known holds.
  mutating func note(_ count: Int?, ofSearch number: Int) {
    guard let count else { return }
    if number == search?.number {
      search?.count = count
      search?.estimate = nil
    }
    // The list of a search waits for the one count of both.
    let isSame = number == search?.number && search?.predicate == reader.cover.hits?.search?.predicate
    if number == reader.cover.hits?.number || isSame { reader.cover.hits?.note(count: count) }
  }

  /// Tells the list of the same hits the number of the one that the reader is at.
  mutating func noteRankInList() {
    guard let search, let place = search.place, let count = search.count, let ordinal = search.ordinal,
      search.predicate == reader.cover.hits?.search?.predicate
    else { return }
    reader.cover.hits?.note(olderCount: count - ordinal, than: place)
  }

  /// Forgets the number of hits, which was that of other messages: another filter is shown.
  mutating func forgetCount() {
    guard search != nil else { return }
    searchNumber += 1
    search?.forgetCount(number: searchNumber)
  }

  /// Counts the hits anew because of changes; where that was done a moment ago, at ``recountsAt``.
  mutating func recounting() -> [Job] {
    guard let time = search?.recountsAt, time > .now else { return counting() }
    search?.isStale = true
    return []
  }

  /// When the hits are to be counted anew; `nil` for not at all, or not yet.
  package var recountsAt: ContinuousClock.Instant? {
    guard let search, search.isStale, !search.isCounting else { return nil }
    return search.recountsAt
  }

  /// Ends the search and shows no more hits: nothing is looked for or counted any more.
  mutating func endSearch() throws(StoreError) -> Effects {
    search = nil
    try reader.highlight([], wholeWords: false, current: nil)
    return Effects(stops: [.search, .count, .ahead])
  }

  /// Has one text after the other read elsewhere.
  private func scanning(
    _ search: HitSearch,
    _ look: @escaping @Sendable (ReplContext, @escaping @Sendable () -> Bool) throws -> Message.ID?
  ) -> Effects {
    let job = Job(.search) { [context] report, isCancelled in
      report(.hit(try look(context, isCancelled), search: search.number))
    }
    return Effects(.notice("searching for '\(search.query)' … Ctrl-C stops"), jobs: [job])
  }

  private mutating func arrive(at hit: Message.ID?) throws -> Effects {
    guard let hit else { return Effects(.miss("no other hit in this direction")) }
    try show(hit: hit)
    let counting = search?.lacksOrdinal == true ? counting() : []
    return Effects(jobs: readingAhead() + counting)
  }

  /// Shows a hit. Only the first one leaves a trace for `/back`.
  mutating func show(hit: Message.ID) throws(StoreError) {
    guard var search else { return }
    if reader.traits.hasWindow {
      try context.mark(hit, in: &search)
      try reader.highlight(search.marks, wholeWords: search.findsWords, current: hit)
    }
    _ = try reader.move(.hit(hit, isFirst: search.place == nil && typing == nil), in: &context)
    search.arrive(at: hit)
    if reader.traits.hasWindow, search.isIndexed, search.known?.covers(hit) != true {
      search.known = hitWindow(of: search.predicate, at: .around(hit))
    }
    self.search = search
  }
}

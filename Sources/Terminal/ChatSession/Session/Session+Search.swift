internal import MessageModel
internal import MessageWindows

/// The searches of a session so far.
package struct Searches: Sendable {
  private var lastNumber = 0
  /// The search of the last list of the best messages.
  var best: HitSearch?
  /// The last closed list of hits, and the selection of the last list.
  var formerHits: HitList?
  var formerSelection: Selection?
  /// The least time between two counts of hits while others write.
  package var recountInterval = Duration.seconds(2)

  /// The number of a new search, list or window of hits.
  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }
}

extension Session {
  /// An empty query ends the present search. From the newest edge, the first direction is always older.
  mutating func search(
    _ query: String, toward direction: HistoryView.Direction = .older
  ) throws -> Effects {
    if query.isEmpty { return try endSearch() }
    let search = HitSearch(
      query, try context.predicate(of: query), number: searches.nextNumber(),
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

  private func nothingFound(_ search: HitSearch) -> Effects {
    Effects(jobs: [
      Job(.search) { [context] report, _ in report(.failed(context.nothingFound(search), .search)) }
    ])
  }

  private func remark(
    _ direction: HistoryView.Direction, from place: Message.ID, to hit: Message.ID
  ) -> Effects {
    switch direction {
    case .older where hit > place: Effects(.notice("no older hit; went to the next newer one"))
    case .newer where hit < place: Effects(.notice("no newer hit; went to the next older one"))
    case .older, .newer: Effects()
    }
  }

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

  /// Continues at the last hit, or at the view if the hit left it. Hits in view are not skipped on the way
  /// back. When printing, continues at the last printed range.
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

  /// Forgets hits read ahead; returns the obsolete lanes.
  mutating func forgetHits() -> Set<Job.Lane> {
    search?.known = nil
    return [.ahead]
  }

  private mutating func readingAhead() -> [Job] {
    if let place = search?.place { search?.known?.go(to: place) }
    return search?.known?.takeJobs(.ahead, in: context.store) ?? []
  }

  mutating func counting() -> [Job] {
    guard reader.traits.hasWindow, var search, let place = search.place else { return [] }
    search.isStale = search.isCounting
    defer { self.search = search }
    if search.isCounting { return [] }
    search.beginCounting()
    search.recountsAt = .now + searches.recountInterval
    return [
      Job(.count) {
        [store = context.store, selection = context.selection, search] report, isCancelled in
        if let words = search.wordsWithin, search.count == nil,
          let most = try? store.hitCount(words, in: selection, isCancelled: isCancelled)
        {
          report(.hitEstimate(most, search: search.number))
        }
        // A cancelled count reports nothing: a newer one is running.
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

  /// The count of a search or list; `nil` if counting failed.
  mutating func note(_ count: Int?, ofSearch number: Int) {
    guard let count else { return }
    if number == search?.number {
      search?.count = count
      search?.estimate = nil
    }
    // A list of the present search waits for the same count.
    let isSame = number == search?.number && search?.predicate == reader.cover.hits?.search?.predicate
    if number == reader.cover.hits?.number || isSame { reader.cover.hits?.note(count: count) }
  }

  mutating func noteRankInList() {
    guard let search, let place = search.place, let count = search.count, let ordinal = search.ordinal,
      search.predicate == reader.cover.hits?.search?.predicate
    else { return }
    reader.cover.hits?.note(olderCount: count - ordinal, than: place)
  }

  /// The count was that of another filter.
  mutating func forgetCount() {
    guard search != nil else { return }
    let number = searches.nextNumber()
    search?.forgetCount(number: number)
  }

  /// At ``recountsAt`` if the last count is recent.
  mutating func recounting() -> [Job] {
    guard let time = search?.recountsAt, time > .now else { return counting() }
    search?.isStale = true
    return []
  }

  /// `nil` if no count is due.
  package var recountsAt: ContinuousClock.Instant? {
    guard let search, search.isStale, !search.isCounting else { return nil }
    return search.recountsAt
  }

  mutating func endSearch() throws(StoreError) -> Effects {
    search = nil
    try reader.highlight([], wholeWords: false, current: nil)
    return Effects(stops: [.search, .count, .ahead])
  }

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

  /// Shows a hit. Only the first one is a jump that `/back` returns from.
  mutating func show(hit: Message.ID) throws(StoreError) {
    guard var search else { return }
    if reader.traits.hasWindow {
      try context.mark(hit, in: &search)
      try reader.highlight(search.marks, wholeWords: search.findsWords, current: hit)
    }
    _ = try reader.move(.hit(hit, isFirst: search.place == nil && typing == nil), in: &context)
    try reader.unfoldHit(in: context)
    search.arrive(at: hit)
    if reader.traits.hasWindow, search.isIndexed, search.known?.covers(hit) != true {
      search.known = hitWindow(of: search.predicate, at: .around(hit))
    }
    self.search = search
  }
}

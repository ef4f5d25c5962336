internal import MessageModel
internal import MessageWindows

extension ReplSession {
  /// Begins a search from what is in view; ends the present one for no query.
  ///
  /// - Parameter direction: Where to look first; from the newest edge there is but one way.
  mutating func search(
    _ query: String, toward direction: HistoryView.Direction = .older
  ) throws -> Outcome {
    if query.isEmpty {
      try endSearch()
      return Outcome()
    }
    searchNumber += 1
    let search = HitSearch(
      query, number: searchNumber, direction: view.isAtBottom ? .older : direction)
    let inView = search.direction == .older ? view.visible.last : view.visible.first
    let place = inView ?? view.current?.id ?? .highest
    guard search.isIndexed else {
      self.search = search
      say("searching for '\(search.query)' … Ctrl-C stops")
      return Outcome(works: [scan(search) { try $0.firstHit(search, from: place, isCancelled: $1) }])
    }
    guard let hit = try context.firstHit(search, from: place) else {
      throw context.nothingFound(search)
    }
    self.search = search
    try show(hit: hit)
    sayIfTurned(search.direction, from: place, to: hit)
    return Outcome(works: counting() + readingAhead())
  }

  /// Says that the first hit lies in the other direction.
  private mutating func sayIfTurned(
    _ direction: HistoryView.Direction, from place: Message.ID, to hit: Message.ID
  ) {
    switch direction {
    case .older where hit > place: say("nothing older: this is the next newer hit")
    case .newer where hit < place: say("nothing newer: this is the next older hit")
    default: break
    }
  }

  /// Goes to the next hit in a direction.
  mutating func step(_ direction: HistoryView.Direction) throws -> Outcome {
    guard let search else {
      throw UsageError("nothing is searched for", remedy: isReadOnly ? "/WORDS" : "/search QUERY")
    }
    guard let place = place(of: search, toward: direction) else { return Outcome() }
    if let hit = search.known?.next(direction, of: place) {
      try show(hit: hit)
      return Outcome(works: readingAhead())
    }
    guard search.isIndexed else {
      say("searching for '\(search.query)' … Ctrl-C stops")
      return Outcome(
        works: [scan(search) { try $0.hit(search.pattern, direction, of: place, isCancelled: $1) }])
    }
    let hit = try context.hit(search.pattern, direction, of: place)
    if let hit { self.search?.known?.add(hit, direction, of: place) }
    try arrive(at: hit)
    return Outcome(works: readingAhead())
  }

  /// Where a search goes on: at its last hit or, where that is not in view any more, at what is. Hits in view are not
  /// passed over on the way back to the last one.
  private func place(of search: HitSearch, toward direction: HistoryView.Direction) -> Message.ID? {
    let inView = view.visible
    guard let first = inView.first, let last = inView.last, let place = search.place,
      !ClosedRange(from: first, to: last).contains(place)
    else { return search.place ?? view.current?.id }
    switch direction {
    case .older: return place > last ? last.successor : first
    case .newer: return place < first ? first.predecessor : last
    }
  }

  /// Takes in what work on a search has found out.
  mutating func take(_ report: BackgroundWork.Report) throws -> Outcome {
    switch report {
    case .picture(let key, let picture): gallery.take(picture, of: key)
    case .page(let page, let request, let number) where number == viewNumber:
      let next = try view.take(page, for: request)
      noteVisible()
      return Outcome(works: reading(next))
    case .hit(let hit, let number) where number == search?.number:
      if typing != nil { return try preview(hit) }
      let isFirst = search?.place == nil
      notice = nil
      let line = workLines.removeValue(forKey: .search)
      if isFirst, hit == nil, let search {
        self.search = nil
        self.report(context.nothingFound(search))
        return Outcome(line: line)
      }
      try arrive(at: hit)
      return Outcome(works: isFirst ? counting() : [])
    case .hits(let hits, let direction, let number, let edition)
    where number == search?.number && edition == search?.edition:
      search?.known?.take(hits, direction)
    case .hitCount(let count, let number) where number == search?.number:
      search?.count = count
      search?.isCounting = false
      return Outcome(works: search?.isStale == true ? recounting() : [])
    case .written(let id): context.noteWritten(id)
    case .progress(let text): transfer = text
    case .ended(let text):
      forget(.transfer)
      say(text)
      try view.sourceChanged()
    case .stopped(let lane):
      forget(lane)
      if lane == .transfer || notice == nil { say("stopped") }
    case .failed(let text, let lane):
      self.report(problem: text)
      return Outcome(line: forget(lane))
    case .hit, .hits, .hitCount, .page: break
    }
    return Outcome()
  }

  /// Reads what the view asks for on another thread.
  func reading(_ request: MessageWindow.Request?) -> [BackgroundWork] {
    guard let request else { return [] }
    return [
      BackgroundWork(.refresh) { [store = context.store, viewNumber] report, _ in
        report(.page(try? store.page(request.fetch), for: request, view: viewNumber))
      }
    ]
  }

  /// Notes that the work of a lane has ended, and returns the line that had asked for it.
  @discardableResult
  private mutating func forget(_ lane: BackgroundWork.Lane) -> String? {
    if lane == .transfer { transfer = nil }
    return workLines.removeValue(forKey: lane)
  }

  /// Forgets what was read ahead, which may be wrong by now, and returns what need not be done any more.
  mutating func forgetHits() -> Set<BackgroundWork.Lane> {
    search?.know(nil)
    return [.ahead]
  }

  /// Reads the hits next to the reader, where few are known.
  private mutating func readingAhead() -> [BackgroundWork] {
    guard search?.isIndexed == true, let place = search?.place,
      let wanted = search?.known?.wanted(at: place), let search
    else { return [] }
    return wanted.map { direction, edge in
      BackgroundWork(.ahead) { [context, search] report, isCancelled in
        let hits = try? context.hits(
          search.pattern, direction, of: edge, limit: KnownHits.pageCount, isCancelled: isCancelled)
        report(.hits(hits, direction, search: search.number, edition: search.edition))
      }
    }
  }

  /// Counts the hits anew, unless that is being done.
  mutating func counting() -> [BackgroundWork] {
    guard var search, search.place != nil else { return [] }
    search.isStale = search.isCounting
    defer { self.search = search }
    if search.isCounting { return [] }
    search.isCounting = true
    search.recountsAt = .now + recountInterval
    return [
      BackgroundWork(.count) {
        [store = context.store, selection = context.selection, search] report, isCancelled in
        let count = try? store.hitCount(search.pattern, in: selection, isCancelled: isCancelled)
        report(.hitCount(count, search: search.number))
      }
    ]
  }

  /// Counts the hits anew because of changes; where that was done a moment ago, at ``recountsAt``.
  mutating func recounting() -> [BackgroundWork] {
    guard let time = search?.recountsAt, time > .now else { return counting() }
    search?.isStale = true
    return []
  }

  /// When the hits are to be counted anew; `nil` for not at all, or not yet.
  var recountsAt: ContinuousClock.Instant? {
    guard let search, search.isStale, !search.isCounting else { return nil }
    return search.recountsAt
  }

  /// Ends the search and shows no more hits.
  mutating func endSearch() throws(StoreError) {
    search = nil
    try view.highlight([], wholeWords: false)
  }

  private func scan(
    _ search: HitSearch,
    _ look: @escaping @Sendable (ReplContext, @escaping @Sendable () -> Bool) throws -> Message.ID?
  ) -> BackgroundWork {
    BackgroundWork(.search) { [context] report, isCancelled in
      report(.hit(try look(context, isCancelled), search: search.number))
    }
  }

  private mutating func arrive(at hit: Message.ID?) throws {
    if let hit {
      try show(hit: hit)
    } else {
      say("no other hit in this direction")
    }
  }

  /// Shows a hit with some messages above it. Only the first one leaves a trace for `/back`.
  mutating func show(hit: Message.ID) throws(StoreError) {
    guard var search else { return }
    overlay = nil
    try context.mark(hit, in: &search)
    try view.highlight(search.marks, wholeWords: search.isIndexed)
    let isRemembered = search.place == nil && typing == nil
    try view.jump(to: .around(hit), rowsAbove: view.height / 3, isRemembered: isRemembered)
    search.place = hit
    if search.known?.contains(hit) != true { search.know(hit) }
    self.search = search
    noteVisible()
  }
}

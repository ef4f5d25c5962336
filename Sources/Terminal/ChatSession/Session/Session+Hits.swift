internal import MessageModel
internal import MessageStorage
internal import MessageWindows
internal import TerminalText

extension Session {
  /// Without a query, lists those of the present search. A former list of them continues at its place.
  mutating func listHits(_ query: String) throws -> Effects {
    guard reader.traits.hasWindow else { return try printHits(query) }
    let number = searches.nextNumber()
    let wanted = try query.isEmpty ? search?.predicate : context.predicate(of: query)
    if var former = searches.formerHits, wanted.map({ $0 == former.search?.predicate }) ?? true,
      former.search != nil, searches.formerSelection == context.selection
    {
      _ = former.follow(context.store, in: context.selection)
      if let place = placeOfSearch(like: former.search), place != former.placeOfReader {
        former.go(to: place)
      }
      reader.cover.hits = former
    } else {
      let base =
        query.isEmpty
        ? search : HitSearch(query, try context.predicate(of: query), number: number)
      var listed = base
      listed?.number = number
      let place = placeOfSearch(like: base)
      let hits = base.map { hitWindow(of: $0.predicate, at: place.map { .around($0) } ?? .newest) }
      var list = HitList(number, of: listed, base: base, hits: hits)
      list.begin(with: context.store)
      if let place, let count = base?.count, let ordinal = base?.ordinal {
        list.note(olderCount: count - ordinal, than: place)
      }
      reader.cover.hits = list
    }
    searches.formerSelection = context.selection
    return Effects(jobs: countingHits(), stops: [.hits])
  }

  /// The reader's hit, if the present search has the same predicate.
  private func placeOfSearch(like other: HitSearch?) -> Message.ID? {
    search?.predicate == other?.predicate ? search?.place : nil
  }

  /// Updates the list after changes of the store, and counts again.
  mutating func followHits() -> Effects {
    guard var list = reader.cover.hits else { return Effects() }
    guard list.follow(context.store, in: context.selection) else {
      reader.cover.hits = list
      return Effects()
    }
    // The messages around the chosen hit may have changed, too.
    reader.cover.list = HitCover(list: list)
    return Effects(jobs: countingHits(), stops: [.listCount])
  }

  private func printHits(_ query: String) throws -> Effects {
    guard let search = try query.isEmpty ? search : HitSearch(query, context.predicate(of: query), number: 0)
    else {
      throw UsageError("no search yet", remedy: "/hits QUERY")
    }
    let isCancelled: @Sendable () -> Bool = { Interruption.isAskedFor }
    var hits: [SearchHit] = []
    var next: PageAnchor? = .newest
    while let anchor = next, hits.count < Self.printedHits {
      let page = try context.store.hits(
        search.predicate, in: context.selection, anchor: anchor, limit: Self.printedHits - hits.count,
        isCancelled: isCancelled)
      hits += page.hits
      next = page.nextAnchor
    }
    guard !hits.isEmpty else { throw context.nothingFound(search) }
    let count = try context.store.hitCount(search.predicate, in: context.selection, isCancelled: isCancelled)
    return Effects(.listing(Listing(lines: context.hitLines(hits, of: count))))
  }

  private static var printedHits: Int { 20 }

  mutating func hitWindow(of predicate: MessagePredicate, at anchor: PageAnchor) -> HitWindow {
    HitWindow(searches.nextNumber(), of: context.selection.narrowed(to: predicate), at: anchor)
  }

  /// Applies a page of hits, for the list or read ahead.
  mutating func take(
    _ page: Result<Page, StoreError>, for request: MessageWindow.Request, window number: Int
  ) throws -> Effects {
    if search?.known?.number == number {
      // On an error the page is read when the reader goes there.
      _ = try? search?.known?.take(page, for: request)
      return Effects(jobs: search?.known?.takeJobs(.ahead, in: context.store) ?? [])
    }
    guard reader.cover.hits?.hits?.number == number else { return Effects() }
    try reader.cover.hits?.take(page, for: request)
    return Effects()
  }

  fileprivate func countingHits() -> [Job] {
    guard let list = reader.cover.hits, let search = list.search, search.count == nil,
      // The search is counting the same hits.
      self.search?.isCounting != true || self.search?.predicate != search.predicate
    else { return [] }
    let chosen = list.hits?.window.position?.id ?? placeOfSearch(like: search)
    return [
      Job(.listCount) {
        [store = context.store, selection = context.selection, number = list.number] report, isCancelled in
        let count = try? store.hitCount(search.predicate, in: selection, isCancelled: isCancelled)
        if isCancelled() { return }
        report(.hitCount(count, search: number))
        guard let chosen else { return }
        let older = try? store.hitCount(
          search.predicate, in: selection, olderThan: chosen, isCancelled: isCancelled)
        if !isCancelled() { report(.hitRank(older, of: chosen, search: number)) }
      }
    ]
  }
}

extension Session where R == ScreenReader {
  /// Narrows the list by the typed query, which is the search if there is none.
  mutating func narrowHits(_ line: String) throws -> Effects {
    guard let list = reader.cover.hits, line != input.restored else { return Effects() }
    guard let wanted = TypedSearch.narrowing(by: line, isView: reader.traits.isView) else { return Effects() }
    let meaning = context.meaning(of: wanted)
    // An incomplete query narrows nothing.
    guard meaning != nil || wanted.before.allSatisfy(\.isWhitespace) else { return Effects() }
    let (typed, predicate) = (meaning?.query ?? "", meaning?.predicate)
    guard typed != list.typed else { return Effects() }
    let number = searches.nextNumber()
    let search = HitSearch(list.base, narrowedBy: typed, predicate, number: number)
    if list.hits == nil || search == nil {
      let hits = search.map { hitWindow(of: $0.predicate, at: .newest) }
      reader.cover.hits = HitList(number, of: search, base: list.base, typed: typed, hits: hits)
    } else if let search {
      let found = context.selection.narrowed(to: search.predicate)
      reader.cover.hits?.list(search, typed: typed, number: number, in: found)
    }
    return Effects(jobs: countingHits(), stops: [.hits, .listCount])
  }

  /// Goes to the chosen hit, where the search continues; `/back` returns.
  mutating func goToHit() throws -> Effects {
    guard let list = reader.cover.hits, let hit = list.chosen, let search = list.search else {
      return Effects()
    }
    closeHits()
    self.search = search
    self.search?.number = searches.nextNumber()
    self.search?.place = nil
    self.search?.known = nil
    try show(hit: hit.id)
    self.search?.isCounting = false
    return Effects(jobs: counting(), stops: [.hits, .ahead, .count, .listCount], emptiesLine: true)
  }

  mutating func closeHits() {
    guard var list = reader.cover.hits else { return }
    list.hits?.stopReading()
    list.placeOfReader = search?.place
    searches.formerHits = list
    reader.putAway()
  }
}

extension HitSearch {
  /// A search for the hits of `base` that also match; `nil` without any condition.
  init?(_ base: HitSearch?, narrowedBy words: String, _ other: MessagePredicate?, number: Int) {
    guard let base else {
      guard let other else { return nil }
      self.init(words, other, number: number)
      return
    }
    self = base
    self.number = number
    (place, count, marks, known) = (nil, nil, [], nil)
    guard let other else { return }
    if case .matching(let query) = base.predicate, case .matching(let more) = other {
      predicate = .matching("(\(query)) (\(more))")
    } else {
      predicate = .and([base.predicate, other])
    }
    self.query = "\(base.query) \(SafeText.oneLine(words.prefix(200)))"
  }
}

extension ReplContext {
  func hitLines(_ hits: [SearchHit], of count: Int) -> [String] {
    var clock = clock
    let rows = hits.enumerated().map { index, hit in
      let names = naming.names(of: hit.message)
      let conversation = names.conversation.map { [SafeText.oneLine($0).cut(columns: 40)] } ?? []
      return ["\(index + 1)", hit.dateText(&clock)] + conversation + [
        SafeText.oneLine(names.person ?? hit.senderName), "#\(hit.id)", SafeText.oneLine(hit.snippet.text),
      ]
    }
    let rest = count - hits.count
    return Self.lines(TextTable.text(rows, alignsRight: [0]))
      + (rest > 0 ? ["… \(NumberText.grouped(rest)) older"] : [])
  }
}

extension SearchHit {
  var senderName: String { message.sender?.name ?? "" }

  func dateText(_ clock: inout WallClock) -> String {
    DateText.minute(of: message.time, message.precision, &clock)
  }
}

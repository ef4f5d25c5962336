internal import MessageModel
internal import MessageStorage
internal import MessageWindows

/// The hits of a search as a list, newest first, and the one that is chosen: that at which its window has the reader.
package struct HitList: Sendable {
  /// The way of pages, older ones being below.
  package typealias Direction = HistoryView.Direction

  /// Tells it from those before: counts of them are of no use any more.
  private(set) var number: Int
  /// The search whose hits are listed; `nil` as long as nothing is looked for.
  private(set) var search: HitSearch?
  /// The search before one typed on, and the text that was typed.
  let base: HitSearch?
  private(set) var typed: String
  /// The hits that are held: those of the search before until something of this one is there.
  var hits: HitWindow?
  /// The hits in view, and by what they were found.
  private(set) var shown: [SearchHit] = []
  private var shownPredicate: MessagePredicate?
  /// The first hit in view.
  private var top: Message.ID?
  /// The number of hits that are newer than those held; `nil` if it is not known. The window is not counted, and is
  /// most often read from the newest hit on.
  private var newerCount: Int?

  /// Creates a list that begins with the newest hit.
  ///
  /// - Parameters:
  ///   - search: What is listed: `base` and what was typed.
  ///   - hits: The window of what it finds.
  init(_ number: Int, of search: HitSearch?, base: HitSearch?, typed: String = "", hits: HitWindow?) {
    self.number = number
    self.search = search
    self.base = base
    self.typed = typed
    self.hits = hits
  }

  /// Lists something else, what was typed having been added to the base. What is held is shown until something is found.
  mutating func list(_ search: HitSearch, typed: String, number: Int, in selection: Selection) {
    (self.number, self.search, self.typed) = (number, search, typed)
    hits?.perform(.show(selection, at: .newest))
  }

  private var held: [Message] { hits?.window.messages ?? [] }

  /// The place of a hit among those held, from the newest.
  private func index(of id: Message.ID?) -> Int? {
    id.flatMap { hits?.window.index(of: $0) }.map { held.count - 1 - $0 }
  }

  private var index: Int { index(of: hits?.window.position?.id) ?? 0 }

  /// The hit that is chosen; `nil` if there is none.
  var chosen: SearchHit? {
    let id = hits?.window.position?.id
    return shown.first { $0.id == id }
  }

  /// The number of hits; `nil` as long as they are being counted.
  var count: Int? { search?.count }

  /// The number of the chosen hit from the newest, which is 1; `nil` if it is not known.
  var rank: Int? {
    guard let window = hits?.window, !window.isEmpty, window.header.jumping == .idle else { return nil }
    return newerCount.map { $0 + index + 1 }
  }

  /// The number of hits that are held.
  package var heldCount: Int { held.count }

  /// Whether hits are being looked for that may come into view.
  var isReading: Bool { hits?.isReading ?? false }
}

// MARK: Choosing

extension HitList {
  /// Chooses another hit, so many older ones on; the last there is if there are not so many.
  mutating func move(_ count: Int) {
    guard !held.isEmpty else { return }
    let index = min(max(0, index.adding(count)), held.count - 1)
    let id = held[held.count - 1 - index].id
    hits?.go(to: id)
  }

  /// Chooses the first or the last of all, which is read where it is not held.
  mutating func goToEnd(_ direction: Direction) {
    guard let window = hits?.window else { return }
    let isHeld = direction == .newer ? window.holdsNewestEdge : window.holdsOldestEdge
    if isHeld {
      move(direction == .newer ? -held.count : held.count)
    } else {
      hits?.perform(.jump(to: direction == .newer ? .newest : .oldest))
    }
  }

  /// Has the chosen one be in view, and finds what was looked for in those that are.
  mutating func settle(rows: Int, in store: SynchronousMessageStore) throws(StoreError) {
    guard let window = hits?.window, let search else {
      shown = []
      return
    }
    let first = min(max(index(of: top) ?? 0, index - rows + 1), index)
    let start = max(0, min(first, held.count - rows))
    let inView = Array(held.reversed().dropFirst(start).prefix(rows))
    top = inView.first?.id
    if window.header.jumping == .idle, shownPredicate != search.predicate {
      (shownPredicate, shown) = (search.predicate, [])
    }
    let known = Dictionary(shown.map { ($0.id, $0) }) { hit, _ in hit }
    let new = try store.hits(shownPredicate ?? search.predicate, in: inView.filter { known[$0.id] == nil })
    let all = known.merging(new.map { ($0.id, $0) }) { _, hit in hit }
    shown = inView.compactMap { all[$0.id] }
  }
}

// MARK: Reading

extension HitList {
  /// Takes in what was read.
  ///
  /// - Throws: As ``HitWindow/take(_:for:)``.
  mutating func take(
    _ page: Result<Page, StoreError>, for request: MessageWindow.Request
  ) throws(StoreError) {
    let newest = held.last?.id
    guard let delta = try hits?.take(page, for: request), let window = hits?.window else { return }
    if request.ticket.asksForTheWhole {
      newerCount = window.holdsNewestEdge ? 0 : nil
    } else {
      let come = newest.map { newest in held.count { $0.id > newest } } ?? 0
      // They have come in since the others were counted.
      if newerCount == 0, let count { search?.count = count + come }
      newerCount = newerCount.map { max(0, $0 - come) + delta.trimmedNewer }
      if window.holdsNewestEdge { newerCount = 0 }
    }
    deriveNewerCount()
  }

  /// Takes note of the number of hits.
  mutating func note(count: Int?) {
    search?.count = count
    deriveNewerCount()
  }

  /// Looks for newer hits again: something has come in.
  mutating func lookForNewer() { hits?.perform(.sourceChanged) }

  /// Derives the number of newer hits, once all are counted, for a window that was read from the oldest hit on.
  private mutating func deriveNewerCount() {
    guard newerCount == nil, let window = hits?.window, window.holdsOldestEdge, let count else { return }
    newerCount = max(0, count - window.count)
  }
}

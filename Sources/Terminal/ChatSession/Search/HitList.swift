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
  /// A hit, and how many are older than it; `nil` if that is known of none.
  private var counted: (id: Message.ID, olderCount: Int)?
  /// The version of the store up to which its changes are known; `nil` if all may have changed.
  private var version: SourceVersion?
  /// The hit that the reader was at when the list was put away.
  var placeOfReader: Message.ID?

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

  /// Takes note of the number of hits that are older than one of them.
  mutating func note(olderCount: Int?, than id: Message.ID) {
    counted = olderCount.map { (id, $0) }
    deriveNewerCount()
  }

  /// Follows what has happened to messages since the hits were read, whoever did it; whether they are to be counted again.
  ///
  /// What has only come in is looked for at the newest end, since hits may be found by reading one text after the other. Where a
  /// message was changed, has gone, or has come in between, the hits around the chosen one are read anew.
  mutating func follow(_ store: SynchronousMessageStore, in selection: Selection) -> Bool {
    let changes = version.flatMap { try? store.changes(since: $0, in: selection.conversations) }
    version = changes?.version ?? (try? store.version(of: .everything))
    guard let search, changes?.isEmpty != true else { return false }
    self.search?.count = nil
    counted = nil
    let newest = held.last?.id ?? .lowest
    let isOnlyNews =
      changes.map { $0.edited.isEmpty && $0.deleted.isEmpty && $0.inserted.allSatisfy { $0 > newest } }
      ?? false
    if isOnlyNews, changes?.isEverything == false {
      hits?.perform(.sourceChanged)
    } else {
      let place = hits?.window.position?.id
      shownPredicate = nil
      hits?.perform(.show(selection.narrowed(to: search.predicate), at: place.map { .around($0) } ?? .newest))
    }
    return true
  }

  /// Takes note that the hits are those of the present state of a store.
  mutating func begin(with store: SynchronousMessageStore) { version = try? store.version(of: .everything) }

  /// Chooses a hit, which is read where it is not held.
  mutating func go(to id: Message.ID) {
    if index(of: id) != nil { hits?.go(to: id) } else { hits?.perform(.jump(to: .around(id))) }
  }

  /// Derives the number of newer hits, once all are counted, for a window that was read from the oldest hit on, or holds one
  /// of which it is known how many are older.
  private mutating func deriveNewerCount() {
    guard newerCount == nil, let window = hits?.window, let count else { return }
    if window.holdsOldestEdge {
      newerCount = max(0, count - window.count)
    } else if let counted, let index = index(of: counted.id) {
      newerCount = max(0, count - counted.olderCount - 1 - index)
    }
  }
}

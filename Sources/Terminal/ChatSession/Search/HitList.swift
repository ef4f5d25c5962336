internal import MessageModel
internal import MessageStorage
internal import MessageWindows

/// The hits of a search, newest first. The chosen one is at the position of the window's reader.
package struct HitList: Sendable {
  /// Older hits are below.
  package typealias Direction = HistoryView.Direction

  /// Distinguishes it from earlier lists, whose counts are dropped.
  private(set) var number: Int
  /// `nil` until something is searched for.
  private(set) var search: HitSearch?
  /// The search that typing narrows; `typed` is what was typed.
  let base: HitSearch?
  private(set) var typed: String
  /// The former search's hits, until this one has found something.
  var hits: HitWindow?
  /// The hits in view, found by `shownPredicate`.
  private(set) var shown: [SearchHit] = []
  private var shownPredicate: MessagePredicate?
  private var top: Message.ID?
  /// The number of hits newer than those held; `nil` if unknown, since the window does not count.
  private var newerCount: Int?
  /// A hit with a known number of older ones.
  private var counted: (id: Message.ID, olderCount: Int)?
  /// The store's version that the hits reflect; `nil` if everything may have changed.
  private var version: SourceVersion?
  var placeOfReader: Message.ID?

  /// - Parameter search: `base`, narrowed by `typed`.
  init(_ number: Int, of search: HitSearch?, base: HitSearch?, typed: String = "", hits: HitWindow?) {
    self.number = number
    self.search = search
    self.base = base
    self.typed = typed
    self.hits = hits
  }

  /// Lists the base narrowed by other text. The present hits are shown until something is found.
  mutating func list(_ search: HitSearch, typed: String, number: Int, in selection: Selection) {
    (self.number, self.search, self.typed) = (number, search, typed)
    hits?.perform(.show(selection, at: .newest))
  }

  private var held: [Message] { hits?.window.messages ?? [] }

  /// The index among the held hits, from the newest.
  private func index(of id: Message.ID?) -> Int? {
    id.flatMap { hits?.window.index(of: $0) }.map { held.count - 1 - $0 }
  }

  private var index: Int { index(of: hits?.window.position?.id) ?? 0 }

  var chosen: SearchHit? {
    let id = hits?.window.position?.id
    return shown.first { $0.id == id }
  }

  /// `nil` until counted.
  var count: Int? { search?.count }

  /// The number of the chosen hit, 1 for the newest; `nil` if unknown.
  var rank: Int? {
    guard let window = hits?.window, !window.isEmpty, window.header.jumping == .idle else { return nil }
    return newerCount.map { $0 + index + 1 }
  }

  package var heldCount: Int { held.count }

  var isReading: Bool { hits?.isReading ?? false }
}

extension HitList {
  /// Moves the choice towards older hits, or newer ones if negative, up to the ends.
  mutating func move(_ count: Int) {
    guard !held.isEmpty else { return }
    let index = min(max(0, index.adding(count)), held.count - 1)
    let id = held[held.count - 1 - index].id
    hits?.go(to: id)
  }

  /// Chooses the newest or oldest hit of all, read if it is not held.
  mutating func goToEnd(_ direction: Direction) {
    guard let window = hits?.window else { return }
    let isHeld = direction == .newer ? window.holdsNewestEdge : window.holdsOldestEdge
    if isHeld {
      move(direction == .newer ? -held.count : held.count)
    } else {
      hits?.perform(.jump(to: direction == .newer ? .newest : .oldest))
    }
  }

  /// Scrolls the chosen hit into view, and finds the matches in the visible ones.
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

extension HitList {
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

  mutating func note(count: Int?) {
    search?.count = count
    deriveNewerCount()
  }

  mutating func note(olderCount: Int?, than id: Message.ID) {
    counted = olderCount.map { (id, $0) }
    deriveNewerCount()
  }

  /// Follows changes of the store; returns whether the hits must be counted again.
  ///
  /// If all changes are newer messages, only those are searched, since a search may read one text after
  /// another. Otherwise the hits around the chosen one are read again.
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

  mutating func begin(with store: SynchronousMessageStore) { version = try? store.version(of: .everything) }

  mutating func go(to id: Message.ID) {
    if index(of: id) != nil { hits?.go(to: id) } else { hits?.perform(.jump(to: .around(id))) }
  }

  /// Possible if the window holds the oldest hit, or one with a known number of older ones.
  private mutating func deriveNewerCount() {
    guard newerCount == nil, let window = hits?.window, let count else { return }
    if window.holdsOldestEdge {
      newerCount = max(0, count - window.count)
    } else if let counted, let index = index(of: counted.id) {
      newerCount = max(0, count - counted.olderCount - 1 - index)
    }
  }
}

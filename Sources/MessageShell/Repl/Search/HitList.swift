internal import MessageModel
internal import MessageStorage

/// The hits of a search as a list, newest first, and the one that is chosen.
///
/// Some hundred hits around the chosen one are held, however many there are: those far off are let go of, and read again
/// when the reader comes back to them.
package struct HitList: Hashable, Sendable {
  /// What a line of the list shows of a message that was found.
  package struct Hit: Hashable, Sendable {
    let id: Message.ID
    let precision: TimePrecision
    let sender: String
    let snippet: SearchHit.Snippet

    init(_ hit: SearchHit) {
      id = hit.id
      precision = hit.message.precision
      sender = hit.message.sender?.name ?? ""
      snippet = hit.snippet
    }
  }

  /// The way of pages, older ones being below.
  package typealias Direction = HistoryView.Direction

  /// Tells it from those before: pages for them are of no use any more.
  let number: Int
  /// What is listed; `nil` as long as nothing is looked for.
  private(set) var search: HitSearch?
  /// What was looked for before one typed on, and what was typed.
  let base: HitSearch?
  let typed: String
  /// The hits that are held, without a gap.
  private(set) var hits: [Hit] = []
  /// The place of the chosen one among them.
  private(set) var index = 0
  /// The place of the first one in view.
  private(set) var top = 0
  /// How many hits are newer than those held; `nil` if nobody knows.
  private var newerCount: Int? = 0
  /// The directions in which there are no others.
  private var ends: Set<Direction> = [.newer]
  private var reading: Set<Direction> = []
  /// Where a search that reads all texts goes on beyond an end.
  private var resumptions: [Direction: PageAnchor] = [:]
  /// Whether what is held is of another search, and is shown until something of this one is there.
  private var isFormer = false
  /// Where it was begun: at the oldest hit or at the newest.
  private var begin = PageAnchor.newest

  /// The number read at once, and the number left at which more are read.
  static let pageCount = 128
  private static let fewCount = 64
  /// The most that are held.
  static let mostCount = 512

  /// Creates a list that begins with the newest hit.
  ///
  /// - Parameters:
  ///   - search: What is listed: `base` and what was typed.
  ///   - former: The list to show until something is found.
  init(
    _ number: Int, of search: HitSearch?, base: HitSearch?, typed: String = "", former: HitList? = nil
  ) {
    self.number = number
    self.search = search
    self.base = base
    self.typed = typed
    guard let former, search != nil else { return }
    (hits, index, top, isFormer) = (former.hits, former.index, former.top, !former.hits.isEmpty)
  }

  /// The hit that is chosen; `nil` if there is none.
  var chosen: Hit? { hits.indices.contains(index) ? hits[index] : nil }

  /// The number of hits; `nil` as long as they are being counted.
  var count: Int? { search?.count }

  /// The number of the chosen hit from the newest, which is 1; `nil` if it is not known.
  var rank: Int? { isFormer || hits.isEmpty ? nil : newerCount.map { $0 + index + 1 } }

  /// How many are held.
  package var heldCount: Int { hits.count }

  /// Whether hits are being looked for that may come into view.
  var isReading: Bool { !reading.isEmpty }

  /// How far a search that reads all texts has come.
  var reached: Message.ID? {
    guard reading.contains(.older) else { return nil }
    return switch resumptions[.older] {
    case .before(let id), .after(let id), .around(let id): id
    case .newest, .oldest, .time, .ordinal, .percent, .firstUnread, nil: nil
    }
  }
}

// MARK: Choosing

extension HitList {
  /// Chooses another hit, so many older ones on; the last there is if there are not so many.
  mutating func move(_ count: Int) {
    index = min(max(0, index.adding(count)), max(0, hits.count - 1))
  }

  /// Chooses the first or the last of all, which is read anew where it is not held.
  mutating func goToEnd(_ direction: Direction) {
    if ends.contains(direction) {
      index = direction == .newer ? 0 : max(0, hits.count - 1)
      return
    }
    let (count, search) = (count, search)
    self = HitList(number, of: search, base: base, typed: typed, former: self)
    // Pages on their way have another edge than this one.
    self.search?.count = count
    (begin, ends) = direction == .newer ? (.newest, [.newer]) : (.oldest, [.older])
    if direction == .older { newerCount = nil }
  }

  /// Has the chosen one be in view.
  mutating func settle(rows: Int) {
    top = min(max(top, index - rows + 1), index)
    top = max(0, min(top, hits.count - rows))
  }
}

// MARK: Reading

/// A page of a list that is to be read.
struct HitRequest: Hashable, Sendable {
  let direction: HitList.Direction
  let anchor: PageAnchor
  /// The hit next to which it lies; `nil` in an empty list.
  let edge: Message.ID?
}

/// A part of what was asked for by a ``HitRequest``.
package struct HitPage: Hashable, Sendable {
  /// Newest first.
  let hits: [HitList.Hit]
  let direction: HitList.Direction
  let edge: Message.ID?
  /// Whether there are others beyond these, and where to go on if looking for them stopped on the way.
  let hasMore: Bool
  let resumption: PageAnchor?
  /// Whether another part follows.
  let goesOn: Bool
}

extension HitList {
  /// Returns the pages to read now, which count as being read from now on.
  mutating func takeRequests() -> [HitRequest] {
    guard search != nil else { return [] }
    let isEmpty = isFormer || hits.isEmpty
    let first: Direction = begin == .oldest ? .newer : .older
    var wanted: [Direction] = isEmpty ? [first] : []
    if !isEmpty {
      if index < Self.fewCount { wanted.append(.newer) }
      if hits.count - index <= Self.fewCount { wanted.append(.older) }
    }
    wanted.removeAll { ends.contains($0) || reading.contains($0) }
    reading.formUnion(wanted)
    return wanted.map { direction in
      let edge = edge(direction)
      let next = edge.map { direction == .older ? PageAnchor.before($0) : .after($0) }
      return HitRequest(
        direction: direction, anchor: resumptions[direction] ?? next ?? begin, edge: edge)
    }
  }

  /// The last hit held in a direction.
  private func edge(_ direction: Direction) -> Message.ID? {
    if isFormer { return nil }
    return direction == .older ? hits.last?.id : hits.first?.id
  }

  /// Takes in what was read.
  mutating func take(_ page: HitPage) {
    guard reading.contains(page.direction), page.edge == edge(page.direction) else { return }
    if isFormer { (hits, index, top, isFormer) = ([], 0, 0, false) }
    if !page.goesOn { reading.remove(page.direction) }
    resumptions[page.direction] = page.resumption
    if page.hasMore { ends.remove(page.direction) } else { ends.insert(page.direction) }
    let wasEmpty = hits.isEmpty
    switch page.direction {
    case .older: hits += page.hits
    case .newer:
      hits = page.hits + hits
      index = wasEmpty ? max(0, hits.count - 1) : index + page.hits.count
      top = wasEmpty ? top : top + page.hits.count
      // They have come in since the others were counted.
      if let count, newerCount == 0, !wasEmpty { search?.count = count + page.hits.count }
      newerCount = ends.contains(.newer) ? 0 : newerCount.map { max(0, $0 - page.hits.count) }
    }
    letGo()
    deriveNewerCount()
  }

  /// Takes note that a page could not be read, or need not be.
  mutating func stopReading() { reading = [] }

  /// Takes note of the number of hits.
  mutating func note(count: Int?) {
    search?.count = count
    deriveNewerCount()
  }

  /// Looks for newer hits again: something has come in.
  mutating func lookForNewer() {
    guard newerCount != nil else { return }
    ends.remove(hits.isEmpty ? .older : .newer)
  }

  /// What was read from the oldest hit on is numbered when all are counted.
  private mutating func deriveNewerCount() {
    guard newerCount == nil, ends.contains(.older), let count else { return }
    newerCount = max(0, count - hits.count)
  }

  /// Lets go of what is farthest from the chosen hit.
  private mutating func letGo() {
    let excess = hits.count - Self.mostCount
    guard excess > 0 else { return }
    let first = min(excess, max(0, index - Self.mostCount / 2))
    if first > 0 {
      hits.removeFirst(first)
      (index, top) = (index - first, max(0, top - first))
      newerCount = newerCount.map { $0 + first }
      ends.remove(.newer)
      resumptions[.newer] = nil
    }
    if first < excess {
      hits.removeLast(excess - first)
      ends.remove(.older)
      resumptions[.older] = nil
    }
  }
}

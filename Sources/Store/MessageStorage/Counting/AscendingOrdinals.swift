internal import MessageModel

/// Ordinals of ids that are asked for in ascending order, as those of the midnights of ten years are: each costs a look at
/// some messages of one block, and each super-block is read once.
struct AscendingOrdinals {
  private let counter: Counter
  private var cursors: [OrdinalCursor]?

  /// - Parameter scopes: What the counter adds up; `nil` if its numbers come from elsewhere.
  init(_ counter: Counter, adding scopes: [Ordinals]?) {
    self.counter = counter
    cursors = scopes?.map { OrdinalCursor($0) }
  }

  /// Returns how many messages of the selection have a lesser id.
  ///
  /// - Parameter id: Not less than the one before.
  mutating func ordinal(of id: Message.ID) throws -> Int {
    guard let count = cursors?.count else { return try counter.ordinal(of: id) }
    var sum = 0
    for index in 0..<count { sum = sum.adding(try cursors?[index].ordinal(of: id) ?? 0) }
    return sum
  }
}

/// A place in the counts of one scope, which moves towards newer messages.
struct OrdinalCursor {
  private let ordinals: Ordinals
  /// The ids of the super-block at hand, and the counts of its blocks.
  private var span: ClosedRange<Int64>?
  private var entries: ArraySlice<Ordinals.Entry> = []
  /// The number of messages before the first of these entries.
  private var before = 0
  /// The last id asked for that lies in that entry, and the number of messages between them.
  private var reached: (id: Int64, count: Int)?
  /// The number of messages before the range that counts.
  private var outside: Int?

  init(_ ordinals: Ordinals) { self.ordinals = ordinals }

  /// Returns how many messages that count have a lesser id.
  mutating func ordinal(of id: Message.ID) throws -> Int {
    let ids = ordinals.filter.ids
    if ids == FacetFilter.allIDs { return try unbounded(of: id) }
    let outside = try self.outside ?? unbounded(of: ids.lowerBound)
    self.outside = outside
    return try unbounded(of: min(max(id, ids.lowerBound), ids.upperBound.successor)) - outside
  }

  private mutating func unbounded(of id: Message.ID) throws -> Int {
    if span?.contains(id.rawValue) != true { try enter(id) }
    while let next = entries.dropFirst().first, next.first <= id.rawValue {
      before = before.adding(entries.removeFirst().count)
      reached = nil
    }
    guard let entry = entries.first, entry.first < id.rawValue else { return before }
    return before.adding(try count(in: entry, below: id.rawValue))
  }

  /// Reads the counts of the super-block that holds an id.
  private mutating func enter(_ id: Message.ID) throws {
    let upper = try ordinals.reach(.superblocks, in: .min ... .max, until: id)
    var all: [Ordinals.Entry] = []
    try ordinals.forEachEntry(.blocks, in: upper.span) { entry in
      all.append(entry)
      return true
    }
    (span, entries, before, reached) = (upper.span, all[...], upper.count, nil)
  }

  /// Counts the messages of a block that lie before an id: from the nearest of its ends and the id before.
  private mutating func count(in entry: Ordinals.Entry, below id: Int64) throws -> Int {
    let last = try ordinals.lookup.last(.blocks, holding: entry.first)
    guard id <= last else { return entry.count }
    let (first, counted) = reached ?? (entry.first, 0)
    let isNearEnd = last < .max && Double(last) - Double(id) < Double(id) - Double(first)
    let count =
      isNearEnd
      ? entry.count - (try ordinals.countRows(id...last))
      : id > first ? counted.adding(try ordinals.countRows(first...(id - 1))) : counted
    reached = (id, count)
    return count
  }
}

internal import MessageModel

/// Each super-block is read once, where ids are asked for in ascending order.
struct AscendingOrdinals {
  private let counter: Counter
  private var cursors: [OrdinalCursor]?

  init(_ counter: Counter, adding scopes: [Ordinals]?) {
    self.counter = counter
    cursors = scopes?.map { OrdinalCursor($0) }
  }

  mutating func ordinal(of id: Message.ID) throws -> Int {
    guard let count = cursors?.count else { return try counter.ordinal(of: id) }
    var sum = 0
    for index in 0..<count { sum = sum.adding(try cursors?[index].ordinal(of: id) ?? 0) }
    return sum
  }
}

struct OrdinalCursor {
  private let ordinals: Ordinals
  private var span: ClosedRange<Int64>?
  private var entries: ArraySlice<Ordinals.Entry> = []
  private var before = 0
  /// The last id asked for in the current block, and the number of messages from the block's start to it.
  private var reached: (id: Int64, count: Int)?
  private var outside: Int?

  init(_ ordinals: Ordinals) { self.ordinals = ordinals }

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

  private mutating func enter(_ id: Message.ID) throws {
    let upper = try ordinals.reach(.superblocks, in: .min ... .max, until: id)
    var all: [Ordinals.Entry] = []
    try ordinals.forEachEntry(.blocks, in: upper.span) { entry in
      all.append(entry)
      return true
    }
    (span, entries, before, reached) = (upper.span, all[...], upper.count, nil)
  }

  /// From the nearest of the block's ends and the last id asked for.
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

/// The length of a list of ids, and evenly spread ids of it, between which ordinals are counted.
struct CountedIDs: Sendable {
  private(set) var total: Int
  /// The first id and every ``distance``-th after it, ascending; `nil` if the ids were not read.
  private(set) var marks: [Message.ID]?

  static let distance = 256

  init(total: Int, marks: [Message.ID]? = nil) { (self.total, self.marks) = (total, marks) }

  mutating func append(_ id: Message.ID) {
    if total.isMultiple(of: Self.distance) { marks?.append(id) }
    total += 1
  }

  func mark(before id: Message.ID) -> (id: Message.ID, ordinal: Int)? {
    guard let marks else { return nil }
    let next = marks.partitioningIndex { $0 >= id }
    return next > 0 ? (marks[next - 1], (next - 1) * Self.distance) : nil
  }

  var entryCount: Int { 8 + (marks?.count ?? 0) / 2 }
}

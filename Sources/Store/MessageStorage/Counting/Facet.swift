internal import GRDB
internal import MessageModel

/// A property of messages by which they are counted: one sender, one kind, one feature.
///
/// Counts per block exist for each facet as for all messages. A facet is stored as value × 8 + aspect; the
/// view `message_facet` lists each message's facets except saved filters. The arithmetic wraps for values
/// that no store assigns; the checker finds them.
struct Facet: Hashable, Comparable, Sendable {
  let rawValue: Int64

  static func < (a: Facet, b: Facet) -> Bool { a.rawValue < b.rawValue }

  /// Numbers in the file's format.
  enum Aspect: Int64 {
    case sender = 1
    case kind = 2
    case feature = 3
    case saved = 4
  }

  private static let factor: Int64 = 8

  private init(_ aspect: Aspect, _ value: Int64) {
    rawValue = value &* Self.factor &+ aspect.rawValue
  }

  init(rawValue: Int64) { self.rawValue = rawValue }

  static func sender(_ id: Int64) -> Facet { Facet(.sender, id) }
  static func kind(_ kind: Message.Kind) -> Facet { Facet(.kind, Int64(kind.rawValue)) }
  static func feature(_ feature: MessagePredicate.Feature) -> Facet {
    Facet(.feature, MessageRow.Feature.bit(of: feature))
  }

  /// Membership in a saved filter, which ``FilterMembers`` counts.
  static func saved(_ filter: Int64) -> Facet { Facet(.saved, filter) }

  var sender: Int64? { rawValue & (Self.factor - 1) == Aspect.sender.rawValue ? rawValue >> 3 : nil }

  static func saved(_ filter: String) -> String { "\(filter) * \(factor) + \(Aspect.saved.rawValue)" }

  static func isSaved(_ column: String) -> String { "\(column) & \(factor - 1) = \(Aspect.saved.rawValue)" }

  static func each(sender: Int64?, kind: Int64, features: Int64, _ body: (Facet) -> Void) {
    if let sender { body(.sender(sender)) }
    body(Facet(.kind, kind))
    guard features != 0 else { return }
    for feature in MessagePredicate.Feature.allCases where features & MessageRow.Feature.bit(of: feature) != 0
    {
      body(.feature(feature))
    }
  }
}

/// A predicate that counts by facet answer exactly, within a range of ids.
struct FacetFilter: Hashable {
  /// No message has two of them.
  private(set) var facets: Set<Facet> = []
  private(set) var list = ""
  var isComplement = true
  var ids = Self.allIDs
  var condition = ""
  /// The saved filter whose listed members match or, in a complement, do not.
  var members: Int64?

  var holdsForAll: Bool { facets.isEmpty && isComplement }

  private var holdsForNone: Bool { facets.isEmpty && !isComplement }

  init() {}

  private static let none = FacetFilter([], "0")

  init(members filter: FilterRow, ids: ClosedRange<Message.ID>) {
    facets = [filter.facet]
    list = Self.list(facets.map(\.rawValue))
    isComplement = filter.countingMode == .byOthers
    self.ids = ids
    members = filter.id
    condition = """
      \(isComplement ? "NOT " : "")EXISTS (SELECT 1 FROM filter_member AS member
        WHERE member.filter = \(filter.id) AND member.scope = 0 AND member.id = message.id)
      """
  }

  init?(_ predicate: MessagePredicate) {
    switch predicate {
    case .everything:
      self.init()
    case .sender(let ids):
      self.init(Set(ids.map { .sender($0.rawValue) }), Self.list("sender", ids.map(\.rawValue)))
    case .kind(let kinds):
      self.init(Set(kinds.map { .kind($0) }), Self.list("kind", kinds.map { Int64($0.rawValue) }))
    case .has(let feature):
      self.init([.feature(feature)], "features & \(MessageRow.Feature.bit(of: feature)) <> 0")
    case .ids(let range):
      self.init()
      ids = range
    case .not(let inner):
      guard let inner = FacetFilter(inner), inner.ids == Self.allIDs, !inner.holdsForAll else { return nil }
      self = inner
      isComplement.toggle()
      condition = "NOT ifnull(\(inner.condition), 0)"
    case .and(let all):
      self.init()
      for part in all {
        guard let filter = FacetFilter(part), take(filter) else { return nil }
      }
    case .or, .conversation, .written, .file, .forwarded, .thread, .matching, .regex:
      return nil
    }
  }

  private init(_ facets: Set<Facet>, _ condition: String) {
    self.facets = facets
    list = Self.list(facets.map(\.rawValue))
    self.condition = condition
    isComplement = false
  }

  private static func list(_ column: String, _ values: [Int64]) -> String { "\(column) IN (\(list(values)))" }

  private static func list(_ values: [Int64]) -> String {
    values.sorted().map { String($0) }.joined(separator: ",")
  }

  static let allIDs = Message.ID.lowest...Message.ID.highest

  /// Returns `false` if a facet filter cannot express both.
  private mutating func take(_ other: FacetFilter) -> Bool {
    guard ids.overlaps(other.ids), !holdsForNone, !other.holdsForNone else {
      self = .none
      return true
    }
    let range = ids.clamped(to: other.ids)
    if holdsForAll {
      self = other
    } else if !other.holdsForAll, other.facets != facets || other.isComplement != isComplement {
      return false
    }
    ids = range
    return true
  }
}

struct FacetCounts {
  /// For all kinds and features, and the first senders.
  private var small = [Int64](repeating: 0, count: 160)
  private var others: [Facet: Int64] = [:]

  init() {}

  init(_ entries: ArraySlice<OrdinalIndex.Entry>) { add(entries) }

  mutating func add(_ entries: ArraySlice<OrdinalIndex.Entry>) {
    for entry in entries { add(sender: entry.sender, kind: entry.kind, features: entry.features) }
  }

  mutating func add(sender: Int64?, kind: Int64, features: Int64) {
    Facet.each(sender: sender, kind: kind, features: features) { facet in
      if facet.rawValue >= 0, facet.rawValue < small.count {
        small[Int(facet.rawValue)] += 1
      } else {
        others[facet, default: 0] += 1
      }
    }
  }

  func each(_ body: (Facet, Int64) throws -> Void) rethrows {
    let far = others.sorted { $0.key < $1.key }
    for (facet, count) in far.prefix(while: { $0.key.rawValue < 0 }) { try body(facet, count) }
    for number in small.indices where small[number] > 0 {
      try body(Facet(rawValue: Int64(number)), small[number])
    }
    for (facet, count) in far.drop(while: { $0.key.rawValue < 0 }) { try body(facet, count) }
  }
}

struct FacetSums {
  let db: Database
  let scope: Int64

  func counts(of aspect: Facet.Aspect) throws -> [Int64: Int] {
    var counts: [Int64: Int] = [:]
    // In the order of the table's key, so that the sums need no temporary table.
    let settled = try RawStatement(
      db,
      """
      SELECT facet / 8, sum(count) FROM superpart WHERE scope = ?1 AND facet % 8 = \(aspect.rawValue)
        GROUP BY facet
      """, scope)
    try settled.each { row in counts[row.int(0)] = row.count(1) }
    let newest = try RawStatement(
      db,
      """
      SELECT facet / 8, count FROM part WHERE scope = ?1 AND facet % 8 = \(aspect.rawValue)
        AND first_id >= (SELECT max(first_id) FROM superblock WHERE scope = ?1)
      """, scope)
    try newest.each { row in counts[row.int(0), default: 0] = row.count(1).adding(counts[row.int(0)] ?? 0) }
    return counts
  }
}

internal import MessageModel

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
    case .or, .conversation, .written, .file, .thread, .matching, .regex:
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

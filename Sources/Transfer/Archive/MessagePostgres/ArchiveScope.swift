internal import MessageModel

/// A selection as SQL: rows of one, several or all conversations, between two ids, under a condition that
/// counts per block may cover.
struct ArchiveScope {
  let numbers: ArchiveNumbers
  /// `nil` for the whole store.
  let conversations: [Int64]?
  let ids: ClosedRange<Message.ID>
  let isEmpty: Bool
  let condition: String?
  /// The facets equivalent to the condition, of which each message has at most one; `nil` if the condition is
  /// no facet.
  let facets: [Int64]?
  let isIndexed: Bool

  /// `haveOwnTimes`: whether any message was written at another time than that of its place. Throws
  /// ``StoreError`` of kind `invalidRequest` for an unsupported condition.
  init(_ selection: Selection, _ numbers: ArchiveNumbers, haveOwnTimes: Bool) throws(StoreError) {
    self.numbers = numbers
    var conversations: Set<Conversation.ID>?
    if case .some(let ids) = selection.conversations { conversations = ids }
    var (lower, upper, rest) = (Message.ID.lowest, Message.ID.highest, [MessagePredicate]())
    for part in selection.predicate.conjuncts {
      switch part {
      case .ids(let range): (lower, upper) = (max(lower, range.lowerBound), min(upper, range.upperBound))
      case .written(let times):
        // A message is never written later than the time of its place.
        let places = Message.ID.places(of: times)
        lower = max(lower, places.lowerBound)
        if haveOwnTimes { rest.append(part) } else { upper = min(upper, places.upperBound) }
      case .conversation(let ids): conversations = conversations?.intersection(ids) ?? ids
      case .everything, .sender, .kind, .has, .file, .thread, .matching, .regex, .not, .and, .or:
        rest.append(part)
      }
    }
    self.conversations = conversations?.map(numbers.number).sorted()
    isEmpty = lower > upper
    ids = ClosedRange(from: lower, to: upper)
    var writer = ArchivePredicate(numbers)
    var conditions: [String] = []
    for part in rest { conditions.append(try writer.sql(part)) }
    condition = conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
    facets = rest.count == 1 ? Self.facets(rest[0], numbers) : nil
    isIndexed = rest.contains { part in
      switch part {
      case .sender, .matching, .thread: true
      case .everything, .conversation, .kind, .ids, .written, .has, .file, .regex, .not, .and, .or: false
      }
    }
  }

  private static func facets(_ predicate: MessagePredicate, _ numbers: ArchiveNumbers) -> [Int64]? {
    switch predicate {
    case .sender(let ids): ids.map { ArchiveFacet.sender(numbers.number(of: $0)) }.sorted()
    case .kind(let kinds): kinds.map { ArchiveFacet.kind($0) }.sorted()
    case .has(let feature): ArchivePredicate.feature(feature).map { [ArchiveFacet.feature($0)] } ?? []
    case .everything, .conversation, .ids, .written, .file, .thread, .matching, .regex, .not, .and, .or: nil
    }
  }

  var unfiltered: ArchiveScope { ArchiveScope(self) }

  private init(_ other: ArchiveScope) {
    (numbers, conversations, ids, isEmpty) = (other.numbers, other.conversations, other.ids, other.isEmpty)
    (condition, facets, isIndexed) = (nil, nil, false)
  }

  var isCounted: Bool { condition == nil || facets != nil }

  var counted: [Int64] { conversations ?? [numbers.whole] }

  /// Whether there is a single order of time, which an index has.
  var isSingle: Bool { counted.count == 1 }

  func rows(of number: String) -> String {
    conversations == nil ? "m.store = \(numbers.store)" : "m.conversation = \(number)"
  }

  var andCondition: String { condition.map { " AND \($0)" } ?? "" }
}

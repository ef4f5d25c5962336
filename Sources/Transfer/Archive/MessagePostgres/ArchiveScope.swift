internal import MessageModel

/// A selection as statements are made of it: rows of one conversation, of several or of a whole store, between two ids, under a
/// condition of which counts per block may know.
struct ArchiveScope {
  let numbers: ArchiveNumbers
  /// The numbers of the conversations; `nil` for all of the store.
  let conversations: [Int64]?
  /// The ids that count.
  let ids: ClosedRange<Message.ID>
  /// Whether no id can be right.
  let isEmpty: Bool
  /// The condition besides, on a row `m`; `nil` for none.
  let condition: String?
  /// The facets of which each message that counts has one; `nil` if counts per block do not know the condition.
  let facets: [Int64]?
  /// Whether an index leads to what is looked for, so that nobody need look at one row after the other.
  let isIndexed: Bool

  /// - Parameter haveOwnTimes: Whether any message was written at another time than that of its place.
  /// - Throws: ``StoreError`` of kind `invalidRequest` if the condition cannot be asked.
  init(_ selection: Selection, _ numbers: ArchiveNumbers, haveOwnTimes: Bool) throws(StoreError) {
    self.numbers = numbers
    var conversations: Set<Conversation.ID>?
    if case .some(let ids) = selection.conversations { conversations = ids }
    var (lower, upper, rest) = (Message.ID.lowest, Message.ID.highest, [MessagePredicate]())
    for part in selection.predicate.conjuncts {
      switch part {
      case .ids(let range): (lower, upper) = (max(lower, range.lowerBound), min(upper, range.upperBound))
      case .written(let times):
        // No time is later than that of its place.
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

  /// The same without its condition.
  var unfiltered: ArchiveScope { ArchiveScope(self) }

  private init(_ other: ArchiveScope) {
    (numbers, conversations, ids, isEmpty) = (other.numbers, other.conversations, other.ids, other.isEmpty)
    (condition, facets, isIndexed) = (nil, nil, false)
  }

  /// Whether counts per block know all of it.
  var isCounted: Bool { condition == nil || facets != nil }

  /// The conversations whose counts it is made of, as $1 of each statement; the whole of the store is one of them.
  var counted: [Int64] { conversations ?? [numbers.whole] }

  /// Whether it is one conversation, or the whole of a store: one order of time that an index has.
  var isSingle: Bool { counted.count == 1 }

  /// The condition that a row `m` is of a conversation that counts for `number`, an expression.
  func rows(of number: String) -> String {
    conversations == nil ? "m.store = \(numbers.store)" : "m.conversation = \(number)"
  }

  /// The condition besides, behind an AND.
  var andCondition: String { condition.map { " AND \($0)" } ?? "" }
}

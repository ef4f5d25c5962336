internal import GRDB
internal import MessageModel
internal import Synchronization

/// A saved filter as the store keeps it.
struct FilterRow: Sendable {
  /// The way in which its messages are counted.
  enum CountingMode: Int64 {
    /// As any of the same facets: nothing is kept for it.
    case byFacets = 0
    /// The messages that it lets through are its members.
    case byMembers = 1
    /// The messages that it keeps back are its members, since they are fewer.
    case byOthers = 2
  }

  let id: Int64
  let name: String
  let words: String
  let predicate: MessagePredicate
  let countingMode: CountingMode
  /// Messages up to this id have been looked at; the highest one says all.
  let countedUpTo: Message.ID

  var isComplete: Bool { countingMode == .byFacets || countedUpTo == .highest }
  var facet: Facet { .saved(id) }

  /// Whether a selection holds what the filter lets through of its conversations. Those that the filter names may have become
  /// the selection's.
  func isMeant(by selection: Selection) -> Bool {
    if predicate == selection.predicate { return true }
    let own = Selection.everything.narrowed(to: predicate)
    guard own.predicate == selection.predicate, case .some(let all) = own.conversations,
      case .some(let ids) = selection.conversations
    else { return false }
    return ids.isSubset(of: all)
  }

  /// The predicate that holds for its members.
  var memberPredicate: MessagePredicate { countingMode == .byOthers ? .not(predicate) : predicate }

  /// Returns all filters that have a name, by name.
  ///
  /// - Complexity: O(filters); each is understood once in a process.
  static func all(in db: Database) throws -> [FilterRow] {
    let statement = try RawStatement(
      db,
      """
      SELECT id, name, words, predicate, manner, counted_up_to FROM filter WHERE name IS NOT NULL ORDER BY name
      """)
    defer { statement.reset() }
    var rows: [FilterRow] = []
    while try statement.step() {
      guard let predicate = Self.predicate(of: statement.text(3)),
        let countingMode = CountingMode(rawValue: statement.int(4))
      else { continue }
      rows.append(
        FilterRow(
          id: statement.int(0), name: statement.text(1), words: statement.text(2), predicate: predicate,
          countingMode: countingMode, countedUpTo: Message.ID(rawValue: statement.int(5))))
    }
    return rows
  }

  /// Whether there is any filter.
  static func areThereAny(in db: Database) throws -> Bool {
    try RawStatement.number(db, "SELECT 1 FROM filter LIMIT 1") != nil
  }

  private static func predicate(of text: String) -> MessagePredicate? {
    if let known = known.withLock({ $0[text] }) { return known }
    guard let predicate = PredicateText.predicate(of: text) else { return nil }
    known.withLock { known in
      if known.count >= 256 { known.removeAll() }
      known[text] = predicate
    }
    return predicate
  }

  private static let known = Mutex<[String: MessagePredicate]>([:])
}

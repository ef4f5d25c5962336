internal import GRDB
internal import MessageModel
internal import Synchronization

struct FilterRow: Sendable {
  enum CountingMode: Int64 {
    /// By existing facets: nothing is stored for the filter.
    case byFacets = 0
    /// The matching messages are its members.
    case byMembers = 1
    /// The other messages are its members, since they are fewer.
    case byOthers = 2
  }

  let id: Int64
  let name: String
  let words: String
  let predicate: MessagePredicate
  let countingMode: CountingMode
  /// Messages up to this id are counted; the highest id stands for all.
  let countedUpTo: Message.ID

  var isComplete: Bool { countingMode == .byFacets || countedUpTo == .highest }
  var facet: Facet { .saved(id) }

  /// Whether a selection has the filter's predicate. Conversations of the predicate may have become the
  /// selection's.
  func isMeant(by selection: Selection) -> Bool {
    if predicate == selection.predicate { return true }
    let own = Selection.everything.narrowed(to: predicate)
    guard own.predicate == selection.predicate, case .some(let all) = own.conversations,
      case .some(let ids) = selection.conversations
    else { return false }
    return ids.isSubset(of: all)
  }

  var memberPredicate: MessagePredicate { countingMode == .byOthers ? .not(predicate) : predicate }

  /// By name. Each predicate is decoded once in a process.
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

internal import GRDB
internal import MessageModel

/// Visits the messages that are in a thread or reply to a message, newest first, skipping blocks without any.
struct AnswerWalk {
  private let db: Database
  private var scopes: [Scope]
  private(set) var budget: Int

  private struct Scope {
    var blocks: BlockWalk
    /// Replies in the current block, the oldest first.
    var found: [Int64] = []
    /// All ids from here on were read.
    var reached: Int64

    var isOver: Bool { found.isEmpty && blocks.place == nil }
    /// All ids from here on were returned.
    var edge: Int64 { found.last.map { $0 + 1 } ?? reached }
  }

  init(
    _ conversations: Selection.Conversations, before id: Int64, _ ways: ThreadTree.Ways, in db: Database,
    budget: Int
  ) {
    self.db = db
    self.budget = budget
    let numbers: [Int64]
    switch conversations {
    case .all: numbers = [0]
    case .some(let ids): numbers = ids.map(\.rawValue)
    }
    // Messages that only name a thread have no facet.
    let facets: Set<Facet> = ways.byThread ? [] : [.feature(.reply)]
    let isAny = (ways.byThread || ways.byReply) && id > .min
    scopes = numbers.map { number in
      Scope(
        blocks: BlockWalk(
          db: db, scope: number, facets: facets, direction: .older, place: isAny ? id - 1 : nil), reached: id)
    }
  }

  var isOver: Bool { scopes.allSatisfy(\.isOver) }

  /// All ids from here on were returned.
  var edge: Int64 { scopes.filter { !$0.isOver }.map(\.edge).max() ?? .min }

  /// `nil` at the end, or if the budget is spent.
  mutating func next() throws -> Int64? {
    for index in scopes.indices {
      while scopes[index].found.isEmpty, scopes[index].blocks.place != nil {
        guard budget > 0 else { return nil }
        try fill(index)
      }
    }
    guard let newest = scopes.indices.max(by: { newest(of: $0) < newest(of: $1) }),
      let id = scopes[newest].found.popLast()
    else { return nil }
    scopes[newest].reached = id
    return id
  }

  private func newest(of index: Int) -> Int64 { scopes[index].found.last ?? .min }

  private mutating func fill(_ index: Int) throws {
    guard let block = try scopes[index].blocks.next() else { return }
    budget -= OrdinalIndex.blockLimit
    let scope = scopes[index].blocks.scope
    let statement = try RawStatement(
      db,
      """
      SELECT id FROM message WHERE \(scope == 0 ? "" : "conversation = ?3 AND ")id BETWEEN ?1 AND ?2
        AND (reply_to IS NOT NULL OR thread IS NOT NULL) ORDER BY id
      """, block.lowerBound, block.upperBound)
    if scope != 0 { statement.bind(scope, at: 3) }
    scopes[index].found = try statement.map { $0.int(0) }
    scopes[index].reached = block.lowerBound
  }
}

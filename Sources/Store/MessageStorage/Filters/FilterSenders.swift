internal import GRDB
internal import MessageModel

/// Updates the senders in saved filters: all with one of their names, and aliases.
struct FilterSenders {
  let db: Database

  /// The new senders' messages are all newer, and wait.
  func addNew() throws {
    let newest = try RawStatement.number(db, "SELECT max(id) FROM sender") ?? 0
    let seen = try RawStatement.number(db, "SELECT min(senders) FROM filter") ?? newest
    if newest > seen { try update(countsAnew: false) }
  }

  func addAliases() throws { try update(countsAnew: true) }

  private func update(countsAnew: Bool) throws {
    for filter in try FilterRow.all(in: db) {
      let predicate = try filter.predicate.mappingSenders { try everyone(meantBy: $0) }
      guard predicate != filter.predicate else { continue }
      try RawStatement.run(
        db, "UPDATE filter SET predicate = ?2, counted_up_to = iif(?3, ?4, counted_up_to) WHERE id = ?1",
        filter.id, PredicateText.text(of: predicate), countsAnew ? 1 : 0, Message.ID.lowest.rawValue)
    }
    try RawStatement.run(db, "UPDATE filter SET senders = (SELECT ifnull(max(id), 0) FROM sender)")
  }

  private func everyone(meantBy ids: Set<Sender.ID>) throws -> Set<Sender.ID> {
    guard !ids.isEmpty else { return ids }
    let list = ids.map { String($0.rawValue) }.sorted().joined(separator: ",")
    let found = try Int64.fetchAll(
      db,
      sql: """
        WITH meant(id) AS (
          SELECT ifnull(alias_of, id) FROM sender WHERE name IN (SELECT name FROM sender WHERE id IN (\(list))))
        SELECT id FROM sender WHERE id IN meant OR alias_of IN meant
        """)
    return ids.union(found.map(Sender.ID.init(rawValue:)))
  }
}

extension MessagePredicate {
  fileprivate func mappingSenders(
    _ change: (Set<Sender.ID>) throws -> Set<Sender.ID>
  ) rethrows -> MessagePredicate {
    switch self {
    case .sender(let ids): .sender(try change(ids))
    case .not(let inner): .not(try inner.mappingSenders(change))
    case .and(let all): .and(try all.map { try $0.mappingSenders(change) })
    case .or(let any): .or(try any.map { try $0.mappingSenders(change) })
    case .everything, .conversation, .kind, .ids, .written, .has, .file, .thread, .matching, .regex: self
    }
  }
}

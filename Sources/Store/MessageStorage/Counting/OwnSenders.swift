internal import GRDB
internal import GRDBSQLite
internal import HistoryModel
internal import MessageModel
internal import Synchronization

/// A cache of the user's senders: those of the accounts of ``Person/me``.
final class OwnSenders: Sendable {
  private struct Known {
    var state: [Int64]
    var newestSender: Int64
    var ids: Set<Sender.ID>
  }

  private let known = Mutex<Known?>(nil)

  /// - Complexity: O(changes of people) small steps, and O(senders) after such a change or a new sender.
  func ids(in db: Database) throws -> Set<Sender.ID> {
    let person = try RawStatement(db, "SELECT id FROM person WHERE name = ?", Person.me).first { $0.int(0) }
    guard let person else { return [] }
    // What a transaction reads of its own changes may be rolled back.
    if sqlite3_txn_state(db.sqliteConnection, nil) == SQLITE_TXN_WRITE {
      return try Self.ids(of: person, in: db)
    }
    // Senders and changes of people are never removed, and a change is undone once.
    let counts = "SELECT ifnull(max(id), 0), count(undone) FROM person_entry"
    let state = [person] + (try RawStatement(db, counts).first { [$0.int(0), $0.int(1)] } ?? [])
    let newestSender = try RawStatement.number(db, "SELECT max(id) FROM sender") ?? 0
    if let known = known.withLock({ $0 }), known.state == state, known.newestSender == newestSender {
      return known.ids
    }
    let ids = try Self.ids(of: person, in: db)
    known.withLock { $0 = Known(state: state, newestSender: newestSender, ids: ids) }
    return ids
  }

  static func ids(of person: Int64, in db: Database) throws -> Set<Sender.ID> {
    let rows = try RawStatement(
      db,
      """
      SELECT sender.id FROM sender CROSS JOIN person_account AS account
        ON account.external = sender.external AND account.name = iif(sender.external = '', sender.name, '')
        WHERE account.person = ?
      """, person)
    return Set(try rows.map { Sender.ID(rawValue: $0.int(0)) })
  }
}

internal import GRDB
internal import MessageModel
internal import Synchronization

/// The names of senders by id, as far as pages have shown them. A sender's name never changes, so nothing here grows
/// stale; at most 20,000 are kept.
final class SenderNames: Sendable {
  private let names = Mutex<[Int64: Sender]>([:])
  private static let limit = 20_000

  /// Returns the sender with `id`, from memory or from the table.
  func sender(_ id: Int64, in db: Database) throws -> Sender {
    if let known = names.withLock({ $0[id] }) { return known }
    let statement = try RawStatement(db, "SELECT name FROM sender WHERE id = ?")
    statement.bind(id, at: 1)
    defer { statement.reset() }
    let name = try statement.step() ? statement.text(0) : "?"
    let sender = Sender(id: Sender.ID(rawValue: id), name: name)
    names.withLock {
      if $0.count >= Self.limit { $0.removeAll() }
      $0[id] = sender
    }
    return sender
  }
}

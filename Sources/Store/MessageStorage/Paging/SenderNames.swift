internal import GRDB
internal import MessageModel
internal import Synchronization

/// A cache of up to 20,000 senders by id, which never becomes stale: a sender's name does not change. It also
/// holds the other caches of reading.
final class SenderNames: Sendable {
  private let names = Mutex<[Int64: Entry]>([:])
  let beginnings = WordBeginnings()
  let threads = ListedThreads()
  let counts = KeptCounts()
  let stems = StemmedWords()
  let damage: DamageNotes

  private struct Entry {
    var sender: Sender
    var external: String
  }

  private static let limit = 20_000

  let previewByteCount: Int

  init(previewByteCount: Int) {
    self.previewByteCount = previewByteCount
    damage = DamageNotes()
  }

  /// Creates empty caches that note damage where `others` do.
  init(beside others: SenderNames) {
    previewByteCount = others.previewByteCount
    damage = others.damage
  }

  func sender(_ id: Int64, in db: Database) throws -> Sender {
    try entry(id, in: db).sender
  }

  func external(_ id: Int64, in db: Database) throws -> String? {
    let external = try entry(id, in: db).external
    return external.isEmpty ? nil : external
  }

  private func entry(_ id: Int64, in db: Database) throws -> Entry {
    if let known = names.withLock({ $0[id] }) { return known }
    let statement = try RawStatement(db, "SELECT name, external FROM sender WHERE id = ?", id)
    defer { statement.reset() }
    let isThere = try statement.step()
    if !isThere { damage.note("sender \(id) is not there") }
    let sender = Sender(id: Sender.ID(rawValue: id), name: isThere ? statement.text(0) : "?")
    let entry = Entry(sender: sender, external: isThere ? statement.text(1) : "")
    names.withLock {
      if $0.count >= Self.limit { $0.removeAll() }
      $0[id] = entry
    }
    return entry
  }
}

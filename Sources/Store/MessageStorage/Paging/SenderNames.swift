internal import GRDB
internal import MessageModel
internal import Synchronization

/// The names of senders by id, as far as pages have shown them. A sender's name never changes, so nothing here grows
/// stale; at most 20,000 are kept.
final class SenderNames: Sendable {
  private let names = Mutex<[Int64: Entry]>([:])
  /// The words that begin alike, as far as they were looked for.
  let beginnings = WordBeginnings()
  /// The messages of threads, as far as they were looked for.
  let threads = ListedThreads()
  /// The counts by which ordinals over several scopes were found.
  let counts = KeptCounts()
  /// The words that share a stem, as far as they were looked for.
  let stems = StemmedWords()
  /// The damage found by those who read with these names.
  let damage = DamageNotes()

  private struct Entry {
    var sender: Sender
    var external: String
  }

  private static let limit = 20_000

  /// So many bytes of a text are read with its message.
  let previewByteCount: Int

  init(previewByteCount: Int) { self.previewByteCount = previewByteCount }

  /// Returns the sender with `id`, from memory or from the table.
  func sender(_ id: Int64, in db: Database) throws -> Sender {
    try entry(id, in: db).sender
  }

  /// Returns the id that a sender has on its platform, if it is known.
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

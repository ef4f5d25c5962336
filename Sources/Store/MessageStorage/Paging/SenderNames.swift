internal import GRDB
package import MessageModel
internal import Synchronization

/// A cache of up to 20,000 senders by id, which never becomes stale: a sender's name does not change. It also
/// holds the other caches of reading.
final class SenderNames: Sendable {
  private let names = Mutex<[Int64: Entry]>([:])
  let beginnings = WordBeginnings()
  let candidates = PatternCandidates()
  let threads = ListedThreads()
  let counts = KeptCounts()
  let own = OwnSenders()
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

final class DamageNotes: Sendable {
  private let notes = Mutex<(count: Int, first: [String])>((0, []))
  private static let limit = 10

  func note(_ sentence: @autoclosure () -> String) {
    notes.withLock { notes in
      notes.count += 1
      if notes.first.count < Self.limit { notes.first.append(sentence()) }
    }
  }

  var all: (count: Int, first: [String]) { notes.withLock { $0 } }
}

extension SynchronousMessageStore {
  /// The number of damaged items read since the store was opened (invalid text, missing parts and senders),
  /// and a sentence about each of the first.
  package var damageSeen: (count: Int, first: [String]) { senderNames.damage.all }

  /// Adds to ``damageSeen``.
  package func noteDamage(_ sentence: String) { senderNames.damage.note(sentence) }

  /// Returns the index of a record's conversation; `nil`, noted as damage, if it is not among them.
  package func place(of record: MessageRecord, among conversations: ArraySlice<Conversation.ID>) -> Int? {
    let place = conversations.firstIndex(of: record.message.conversation)
    if place == nil { noteDamage("message #\(record.message.id) is not in its place") }
    return place
  }
}

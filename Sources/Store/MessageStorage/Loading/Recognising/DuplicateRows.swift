internal import GRDB
internal import MessageModel

/// The rows of the keys against duplicates, as a load finds and adds them; ``DuplicateKeys`` says what a key is.
///
/// Those that were added wait to be written together, until one is looked for or ``write()`` is called.
final class DuplicateRows {
  private let finding: RawStatement
  private var new: NumberRows

  init(_ db: Database) throws {
    // A key that leads nowhere is none: the message that it was of has gone without a trace.
    finding = try RawStatement(
      db,
      """
      SELECT id FROM duplicate WHERE conversation = ? AND time = ? AND hash = ?
        AND (EXISTS (SELECT 1 FROM message WHERE message.id = duplicate.id)
          OR EXISTS (SELECT 1 FROM tombstone WHERE tombstone.id = duplicate.id))
      """)
    new = NumberRows(db, into: "duplicate", onConflict: "SET id = excluded.id")
  }

  /// Returns the message of an interval that has a key.
  func message(with hash: Int64, _ key: LoadState.IntervalKey) throws -> Message.ID? {
    try write()
    finding.bind(key.conversation, key.time, hash)
    return try finding.first { row in Message.ID(rawValue: row.int(0)) }
  }

  /// Adds the key of a message.
  func insert(_ hash: Int64, _ key: LoadState.IntervalKey, _ id: Message.ID) throws {
    try new.add(key.conversation, key.time, hash, id.rawValue)
  }

  /// Writes what was added.
  func write() throws { try new.write() }
}

internal import GRDB
internal import MessageModel

/// Collects what a bulk load brings for the search indexes, and writes it in the order of ids.
///
/// FTS5 writes what it has gathered to the file whenever an id is not greater than the one before: in descending
/// order that cost three times as much.
struct SearchFeed {
  private var bytes: [UInt8] = []
  private var entries: [Entry] = []

  private struct Entry {
    let id: Int64
    let conversation: Int64
    /// Where its text lies; `nil` if SQL is to take the row apart.
    let text: Range<Int>?
  }

  /// Takes note of a message that was inserted.
  mutating func add(_ row: MessageWriter.Row, text: UnsafeRawBufferPointer) {
    guard SearchSchema.kinds.contains(row.kind) else { return }
    let isPlain =
      text.count < 65_536 && !text.contains(0) && UnspacedScripts.areSurelyAbsent(from: text)
    let start = bytes.count
    if isPlain { bytes.append(contentsOf: text) }
    entries.append(
      Entry(
        id: row.id.rawValue, conversation: row.conversation, text: isPlain ? start..<bytes.count : nil))
  }

  /// Writes what was collected, and forgets it.
  mutating func flush(into db: Database) throws {
    entries.sort { $0.id < $1.id }
    let plain = try RawStatement(db, "INSERT INTO search(rowid, words, scope) VALUES (?, ?, ?)")
    let index = SearchIndex(db: db)
    var scopes: [Int64: String] = [:]
    try bytes.withUnsafeBytes { bytes in
      for entry in entries {
        guard let text = entry.text else {
          try index.add(entry.id)
          continue
        }
        let scope = scopes[entry.conversation] ?? "c\(entry.conversation)"
        scopes[entry.conversation] = scope
        plain.bind(entry.id, at: 1)
        plain.bindText(UnsafeRawBufferPointer(rebasing: bytes[text]), at: 2)
        plain.bind(scope, at: 3)
        try plain.run()
      }
    }
    entries.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }
}

internal import Foundation
internal import GRDB
internal import MessageModel

/// Collects what a bulk load brings for the search indexes, and writes it in the order of ids.
///
/// FTS5 writes what it has gathered to the file whenever an id is not greater than the one before: in descending
/// order that cost three times as much.
struct SearchFeed {
  private var bytes: [UInt8] = []
  private var entries: [Entry] = []
  private var isSorted = true

  private struct Entry {
    let id: Int64
    let conversation: Int64
    /// Where its text lies; `nil` if SQL is to take the row apart.
    let text: Range<Int>?
  }

  /// Takes note of a message that was inserted.
  mutating func add(_ row: MessageWriter.Row, text: UnsafeRawBufferPointer) {
    guard SearchSchema.indexes(row.kind) else { return }
    let isPlain = text.count < 65_536 && !text.hasNull && UnspacedScripts.areSurelyAbsent(from: text)
    if let last = entries.last, last.id > row.id.rawValue { isSorted = false }
    let start = bytes.count
    if isPlain { bytes.append(contentsOf: text) }
    entries.append(
      Entry(
        id: row.id.rawValue, conversation: row.conversation, text: isPlain ? start..<bytes.count : nil))
  }

  /// Writes what was collected, and forgets it.
  mutating func flush(into db: Database) throws {
    if !isSorted { entries.sort { $0.id < $1.id } }
    let plain = try RawStatement(db, "INSERT INTO search(rowid, words, scope) VALUES (?, ?, ?)")
    let index = SearchIndex(db: db)
    var conversation: Int64?
    try bytes.withUnsafeBytes { bytes in
      for entry in entries {
        guard let text = entry.text else {
          try index.add(entry.id)
          continue
        }
        // What is bound stays bound.
        if conversation != entry.conversation { plain.bind("c\(entry.conversation)", at: 3) }
        conversation = entry.conversation
        plain.bind(entry.id, at: 1)
        plain.bindText(UnsafeRawBufferPointer(rebasing: bytes[text]), at: 2)
        try plain.run()
      }
    }
    entries.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    isSorted = true
  }
}

extension UnsafeRawBufferPointer {
  fileprivate var hasNull: Bool { baseAddress.map { memchr($0, 0, count) != nil } ?? false }
}

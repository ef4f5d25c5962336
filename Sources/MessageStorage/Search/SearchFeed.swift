internal import Foundation
internal import GRDB
internal import MessageModel

/// Collects what a bulk load brings for the search indexes, and writes it in the order of ids.
///
/// FTS5 writes what it has gathered to the file whenever an id is not greater than the one before: in descending
/// order that cost three times as much. It also does so, for both indexes, before and after each statement that SQLite
/// may have to take back alone, as one that asks a view is. So texts are taken apart here, and not by the views: a load
/// with one Chinese message in twenty took three times as long.
struct SearchFeed {
  private var bytes: [UInt8] = []
  private var entries: [Entry] = []
  /// Messages whose text SQL is to take apart: long ones and damaged ones.
  private var others: [Int64] = []
  private var isSorted = true

  private struct Entry {
    let id: Int64
    let conversation: Int64
    let table: SearchTable
    /// Where its words lie.
    let words: Range<Int>
  }

  /// Takes note of a message that was inserted.
  mutating func add(_ row: MessageWriter.Row, text: UnsafeRawBufferPointer) {
    guard SearchSchema.indexes(row.kind) else { return }
    let start = bytes.count
    guard let table = take(text) else {
      others.append(row.id.rawValue)
      return
    }
    if let last = entries.last, last.id > row.id.rawValue { isSorted = false }
    entries.append(
      Entry(id: row.id.rawValue, conversation: row.conversation, table: table, words: start..<bytes.count))
  }

  /// Keeps the words of a text as the view of their index has them; `nil`, with nothing kept, if that is for SQL.
  private mutating func take(_ text: UnsafeRawBufferPointer) -> SearchTable? {
    guard text.count < SearchSchema.signLimit, !text.hasNull else { return nil }
    if UnspacedScripts.areSurelyAbsent(from: text) {
      bytes.append(contentsOf: text)
      return .words
    }
    guard var words = String(validating: text, as: UTF8.self) else { return nil }
    return words.withUTF8 { UnspacedScripts.appendSpaced($0, to: &bytes) } ? .signs : .words
  }

  /// Writes what was collected, and forgets it.
  mutating func flush(into db: Database) throws {
    if !isSorted { entries.sort { $0.id < $1.id } }
    for table in SearchTable.allCases { try write(table, into: db) }
    let index = SearchIndex(db: db)
    for id in others.sorted() { try index.add(id) }
    entries.removeAll(keepingCapacity: true)
    others.removeAll()
    bytes.removeAll(keepingCapacity: true)
    isSorted = true
  }

  private func write(_ table: SearchTable, into db: Database) throws {
    let statement = try RawStatement(
      db, "INSERT INTO \(table.name)(rowid, words, scope) VALUES (?, ?, ?)")
    var conversation: Int64?
    try bytes.withUnsafeBytes { bytes in
      for entry in entries where entry.table == table {
        // What is bound stays bound.
        if conversation != entry.conversation { statement.bind("c\(entry.conversation)", at: 3) }
        conversation = entry.conversation
        statement.bind(entry.id, at: 1)
        statement.bindText(UnsafeRawBufferPointer(rebasing: bytes[entry.words]), at: 2)
        try statement.run()
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate var hasNull: Bool { baseAddress.map { memchr($0, 0, count) != nil } ?? false }
}

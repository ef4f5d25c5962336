internal import GRDB

/// New messages on their way into their table.
///
/// None of them may have an id that the store has or had. Their texts have room in their rows.
typealias NewMessages = RowBatch<(row: MessageWriter.Row, text: UnsafeRawBufferPointer)>

extension NewMessages {
  /// Prepares to write within one transaction, which an error ends.
  init(_ db: Database) {
    self.init(db, into: "message", columnCount: MessageWriter.columnCount, rowCount: 16) {
      message, statement, first in
      MessageWriter.bind(
        message.row, text: message.text, preview: message.text, to: statement, from: first)
    }
  }

  /// Adds a message, which may wait for others.
  mutating func add(_ row: MessageWriter.Row, text: UnsafeRawBufferPointer) throws {
    try add((row: row, text: text))
  }
}

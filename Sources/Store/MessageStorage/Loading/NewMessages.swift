internal import GRDB

typealias NewMessages = RowBatch<(row: MessageWriter.Row, text: UnsafeRawBufferPointer)>

extension NewMessages {
  init(_ db: Database) {
    self.init(db, into: "message", columnCount: MessageWriter.columnCount, rowCount: 16) {
      message, statement, first in
      MessageWriter.bind(
        message.row, text: message.text, preview: message.text, to: statement, from: first)
    }
  }

  mutating func add(_ row: MessageWriter.Row, text: UnsafeRawBufferPointer) throws {
    try add((row: row, text: text))
  }
}

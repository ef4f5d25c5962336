internal import GRDB
internal import MessageModel

/// New messages on their way into their table, several to a statement.
///
/// To begin and to end a statement that writes five trees is a third of what SQLite does for one message. None of the
/// messages may have an id that the store has or had, and their texts must stay in place until ``write()`` returns.
struct NewMessages {
  private let db: Database
  private var waiting: [(row: MessageWriter.Row, text: UnsafeRawBufferPointer)] = []

  /// So many messages go into a statement.
  private static let messageCount = 16
  private static let single = sql(1)
  private static let full = sql(messageCount)

  /// Prepares to write within one transaction, which an error ends.
  init(_ db: Database) { self.db = db }

  private static func sql(_ count: Int) -> String {
    let parameters = repeatElement("?", count: Int(MessageWriter.columnCount)).joined(separator: ", ")
    return "INSERT OR FAIL INTO message VALUES "
      + repeatElement("(\(parameters))", count: count).joined(separator: ", ")
  }

  /// Adds a message whose text has room in its row; it may wait for others.
  mutating func add(_ row: MessageWriter.Row, text: UnsafeRawBufferPointer) throws {
    waiting.append((row, text))
    if waiting.count == Self.messageCount { try run(Self.full, Self.messageCount) }
  }

  /// Writes the messages that wait.
  mutating func write() throws {
    if !waiting.isEmpty { try run(Self.single, 1) }
  }

  /// Writes the messages that wait by a statement that takes so many at a time.
  private mutating func run(_ sql: String, _ count: Int) throws {
    let statement = try RawStatement(db, sql)
    for start in stride(from: 0, to: waiting.count, by: count) {
      for offset in 0..<count {
        let (row, text) = waiting[start + offset]
        _ = MessageWriter.bind(
          row, text: text, preview: text, to: statement, from: Int32(offset) * MessageWriter.columnCount + 1)
      }
      try statement.run()
    }
    waiting.removeAll(keepingCapacity: true)
  }
}

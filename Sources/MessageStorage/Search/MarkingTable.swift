internal import GRDB

/// A search index of one text at a time, in memory: it takes words apart as the indexes of stores do.
final class MarkingTable: Sendable {
  static let shared = Result { try MarkingTable() }

  private let queue: DatabaseQueue

  private init() throws {
    queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: "CREATE VIRTUAL TABLE marking USING fts5(words, tokenize=\"\(SearchSchema.tokenizer)\")")
    }
  }

  /// Returns a text with what a query finds in it between marks; `nil` if it finds nothing.
  func marked(_ text: String, _ query: String, opening: String, closing: String) throws -> String? {
    try queue.writeWithoutTransaction { db in
      var marked: String?
      try db.inTransaction {
        let insert = try RawStatement(db, "INSERT INTO marking(rowid, words) VALUES (1, ?)")
        insert.bind(text, at: 1)
        try insert.run()
        let find = try RawStatement(
          db, "SELECT highlight(marking, 0, ?, ?) FROM marking WHERE marking MATCH ?")
        find.bind(opening, at: 1)
        find.bind(closing, at: 2)
        find.bind(query, at: 3)
        if try find.step() { marked = find.text(0) }
        find.reset()
        return .rollback
      }
      return marked
    }
  }
}

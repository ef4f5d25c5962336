internal import GRDB

/// A search index of a few texts at a time, in memory: it takes words apart as the indexes of stores do.
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

  /// Returns those texts in which a query finds something, by their places among all, with marks around what it finds.
  func marked(_ texts: [String], _ query: String, opening: String, closing: String) throws -> [Int: String] {
    guard !texts.isEmpty else { return [:] }
    return try queue.writeWithoutTransaction { db in
      var marked: [Int: String] = [:]
      try db.inTransaction {
        let insert = try RawStatement(db, "INSERT INTO marking(rowid, words) VALUES (?, ?)")
        for (index, text) in texts.enumerated() {
          insert.bind(index, at: 1)
          insert.bind(text, at: 2)
          try insert.run()
        }
        let find = try RawStatement(
          db, "SELECT rowid, highlight(marking, 0, ?, ?) FROM marking WHERE marking MATCH ?")
        find.bind(opening, at: 1)
        find.bind(closing, at: 2)
        find.bind(query, at: 3)
        while try find.step() { marked[Int(find.int(0))] = find.text(1) }
        find.reset()
        return .rollback
      }
      return marked
    }
  }
}

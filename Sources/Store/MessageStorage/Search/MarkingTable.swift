internal import CSQLiteShim
internal import GRDB

/// An in-memory search index of a few texts, which tokenizes as the indexes of stores do.
final class MarkingTable: Sendable {
  static let shared = Result { try MarkingTable() }

  private let queue: DatabaseQueue

  private init() throws {
    queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      let code = csqlite_add_places(db.sqliteConnection)
      guard code == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
      try db.execute(
        sql: """
          CREATE VIRTUAL TABLE marking USING fts5(words, tokenize="\(SearchSchema.tokenizer)");
          CREATE VIRTUAL TABLE marking_words USING fts5vocab('marking', 'instance');
          """)
    }
  }

  /// Returns the places of a query by the index of their text: ranges of UTF-8 bytes, ascending and disjoint.
  func places(in texts: [String], of query: String) throws -> [Int: [Range<Int>]] {
    guard !texts.isEmpty else { return [:] }
    return try queue.writeWithoutTransaction { db in
      var places: [Int: [Range<Int>]] = [:]
      try db.inTransaction {
        let insert = try RawStatement(db, "INSERT INTO marking(rowid, words) VALUES (?, ?)")
        for (index, text) in texts.enumerated() {
          insert.bind(index, at: 1)
          insert.bind(text, at: 2)
          try insert.run()
        }
        let find = try RawStatement(
          db, "SELECT rowid, places(marking) FROM marking WHERE marking MATCH ?", query)
        while try find.step() { places[Int(find.int(0))] = find.withBytes(1, Self.ranges) }
        find.reset()
        return .rollback
      }
      return places
    }
  }

  func words(of text: String) throws -> [String] {
    try queue.writeWithoutTransaction { db in
      var words: [String] = []
      try db.inTransaction {
        try RawStatement.run(db, "INSERT INTO marking(rowid, words) VALUES (0, ?)", text)
        let list = try RawStatement(db, "SELECT term FROM marking_words")
        while try list.step() { words.append(list.text(0)) }
        list.reset()
        return .rollback
      }
      return words
    }
  }

  private static func ranges(_ bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
    stride(from: 0, to: bytes.count - 7, by: 8).compactMap { offset in
      let start = Int(bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))
      let end = Int(bytes.loadUnaligned(fromByteOffset: offset + 4, as: Int32.self))
      return start < end ? start..<end : nil
    }
  }
}

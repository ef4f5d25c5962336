internal import GRDB
internal import MessageModel

/// Finds the places of a search in the texts of its hits.
struct HitMarker {
  private let db: Database
  private let way: Way

  private enum Way {
    /// FTS5 marks its own matches: nothing else takes words apart just as it does.
    case index(query: String, opening: String, closing: String)
    case pattern(TextPattern)
    case nothing
  }

  init(_ pattern: SearchPattern, in db: Database) throws {
    self.db = db
    switch pattern.predicate {
    case .matching(let text):
      guard let query = try SearchQuery(text).positive?.expression else {
        way = .nothing
        return
      }
      // Marks that nobody can have put into a message.
      let secret = String(UInt64.random(in: .min ... .max), radix: 36)
      way = .index(query: "{words} : (\(query))", opening: "\u{2}\(secret)", closing: "\u{3}\(secret)")
    case .regex(let text): way = .pattern(try TextPattern(text))
    default: way = .nothing
    }
  }

  /// Returns a message with the places where it was found.
  func hit(_ message: Message) throws -> SearchHit {
    let text =
      message.isTextCut ? try MessageStore.text(of: message.id, in: db) ?? message.text : message.text
    let places = try places(in: text, of: message.id)
    let length = message.text.utf8.count
    return SearchHit(
      message: message, matches: places.filter { $0.upperBound <= length },
      snippet: SnippetCutter(text).snippet(around: places))
  }

  private func places(in text: String, of id: Message.ID) throws -> [Range<Int>] {
    switch way {
    case .nothing: return []
    case .pattern(let pattern): return pattern.ranges(in: text)
    case .index(let query, let opening, let closing):
      for table in SearchTable.allCases {
        let statement = try RawStatement(
          db,
          """
          SELECT highlight(\(table.name), 0, ?, ?) FROM \(table.name) WHERE \(table.name) MATCH ? AND rowid = ?
          """)
        statement.bind(opening, at: 1)
        statement.bind(closing, at: 2)
        statement.bind(query, at: 3)
        statement.bind(id.rawValue, at: 4)
        defer { statement.reset() }
        guard try statement.step() else { continue }
        let marked = MarkedText(
          statement.text(0), opening: opening, closing: closing, isSpaced: table == .signs)
        return marked.ranges(in: text)
      }
      return []
    }
  }
}

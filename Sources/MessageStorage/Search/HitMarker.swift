internal import GRDB
internal import MessageModel

/// Finds the places of a search in the texts of its hits.
///
/// Each text is marked by itself: the index of the store would be asked for the whole list of a word's messages to find
/// one of them in it, which took 0.2 ms a hit among ten million messages.
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
      let isSpaced = text.unicodeScalars.contains { UnspacedScripts.contains($0) }
      let beginning = String(
        text.unicodeScalars.prefix(isSpaced ? SearchSchema.signLimit : SearchSchema.characterLimit))
      let marked = try MarkingTable.shared.get().marked(
        isSpaced ? UnspacedScripts.spaced(beginning) : beginning, query, opening: opening, closing: closing)
      guard let marked else { return [] }
      return MarkedText(marked, opening: opening, closing: closing, isSpaced: isSpaced).ranges(in: text)
    }
  }
}

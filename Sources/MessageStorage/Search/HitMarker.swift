internal import GRDB
internal import MessageModel

/// Finds the places of a search in the texts of its hits.
///
/// Texts are marked by an index of their own: that of the store would be asked for the whole list of a word's messages
/// to find one of them in it, which took 0.2 ms a hit among ten million messages.
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

  /// Returns messages with the places where they were found.
  func hits(_ messages: [Message]) throws -> [SearchHit] {
    var hits: [SearchHit] = []
    var run: [(message: Message, text: String)] = []
    var byteCount = 0
    for message in messages {
      let text =
        message.isTextCut
        ? try SynchronousMessageStore.text(of: message.id, in: db) ?? message.text : message.text
      run.append((message, text))
      byteCount += text.utf8.count
      guard byteCount >= Self.runByteCount else { continue }
      hits += try mark(run)
      (run, byteCount) = ([], 0)
    }
    return hits + (try mark(run))
  }

  /// The number of bytes of texts marked at once.
  private static let runByteCount = 1 << 18

  private func mark(_ run: [(message: Message, text: String)]) throws -> [SearchHit] {
    let places = try places(in: run.map(\.text))
    return zip(run, places).map { hit, places in
      let length = hit.message.text.utf8.count
      return SearchHit(
        message: hit.message, matches: places.filter { $0.upperBound <= length },
        snippet: SnippetCutter(hit.text).snippet(around: places))
    }
  }

  private func places(in texts: [String]) throws -> [[Range<Int>]] {
    switch way {
    case .nothing: return texts.map { _ in [] }
    case .pattern(let pattern): return texts.map { pattern.ranges(in: $0) }
    case .index(let query, let opening, let closing):
      let indexed = texts.map { IndexedText($0) }
      let marked = try MarkingTable.shared.get().marked(
        indexed.map(\.words), query, opening: opening, closing: closing)
      return texts.indices.map { index in
        marked[index].map {
          MarkedText($0, opening: opening, closing: closing, isSpaced: indexed[index].isSpaced).ranges(
            in: texts[index])
        } ?? []
      }
    }
  }

  /// A text as the search indexes have it.
  private struct IndexedText {
    let words: String
    /// Whether spaces were put around signs.
    let isSpaced: Bool

    init(_ text: String) {
      isSpaced = text.unicodeScalars.contains { UnspacedScripts.contains($0) }
      let limit = isSpaced ? SearchSchema.signLimit : SearchSchema.characterLimit
      let beginning = text.utf8.count <= limit ? text : String(text.unicodeScalars.prefix(limit))
      words = isSpaced ? UnspacedScripts.spaced(beginning) : beginning
    }
  }
}

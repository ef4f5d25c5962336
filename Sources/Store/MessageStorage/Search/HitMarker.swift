internal import GRDB
internal import MessageModel

/// Finds the matches of a predicate's words and regular expressions in messages.
///
/// It indexes the texts by themselves: the store's index would read a word's whole list of messages for each
/// hit.
struct HitMarker {
  private let db: Database
  /// The words to mark, in FTS5's language: nothing else tokenizes as FTS5 does.
  private let query: String?
  private let patterns: [TextPattern]

  init(_ predicate: MessagePredicate, in db: Database) throws {
    self.db = db
    var wanted = Wanted()
    wanted.take(predicate)
    // Beside other conditions a word with signs is marked by the expression it became.
    let marksExact = if case .matching = predicate { true } else { false }
    let queries = try wanted.words.compactMap {
      try SearchQuery($0).positive(marksExact: marksExact)?.expression
    }
    query = queries.isEmpty ? nil : "{words} : (\(queries.joined(separator: " OR ")))"
    patterns = try wanted.patterns.map { try TextPattern($0) }
  }

  private struct Wanted {
    var words: [String] = []
    var patterns: [String] = []

    mutating func take(_ predicate: MessagePredicate) {
      switch predicate {
      case .matching(let text): words.append(text)
      case .regex(let text): patterns.append(text)
      case .and(let parts), .or(let parts): for part in parts { take(part) }
      case .everything, .sender, .conversation, .kind, .ids, .written, .has, .file, .thread, .not: break
      }
    }
  }

  func hits(_ messages: [Message]) throws -> [SearchHit] {
    try hits(messages) { message in
      message.isTextCut
        ? try SynchronousMessageStore.text(of: message.id, in: db) ?? message.text : message.text
    }
  }

  func hits(_ messages: [Message], text: (Message) throws -> String) throws -> [SearchHit] {
    var hits: [SearchHit] = []
    var run: [(message: Message, text: String)] = []
    var byteCount = 0
    for message in messages {
      let text = try text(message)
      run.append((message, text))
      byteCount += text.utf8.count
      guard byteCount >= Self.runByteCount else { continue }
      hits += try mark(run)
      (run, byteCount) = ([], 0)
    }
    return hits + (try mark(run))
  }

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
    var places = try words(in: texts)
    for pattern in patterns {
      for (index, text) in texts.enumerated() { places[index] += pattern.ranges(in: text) }
    }
    let isMixed = patterns.count + (query == nil ? 0 : 1) > 1
    return isMixed ? places.map(Self.joined) : places
  }

  private func words(in texts: [String]) throws -> [[Range<Int>]] {
    guard let query else { return texts.map { _ in [] } }
    let indexed = texts.map { IndexedText($0) }
    let found = try MarkingTable.shared.get().places(in: indexed.map(\.words), of: query)
    return texts.indices.map { index in
      let places = found[index] ?? []
      return indexed[index].isSpaced ? SpacedPlaces.places(places, in: texts[index]) : places
    }
  }

  private static func joined(_ places: [Range<Int>]) -> [Range<Int>] {
    places.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, place in
      if let last = joined.last, place.lowerBound < last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, place.upperBound)
      } else {
        joined.append(place)
      }
    }
  }
}

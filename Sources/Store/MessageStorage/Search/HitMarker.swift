internal import CSQLiteShim
internal import GRDB
internal import MessageModel

/// Finds the matches of a predicate's words and regular expressions in messages. It indexes the texts by
/// themselves: the store's index would read a word's whole list of messages for each hit.
struct HitMarker {
  /// The words to mark, in FTS5's language: nothing else tokenizes as FTS5 does.
  private let query: String?
  private let patterns: [TextPattern]

  init(_ predicate: MessagePredicate) throws {
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
      case .everything, .sender, .conversation, .kind, .ids, .written, .has, .file, .forwarded, .thread, .not:
        break
      }
    }
  }

  func hits(_ messages: [Message], in db: Database) throws -> [SearchHit] {
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
    var places: [Int: [Range<Int>]] = [:]
    try find(query, in: texts, "rowid, places(marking)") { row in
      places[Int(row.int(0))] = row.withBytes(1, Self.ranges)
    }
    return places
  }

  /// Returns the indices of the texts that a query finds, in ascending order.
  func indices(of texts: [String], matching query: String) throws -> [Int] {
    var indices: [Int] = []
    try find(query, in: texts, "rowid") { indices.append(Int($0.int(0))) }
    return indices.sorted()
  }

  private func find(
    _ query: String, in texts: [String], _ columns: String, _ body: (RawStatement) -> Void
  ) throws {
    guard !texts.isEmpty else { return }
    try queue.writeWithoutTransaction { db in
      try db.inTransaction {
        let insert = try RawStatement(db, "INSERT INTO marking(rowid, words) VALUES (?, ?)")
        for (index, text) in texts.enumerated() {
          insert.bind(index, at: 1)
          insert.bind(text, at: 2)
          try insert.run()
        }
        try RawStatement(db, "SELECT \(columns) FROM marking WHERE marking MATCH ?", query).each(body)
        return .rollback
      }
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

struct SnippetCutter {
  private let bytes: [UInt8]

  /// Bytes before the first match, and in all.
  private static let lead = 60
  private static let length = 240

  init(_ text: String) { bytes = Array(text.utf8) }

  func snippet(around places: [Range<Int>]) -> SearchHit.Snippet {
    let first = places.first?.lowerBound ?? 0
    var start = first > Self.lead && bytes.count > Self.length ? first - Self.lead : 0
    if start > 0 { start = wordStart(from: start, to: first) }
    let end = characterStart(atOrBefore: min(start + Self.length, bytes.count))
    let head = start > 0 ? Array("…".utf8) : []
    var cut = head + bytes[start..<end].map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
    if end < bytes.count { cut += Array("…".utf8) }
    let matches = places.filter { $0.lowerBound >= start && $0.upperBound <= end }
      .map { $0.lowerBound - start + head.count..<$0.upperBound - start + head.count }
    return SearchHit.Snippet(text: String(decoding: cut, as: UTF8.self), matches: matches)
  }

  private func wordStart(from place: Int, to limit: Int) -> Int {
    for index in place..<limit where bytes[index] == 0x20 { return index + 1 }
    return characterStart(atOrBefore: place)
  }

  private func characterStart(atOrBefore place: Int) -> Int {
    var place = place
    while place > 0, place < bytes.count, bytes[place] & 0xC0 == 0x80 { place -= 1 }
    return place
  }
}

/// Maps places in a text with spaces around signs to the original text. Places beyond the indexed beginning
/// of a very long text are left out.
enum SpacedPlaces {
  static func places(_ places: [Range<Int>], in original: String) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var (index, start) = (0, 0)
    var (spaced, offset) = (0, 0)
    for scalar in original.unicodeScalars {
      guard index < places.count else { break }
      let width = UTF8.width(scalar)
      let isAlone = UnspacedScripts.contains(scalar)
      if isAlone { spaced += 1 }
      if places[index].lowerBound == spaced { start = offset }
      spaced += width
      offset += width
      if places[index].upperBound == spaced {
        found.append(start..<offset)
        index += 1
      }
      if isAlone { spaced += 1 }
    }
    return found
  }
}

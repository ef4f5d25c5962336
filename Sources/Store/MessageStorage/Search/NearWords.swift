internal import Foundation
internal import GRDB
package import MessageModel

/// Suggests words of the search index in place of one that finds nothing. It walks through words with the
/// same beginning, from the longest beginning on, and looks up words that differ by a letter. Both are
/// bounded by steps, whatever the size of the store.
struct NearWords {
  private let db: Database
  private let wanted: [Character]

  private static let walkLimit = 2_048
  /// Longer words have too many neighbours; shorter ones are near to everything.
  private static let lengths = 3...24
  private static let leastBeginning = 3
  /// The fewest letters that forms of a word share, and the most letters of an ending.
  private static let leastStem = 4
  private static let maxEnding = 4
  private static let answerLimit = 8

  /// `nil` unless it is a single word in a script with spaces.
  init?(_ word: String, in db: Database) {
    let folded = word.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil)
    guard Self.lengths.contains(folded.count), folded.unicodeScalars.allSatisfy(\.isOfWords),
      !folded.unicodeScalars.contains(where: UnspacedScripts.contains)
    else { return nil }
    self.db = db
    wanted = Array(folded)
  }

  func hasLonger() throws -> Bool {
    try finds(looking(), String(wanted), isPrefix: true)
  }

  func words() throws -> [String] {
    var found = try neighbours().reduce(into: [String: Int]()) { $0[$1] = 0 }
    for (word, count) in try alike() { found[word] = count }
    found[String(wanted)] = nil
    let near = found.map { (word: $0.key, distance: distance(to: $0.key), count: $0.value) }
      .filter { $0.distance <= max(1, wanted.count / 3) || isForm($0.word) }
      .sorted { ($0.distance, -$0.count, $0.word) < ($1.distance, -$1.count, $1.word) }
    return near.prefix(Self.answerLimit).map(\.word)
  }

  /// Words that this one begins are near, however long; words with another ending nearly so.
  private func distance(to word: String) -> Int {
    if word.hasPrefix(String(wanted)) { return 1 }
    let distance = WordDistance.between(wanted, Array(word))
    return hasOtherEnding(word) ? min(distance, 2) : distance
  }

  /// Whether it may be a form with another ending (battery, batteries) or without (running, run).
  private func isForm(_ word: String) -> Bool {
    let isBegun = word.count >= Self.leastBeginning && String(wanted).hasPrefix(word)
    return isBegun && wanted.count - word.count <= Self.maxEnding || hasOtherEnding(word)
  }

  private func hasOtherEnding(_ word: String) -> Bool {
    let letters = Array(word)
    let stem = zip(letters, wanted).prefix { $0 == $1 }.count
    return stem >= max(Self.leastStem, wanted.count - 2) && letters.count - stem <= Self.maxEnding
  }

  private func neighbours() throws -> [String] {
    let looking = try looking()
    return try oneLetterAway().map { String($0) }.filter { try finds(looking, $0) }
  }

  private func oneLetterAway() -> Set<[Character]> {
    let letters = Set("abcdefghijklmnopqrstuvwxyz").union(wanted)
    var all: Set<[Character]> = []
    for place in 0...wanted.count {
      for letter in letters { all.insert(Array(wanted[..<place]) + [letter] + wanted[place...]) }
      guard place < wanted.count else { break }
      all.insert(Array(wanted[..<place]) + wanted[(place + 1)...])
      for letter in letters { all.insert(Array(wanted[..<place]) + [letter] + wanted[(place + 1)...]) }
      guard place + 1 < wanted.count else { continue }
      var swapped = wanted
      swapped.swapAt(place, place + 1)
      all.insert(swapped)
    }
    all.remove([])
    return all
  }

  private func looking() throws -> RawStatement {
    try RawStatement(db, "SELECT 1 FROM search WHERE search MATCH ?1 LIMIT 1")
  }

  private func finds(_ statement: RawStatement, _ word: String, isPrefix: Bool = false) throws -> Bool {
    guard let query = QueryExpression.phrase(word, isPrefix: isPrefix).expression else { return false }
    statement.bind("{words} : (\(query))", at: 1)
    defer { statement.reset() }
    return try statement.step()
  }

  private func alike() throws -> [(word: String, count: Int)] {
    try db.execute(
      sql: """
        DROP TABLE IF EXISTS temp.near_words;
        CREATE VIRTUAL TABLE temp.near_words USING fts5vocab('main', 'search', 'col');
        """)
    defer { try? db.execute(sql: "DROP TABLE IF EXISTS temp.near_words") }
    var found: [(String, Int)] = []
    var rest = Self.walkLimit
    var length = wanted.count
    while rest > 0, length >= min(Self.leastBeginning, wanted.count) {
      found += try beginning(String(wanted[..<length]), &rest)
      length -= 1
    }
    return found
  }

  private func beginning(_ beginning: String, _ rest: inout Int) throws -> [(String, Int)] {
    let statement = try RawStatement(
      db, "SELECT term, doc, col FROM temp.near_words WHERE term >= ?1 AND term < ?2 LIMIT ?3", beginning,
      beginning + "\u{10FFFF}", rest)
    var found: [(String, Int)] = []
    try statement.each { row in
      rest -= 1
      if row.text(2) == "words" { found.append((row.text(0), row.count(1))) }
    }
    return found
  }
}

extension SynchronousMessageStore {
  /// Suggests words for one that finds nothing in a selection, the nearest first, each of which finds
  /// something there. If longer words begin with it, the last suggestion is the word with a star.
  ///
  /// - Complexity: Bounded: some 1,500 look-ups, 2,048 words and a page of 204,800 messages for each of eight
  ///   words.
  package func words(near word: String, in selection: Selection) throws(StoreError) -> [String] {
    let (words, hasLonger) = try reading("cannot look for words in '\(path)'") { db in
      guard let near = NearWords(word, in: db) else { return ([String](), false) }
      return (try near.words(), try near.hasLonger())
    }
    var answers: [String] = []
    for candidate in words + (hasLonger ? [word + "*"] : []) {
      if try finds(.matching(candidate), in: selection) { answers.append(candidate) }
    }
    return answers
  }

  /// Whether a search finds anything within the limit of one read.
  package func finds(_ predicate: MessagePredicate, in selection: Selection) throws(StoreError) -> Bool {
    try !hits(predicate, in: selection, limit: 1, isCancelled: { false }).hits.isEmpty
  }
}

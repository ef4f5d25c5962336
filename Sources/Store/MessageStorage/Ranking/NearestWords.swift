internal import GRDB
internal import MessageModel
internal import WordForms

/// Finds the words of the search indexes that are nearest to a misspelt one: one change of a letter away, or from
/// seven letters on two. It skips whole beginnings that are too far away, and takes a bounded number of steps.
struct NearestWords {
  private let wanted: [Unicode.Scalar]
  private let db: Database

  private static let leastLength = 4
  private static let leastForTwo = 7
  private static let greatestLength = 24
  private static let stepLimit = 4_096
  private static let answerLimit = 4

  init(to word: String, in db: Database) { (wanted, self.db) = (Array(word.unicodeScalars), db) }

  /// The most frequent first.
  func words() throws -> [String] {
    guard Self.leastLength...Self.greatestLength ~= wanted.count, wanted.allSatisfy(\.properties.isAlphabetic)
    else { return [] }
    for most in 1...(wanted.count >= Self.leastForTwo ? 2 : 1) {
      let near = try words(within: most)
      if !near.isEmpty { return try mostFrequent(of: near) }
    }
    return []
  }

  private func words(within most: Int) throws -> [String] {
    try WordBeginnings.makeList(of: .words, in: db)
    let next = try RawStatement(
      db, "SELECT term FROM temp.words_of_\(SearchTable.words.name) WHERE term >= ?1 LIMIT 1")
    var (near, from): ([String], String?) = ([], "")
    for _ in 0..<Self.stepLimit {
      guard let beginning = from else { break }
      next.bind(beginning, at: 1)
      defer { next.reset() }
      guard try next.step() else { break }
      let word = next.text(0)
      let letters = Array(word.unicodeScalars)
      let look = look(at: letters, most)
      if look.isNear { near.append(word) }
      // No word contains this sign.
      from =
        look.beginning < letters.count
        ? Self.successor(of: letters.prefix(look.beginning)) : word + "\u{1}"
    }
    return near
  }

  /// Returns whether a word is near, and the length of its shortest beginning with which none is; its own if there is
  /// none.
  private func look(at letters: [Unicode.Scalar], _ most: Int) -> (isNear: Bool, beginning: Int) {
    var (before, row) = ([Int](), Array(0...wanted.count))
    for (place, letter) in letters.enumerated() {
      var next = [place + 1]
      for (column, other) in wanted.enumerated() {
        var best = min(row[column] + (letter == other ? 0 : 1), row[column + 1] + 1, next[column] + 1)
        if place > 0, column > 0, letter == wanted[column - 1], letters[place - 1] == other {
          best = min(best, before[column - 1] + 1)
        }
        next.append(best)
      }
      (before, row) = (row, next)
      // Two letters may be swapped with the next one.
      if (row.min() ?? 0) > most, (before.min() ?? 0) >= most {
        return (false, place + 1)
      }
    }
    return (row[wanted.count] <= most, letters.count)
  }

  /// The first text behind all that begin so; `nil` if there is none.
  private static func successor(of letters: ArraySlice<Unicode.Scalar>) -> String? {
    guard let last = letters.last else { return nil }
    var beginning = String.UnicodeScalarView(letters.dropLast())
    guard let next = Unicode.Scalar(last.value == 0xD7FF ? 0xE000 : last.value + 1) else { return nil }
    beginning.append(next)
    return String(beginning)
  }

  private func mostFrequent(of words: [String]) throws -> [String] {
    try db.execute(
      sql: """
        CREATE VIRTUAL TABLE IF NOT EXISTS temp.counts_of_words
          USING fts5vocab('main', '\(SearchTable.words.name)', 'row')
        """)
    let count = try RawStatement(db, "SELECT doc FROM temp.counts_of_words WHERE term = ?1")
    let counted = try words.prefix(Self.countLimit).map { word in
      count.bind(word, at: 1)
      defer { count.reset() }
      return (word: word, count: try count.step() ? count.int(0) : 0)
    }
    return counted.sorted { ($0.count, $1.word) > ($1.count, $0.word) }.prefix(Self.answerLimit).map(\.word)
  }

  private static let countLimit = 32
}

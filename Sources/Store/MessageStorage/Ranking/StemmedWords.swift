internal import Foundation
internal import GRDB
internal import Synchronization
internal import WordForms

/// A cache of words in the search indexes that share a stem, valid for one state of the store. There is no
/// index of stems: forms of a word share a beginning, so they are found by walking the words that begin so.
final class StemmedWords: Sendable {
  private struct Key: Hashable {
    var word: String
    var language: WordLanguage
  }

  private struct Known {
    var version: Int64?
    var forms: [Key: [String]] = [:]
    var spellings: [Key: [String]] = [:]
  }

  private let known = Mutex(Known())

  private static let walkLimit = 512
  private static let formLimit = 48
  static let leastBeginning = 3
  private static let keptLimit = 256

  func forms(of word: String, _ language: WordLanguage, in db: Database) throws -> [String] {
    let key = Key(word: word, language: language)
    let version = try RawStatement.number(
      db, "SELECT inserted + deleted + changed FROM tally WHERE scope = 0")
    let kept = known.withLock { known in
      if known.version != version { known = Known(version: version) }
      return known.forms[key]
    }
    if let kept { return kept }
    let found = try look(for: word, language, in: db)
    known.withLock { known in
      guard known.version == version else { return }
      if known.forms.count >= Self.keptLimit { known.forms.removeAll() }
      known.forms[key] = found
    }
    return found
  }

  /// Returns words of the store in place of one that it has in no form, with their other forms; none if it has one.
  func spellings(
    of word: String, _ forms: [String], _ language: WordLanguage, in db: Database
  ) throws -> [String] {
    guard try !Self.has(anyOf: forms, in: db) else { return [] }
    let key = Key(word: word, language: language)
    if let kept = known.withLock({ $0.spellings[key] }) { return kept }
    let common = CommonWords.of(language)
    let near = try NearestWords(to: word, in: db).words().filter { !common.contains($0) }
    var found = near
    for other in try near.flatMap({ try self.forms(of: $0, language, in: db) }) where !found.contains(other) {
      found.append(other)
    }
    // The forms were looked for in the same state of the store.
    known.withLock { known in
      if known.spellings.count >= Self.keptLimit { known.spellings.removeAll() }
      known.spellings[key] = found
    }
    return found
  }

  private static func has(anyOf words: [String], in db: Database) throws -> Bool {
    for table in SearchTable.allCases {
      try WordBeginnings.makeList(of: table, in: db)
      let statement = try RawStatement(
        db, "SELECT 1 FROM temp.words_of_\(table.name) WHERE term = ?1 LIMIT 1")
      for word in words {
        statement.bind(word, at: 1)
        defer { statement.reset() }
        if try statement.step() { return true }
      }
    }
    return false
  }

  private func look(for word: String, _ language: WordLanguage, in db: Database) throws -> [String] {
    let stemmer = Stemmer(language)
    var forms: Set<String> = [word]
    for form in Set([word] + stemmer.irregularForms(of: word)).sorted() {
      let stem = stemmer.stem(form)
      forms.insert(form)
      guard let beginning = Self.beginning(of: form, stem) else { continue }
      for table in SearchTable.allCases {
        let words = try WordBeginnings.words(
          of: table, beginningWith: beginning, limit: Self.walkLimit, in: db)
        forms.formUnion(words.filter { stemmer.stem($0) == stem }.prefix(Self.formLimit))
      }
    }
    let others = forms.subtracting([word]).sorted().prefix(Self.formLimit - 1)
    return ([word] + others).sorted()
  }

  /// `nil` if it is too short, or the word has digits.
  private static func beginning(of word: String, _ stem: String) -> String? {
    guard !word.contains(where: \.isNumber) else { return nil }
    let shared = String(zip(word, stem).prefix { $0 == $1 }.map(\.0))
    // Stems write an i for the y that some forms end in.
    let beginning = shared.hasSuffix("i") && shared == stem ? String(shared.dropLast()) : shared
    return beginning.count >= leastBeginning ? beginning : nil
  }
}

/// A cache of letters without case and accents, as in the search index. Not thread-safe.
final class FoldedLetters {
  struct Letter {
    let isOfWords: Bool
    /// Whether it modifies the letter before it: words with such marks are folded as a whole.
    let isMark: Bool
    let folded: [UInt8]
  }

  private var known: [UInt32: Letter] = [:]

  private static let keptLimit = 8_192

  subscript(scalar: Unicode.Scalar) -> Letter {
    if let letter = known[scalar.value] { return letter }
    let letter = Self.letter(scalar)
    if known.count < Self.keptLimit { known[scalar.value] = letter }
    return letter
  }

  private static func letter(_ scalar: Unicode.Scalar) -> Letter {
    let isOfWords = scalar.isOfWords
    return Letter(
      isOfWords: isOfWords, isMark: isMark(scalar),
      folded: isOfWords ? Array(folded(String(scalar)).utf8) : [])
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    case _: false
    }
  }

  static func folded(_ word: String) -> String {
    word.utf8.allSatisfy { $0 < 0x80 }
      ? word.lowercased() : word.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil)
  }
}

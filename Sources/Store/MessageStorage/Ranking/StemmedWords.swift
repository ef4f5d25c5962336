internal import GRDB
internal import Synchronization
internal import WordForms

/// The words of the search indexes that share a stem, as far as they were looked for.
///
/// No index of stems is kept: forms of a word begin alike, so a walk through the words with that beginning finds them. What
/// was found is kept as long as the store stays as it is.
final class StemmedWords: Sendable {
  private struct Key: Hashable {
    var word: String
    var language: WordLanguage
  }

  private struct Known {
    var version: Int64?
    var forms: [Key: [String]] = [:]
  }

  private let known = Mutex(Known())

  /// The most words that are walked through for one.
  private static let walkLimit = 512
  /// The most forms of a word.
  private static let formLimit = 48
  /// The fewest letters that forms begin alike with.
  static let leastBeginning = 3
  /// The most words whose forms are kept.
  private static let keptLimit = 256

  /// Returns the words of the store that share the stem of a word, itself included, in order.
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

  /// Returns the beginning that all forms of a word share; `nil` if that is too short, or if the word has digits.
  private static func beginning(of word: String, _ stem: String) -> String? {
    guard !word.contains(where: \.isNumber) else { return nil }
    let shared = String(zip(word, stem).prefix { $0 == $1 }.map(\.0))
    // Stems write an i for the y that some forms end in.
    let beginning = shared.hasSuffix("i") && shared == stem ? String(shared.dropLast()) : shared
    return beginning.count >= leastBeginning ? beginning : nil
  }
}

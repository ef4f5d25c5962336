/// A language whose forms of words are known.
public enum WordLanguage: String, CaseIterable, Codable, Hashable, Sendable {
  /// English.
  case english
  /// German.
  case german
  /// French.
  case french
  /// Spanish.
  case spanish
  /// Italian.
  case italian
  /// Portuguese.
  case portuguese
  /// Dutch.
  case dutch
  /// Swedish.
  case swedish
  /// Russian.
  case russian

  /// The languages whose stems this build knows: all of them with Snowball's library, English without it.
  public static var known: [WordLanguage] { Stemmer.languages }

  /// The language of some words, by how many of them are among the commonest of it; English if none is.
  ///
  /// - Parameter words: Words in small letters without accents, as a search index has them.
  package static func told(by words: [String]) -> WordLanguage { toldByCommonWords(among: words) ?? .english }

  /// The language of some words; `nil` if none of them is among the commonest of any.
  package static func toldByCommonWords(among words: [String]) -> WordLanguage? {
    var best = (language: WordLanguage.english, count: 0)
    for language in allCases {
      let common = CommonWords.of(language)
      let count = words.count { common.contains($0) }
      if count > best.count { best = (language, count) }
    }
    return best.count > 0 ? best.language : nil
  }
}

/// A language whose word forms are known.
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

  /// The languages that this build can stem: all with Snowball's library, otherwise English.
  public static var known: [WordLanguage] { Stemmer.languages }

  /// The language of some words, by their most common words; English if none is common.
  ///
  /// - Parameter words: Lowercase words without accents, as in a search index.
  package static func told(by words: [String]) -> WordLanguage { toldByCommonWords(among: words) ?? .english }

  /// `nil` if none of the words is common in any language.
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

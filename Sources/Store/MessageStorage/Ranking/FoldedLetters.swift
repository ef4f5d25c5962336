internal import Foundation

/// Letters without case and accents, as the search index has them; each is looked up once.
///
/// For one search at a time.
final class FoldedLetters {
  /// The facts of a scalar.
  struct Letter {
    /// Whether words are made of it.
    let isOfWords: Bool
    /// Whether it belongs to the letter before it: a word with such a mark is folded as a whole.
    let isMark: Bool
    /// Its bytes without case and accents.
    let folded: [UInt8]
  }

  private var known: [UInt32: Letter] = [:]

  /// The most scalars that are kept.
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

  /// Returns a word without case and accents.
  static func folded(_ word: String) -> String {
    word.utf8.allSatisfy { $0 < 0x80 }
      ? word.lowercased() : word.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil)
  }
}

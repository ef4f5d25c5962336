internal import Foundation

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

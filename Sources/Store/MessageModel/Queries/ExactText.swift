/// Words with significant signs: `c++`, `#channel`, `.NET`, `alice@example.org`.
///
/// A search index has only the words, so the texts with these words are read. For signs alone (`💡`, `?!`) all
/// texts are read.
package enum ExactText {
  /// Whether a word or phrase has a significant sign.
  package static func isWanted(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    return scalars.contains { signs.contains($0) || $0.isSymbol } || leadsWithPoint(text)
      || text.split(whereSeparator: \.isWhitespace).contains {
        !$0.unicodeScalars.contains(where: \.isOfWords)
      }
  }

  private static let signs: Set<Unicode.Scalar> = Set("#@+_/\\$%&=<>~^|".unicodeScalars)

  private static func leadsWithPoint(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    guard scalars.first == ".", let next = scalars.dropFirst().first else { return false }
    return next.isOfWords
  }

  /// Returns a regular expression for the literal text, ignoring case. Letters and digits at its ends must
  /// not continue beyond it.
  ///
  /// - Parameter isPrefix: Whether words may continue after it.
  package static func pattern(finding text: String, isPrefix: Bool) -> String {
    let words = text.split(whereSeparator: \.isWhitespace).map(literal)
    let scalars = text.unicodeScalars.filter { $0 != selector }
    let before = scalars.first?.isOfWords == true ? "(?<![\\p{L}\\p{N}])" : ""
    let after = isPrefix ? "[\\p{L}\\p{N}]*" : scalars.last?.isOfWords == true ? "(?![\\p{L}\\p{N}])" : ""
    return "(?i)\(before)\(words.joined(separator: "\\s+"))\(after)"
  }

  private static func literal(_ word: Substring) -> String {
    var (pattern, run) = ("", String.UnicodeScalarView())
    func end() {
      if !run.isEmpty { pattern += quoted(String(run)) }
      run = String.UnicodeScalarView()
    }
    for scalar in word.unicodeScalars {
      if scalar != selector { run.append(scalar) }
      if scalar == selector || scalar.properties.generalCategory == .otherSymbol {
        end()
        // An emoji may be written with or without a variation selector.
        if !pattern.hasSuffix(anySelector) { pattern += anySelector }
      }
    }
    end()
    return pattern
  }

  /// The variation selector of an emoji; an index takes it for a part of a word.
  private static let selector: Unicode.Scalar = "\u{FE0F}"
  private static let anySelector = "\\x{FE0F}?"

  /// Whether the tokenizer finds the same words in all texts that contain this text.
  package static func hasSteadyWords(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    return scalars.contains(where: \.isOfWords) && !scalars.contains(selector)
  }

  /// Returns a case-sensitive regular expression for the literal text.
  static func quoted(_ text: String) -> String {
    text.split(separator: "\\E", omittingEmptySubsequences: false).map { "\\Q\($0)\\E" }
      .joined(separator: "\\\\E")
  }
}

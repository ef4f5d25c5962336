/// A word whose signs are a part of it: `c++`, `#channel`, `.NET`, `alice@example.org`.
///
/// A search index has but the words; where one of these is looked for, the texts that have the words are looked at. Of
/// signs alone (`💡`, `?!`) it has nothing, and all texts are looked at.
package enum ExactText {
  /// Whether a word or phrase has a sign that tells it from others of the same letters.
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

  /// Returns the regular expression that finds the text as it stands, in upper and lower case alike; letters and digits
  /// at its ends do not go on beyond it.
  ///
  /// - Parameter isPrefix: Whether words may go on behind it.
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
        // One emoji is written with a selector of its form and without.
        if !pattern.hasSuffix(anySelector) { pattern += anySelector }
      }
    }
    end()
    return pattern
  }

  /// Chooses the form of an emoji; an index takes it for a part of a word.
  private static let selector: Unicode.Scalar = "\u{FE0F}"
  private static let anySelector = "\\x{FE0F}?"

  /// Whether the words of a text are those of all texts that it is found in.
  package static func hasSteadyWords(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    return scalars.contains(where: \.isOfWords) && !scalars.contains(selector)
  }

  /// Returns the regular expression that finds the text as it stands, in this case.
  static func quoted(_ text: String) -> String {
    text.split(separator: "\\E", omittingEmptySubsequences: false).map { "\\Q\($0)\\E" }
      .joined(separator: "\\\\E")
  }
}

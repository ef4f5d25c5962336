/// A word whose signs are a part of it: `c++`, `#channel`, `.NET`, `alice@example.org`.
///
/// A search index has but the words; where one of these is looked for, the texts that have the words are looked at.
package enum ExactText {
  /// Whether a word or phrase has a sign that tells it from others of the same letters.
  package static func isWanted(_ text: String) -> Bool {
    text.unicodeScalars.contains { signs.contains($0) } || leadsWithPoint(text)
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
    let scalars = text.unicodeScalars
    let before = scalars.first?.isOfWords == true ? "(?<![\\p{L}\\p{N}])" : ""
    let after = isPrefix ? "[\\p{L}\\p{N}]*" : scalars.last?.isOfWords == true ? "(?![\\p{L}\\p{N}])" : ""
    return "(?i)\(before)\(words.joined(separator: "\\s+"))\(after)"
  }

  private static func literal(_ word: Substring) -> String {
    word.split(separator: "\\E", omittingEmptySubsequences: false).map { "\\Q\($0)\\E" }
      .joined(separator: "\\\\E")
  }
}

import Foundation

/// A query made at random, with its meaning in plain words.
struct RandomQuery {
  let text: String
  private let alternatives: [[Term]]

  private struct Term {
    var tokens: [String]
    var isPrefix: Bool
    var isUnwanted: Bool
  }

  init(_ dice: inout Dice, words: [String]) {
    var alternatives: [[Term]] = []
    var texts: [String] = []
    for _ in 0...Int.random(in: 0...1, using: &dice) {
      var terms: [Term] = []
      var parts: [String] = []
      for index in 0...Int.random(in: 0...2, using: &dice) {
        let (term, part) = Self.term(&dice, words, mayBeUnwanted: index > 0)
        terms.append(term)
        parts.append(part)
      }
      alternatives.append(terms)
      texts.append(parts.joined(separator: " "))
    }
    self.alternatives = alternatives
    text = texts.joined(separator: " OR ")
  }

  private static func term(
    _ dice: inout Dice, _ words: [String], mayBeUnwanted: Bool
  ) -> (Term, String) {
    let known = words.filter { !tokens(of: $0).isEmpty }
    var text = known.randomElement(using: &dice) ?? "x"
    let isPhrase = Int.random(in: 0...3, using: &dice) == 0
    if isPhrase { text += " " + (known.randomElement(using: &dice) ?? "x") }
    let isPrefix = !isPhrase && Int.random(in: 0...3, using: &dice) == 0
    let isUnwanted = mayBeUnwanted && Int.random(in: 0...2, using: &dice) == 0
    let term = Term(tokens: tokens(of: text), isPrefix: isPrefix, isUnwanted: isUnwanted)
    let typed = (isPhrase ? "\"\(text)\"" : text) + (isPrefix ? "*" : "")
    return (term, isUnwanted ? "-\(typed)" : typed)
  }

  /// Whether a text is what the query looks for.
  func holds(for text: String) -> Bool {
    let tokens = Self.tokens(of: text)
    return alternatives.contains { terms in
      terms.allSatisfy { Self.contains(tokens, $0) != $0.isUnwanted }
    }
  }

  private static func contains(_ tokens: [String], _ term: Term) -> Bool {
    let count = term.tokens.count
    guard count <= tokens.count else { return false }
    return (0...(tokens.count - count)).contains { start in
      zip(tokens[start...], term.tokens).enumerated().allSatisfy { index, pair in
        term.isPrefix && index == count - 1 ? pair.0.hasPrefix(pair.1) : pair.0 == pair.1
      }
    }
  }

  /// The words of a text, case and accents folded, characters of scripts without spaces by themselves.
  static func tokens(of text: String) -> [String] {
    let folded = text.folding(options: .diacriticInsensitive, locale: nil).lowercased()
    var tokens: [String] = []
    var word = ""
    for scalar in folded.unicodeScalars {
      let isAlone =
        scalar.value >= 0x0E00 && (scalar.value < 0x0F00 || (0x2E80...0xD7FF).contains(scalar.value))
      let isPart = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      if isAlone || !isPart {
        if !word.isEmpty { tokens.append(word) }
        word = ""
        if isAlone { tokens.append(String(Character(scalar))) }
      } else {
        word.unicodeScalars.append(scalar)
      }
    }
    return word.isEmpty ? tokens : tokens + [word]
  }
}

internal import CEmbeddedFiles

/// The forms of keys and tokens, as secret-rules.txt lists them.
struct SecretRules: Sendable {
  struct Rule: Sendable {
    let kind: String
    let shape: SecretShape
    /// The least number of bits a character.
    let entropy: Double
    /// The words of the name that a value is given to; none of what is known by its own letters.
    let words: [String]
  }

  let rules: [Rule]

  /// The file.
  static var text: String { String(cString: embedded_secret_rules_txt()) }

  /// Those of the file.
  static let all = SecretRules(text)

  /// Reads lines; what is no rule is left out.
  init(_ text: String) {
    rules = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap(Self.rule)
  }

  static func rule(_ line: Substring) -> Rule? {
    let words = line.split(separator: " ")
    switch (words.first, words.count) {
    case ("token", 4):
      guard let shape = SecretShape(words[2]), let entropy = Double(words[3]), shape.keyword.count >= 2 else {
        return nil
      }
      return Rule(kind: String(words[1]), shape: shape, entropy: entropy, words: [])
    case ("assigned", 5):
      guard let shape = SecretShape(words[3]), let entropy = Double(words[4]) else { return nil }
      return Rule(
        kind: String(words[1]), shape: shape, entropy: entropy,
        words: words[2].split(separator: ",").map(String.init))
    default: return nil
    }
  }
}

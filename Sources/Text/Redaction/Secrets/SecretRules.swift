internal import CEmbeddedFiles

/// The forms of keys and tokens in secret-rules.txt.
struct SecretRules: Sendable {
  struct Rule: Sendable {
    let kind: String
    let shape: SecretShape
    let entropy: Double
    /// Words of the name before the value; empty for values with their own form.
    let words: [String]
  }

  let rules: [Rule]

  static var text: String { String(cString: embedded_secret_rules_txt()) }

  static let all = SecretRules(text)

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

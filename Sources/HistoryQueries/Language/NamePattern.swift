/// A name with wildcards: `*` for any letters, `?` for one. Case does not matter.
struct NamePattern {
  let text: String
  private let parts: [Character]

  /// Reads a pattern; `nil` if there is no wildcard in it.
  init?(_ text: String) {
    guard text.contains(where: { "*?".contains($0) }) else { return nil }
    self.text = text
    parts = Array(text.lowercased())
  }

  /// Reads a pattern; of a text without wildcards the pattern of all names that have it in them.
  init(finding text: String) {
    if let pattern = NamePattern(text) {
      self = pattern
    } else {
      (self.text, parts) = (text, Array("*\(text.lowercased())*"))
    }
  }

  /// Whether a name is called so.
  ///
  /// - Complexity: O(letters of both, multiplied): it goes back to the last star only.
  func matches(_ name: String) -> Bool {
    let letters = Array(name.lowercased())
    var (letter, part) = (0, 0)
    var star: (part: Int, letter: Int)?
    while letter < letters.count {
      if part < parts.count, parts[part] == "*" {
        star = (part, letter)
        part += 1
      } else if part < parts.count, parts[part] == "?" || parts[part] == letters[letter] {
        part += 1
        letter += 1
      } else if let last = star {
        star = (last.part, last.letter + 1)
        (part, letter) = (last.part + 1, last.letter + 1)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == "*" }
  }
}

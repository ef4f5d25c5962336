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

  /// Returns the regular expression that finds the names of files that somebody means: all of a name with wildcards, else
  /// the words, in any order.
  static func expression(findingFile text: String) -> String {
    if let pattern = NamePattern(text) {
      let parts = pattern.text.map { letter -> String in
        switch letter {
        case "*": ".*"
        case "?": "."
        default: escaped(String(letter))
        }
      }
      return "(?is)^\(parts.joined())$"
    }
    let words = text.split { !$0.isLetter && !$0.isNumber }
    // A text of signs alone is looked for as it stands.
    guard !words.isEmpty else { return "(?i)\(escaped(text))" }
    let wanted = words.map { "(?=.*(?<![\\p{L}\\p{N}])\(escaped(String($0)))(?![\\p{L}\\p{N}]))" }
    return "(?is)^\(wanted.joined())"
  }

  /// The regular expression that finds the names of pictures, by how they end.
  static let ofPictures = "(?i)\\.(\(pictureEndings.joined(separator: "|")))$"
  /// The endings of names of pictures.
  static let pictureEndings = [
    "jpg", "jpeg", "png", "gif", "webp", "heic", "heif", "avif", "bmp", "tif", "tiff", "svg",
  ]

  /// Returns a text with signs that mean something in a regular expression as they stand.
  static func escaped(_ text: String) -> String {
    let signs = "\\.+*?()[]{}|^$#-/".unicodeScalars
    return text.unicodeScalars.map { signs.contains($0) ? "\\\($0)" : "\($0)" }.joined()
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

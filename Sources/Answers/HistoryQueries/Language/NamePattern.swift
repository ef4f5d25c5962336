/// A case-insensitive name pattern with wildcards: `*` for any characters, `?` for one.
struct NamePattern {
  let text: String
  private let parts: [Character]

  /// Parses a pattern; `nil` without a wildcard.
  init?(_ text: String) {
    guard text.contains(where: { "*?".contains($0) }) else { return nil }
    self.text = text
    parts = Array(text.lowercased())
  }

  /// Parses a pattern; text without wildcards matches all names that contain it.
  init(finding text: String) {
    if let pattern = NamePattern(text) {
      self = pattern
    } else {
      (self.text, parts) = (text, Array("*\(text.lowercased())*"))
    }
  }

  /// Returns the regular expression for file names. A pattern matches the whole name; of any other text, all
  /// words must occur, in any order.
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
    // Text without letters and digits is searched for literally.
    guard !words.isEmpty else { return "(?i)\(escaped(text))" }
    let wanted = words.map { "(?=.*(?<![\\p{L}\\p{N}])\(escaped(String($0)))(?![\\p{L}\\p{N}]))" }
    return "(?is)^\(wanted.joined())"
  }

  /// The regular expression for names of pictures, by extension.
  static let ofPictures = "(?i)\\.(\(pictureEndings.joined(separator: "|")))$"
  static let pictureEndings = [
    "jpg", "jpeg", "png", "gif", "webp", "heic", "heif", "avif", "bmp", "tif", "tiff", "svg",
  ]

  static func escaped(_ text: String) -> String {
    let signs = "\\.+*?()[]{}|^$#-/".unicodeScalars
    return text.unicodeScalars.map { signs.contains($0) ? "\\\($0)" : "\($0)" }.joined()
  }

  /// - Complexity: O(characters of name × characters of pattern), since it backtracks only to the last star.
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

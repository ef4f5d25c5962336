internal import CEmbeddedFiles

/// Emoji by chat programs' names: `+1` in `:+1:`.
package enum EmojiTable {
  /// `generate-emoji.py` writes `emoji.txt`: lines of a name and its emoji.
  private static let emoji: [Substring: Substring] = {
    let lines = String(cString: embedded_emoji_txt()).split(separator: "\n")
    var emoji: [Substring: Substring] = Dictionary(minimumCapacity: lines.count)
    for line in lines {
      guard let space = line.utf8.firstIndex(of: UInt8(ascii: " ")) else { continue }
      emoji[line[..<space]] = line[line.index(after: space)...]
    }
    return emoji
  }()

  /// All names, unordered.
  package static var names: some Collection<Substring> { emoji.keys }

  /// `nil` for an unknown name.
  package static func emoji(named name: some StringProtocol) -> String? {
    emoji[Substring(name)].map(String.init)
  }

  /// A reaction to show: the emoji for a name in colons, with its skin tone; anything else as it is.
  package static func shown(_ reaction: String) -> String {
    guard reaction.utf8.first == UInt8(ascii: ":"), reaction.utf8.count <= 2 * EmojiNameScanner.longestName
    else {
      return reaction
    }
    let bytes = Array(reaction.utf8)
    guard let found = EmojiNameScanner.name(in: bytes, at: 0, end: bytes.count), found.end == bytes.count
    else { return reaction }
    return found.emoji
  }
}

enum EmojiNameScanner {
  static let longestName = 60
  private static let tonePrefix = Array(":skin-tone-".utf8)

  static func name(in bytes: [UInt8], at start: Int, end: Int) -> (emoji: String, end: Int)? {
    let limit = min(end, start + longestName)
    var place = start + 1
    while place < limit, isOfName(bytes[place]) { place += 1 }
    guard place > start + 1, place < limit, bytes[place] == UInt8(ascii: ":") else { return nil }
    let name = String(decoding: bytes[(start + 1)..<place], as: UTF8.self)
    guard let emoji = EmojiTable.emoji(named: name) else { return nil }
    if let tone = tone(in: bytes, at: place + 1, end: end) {
      return (emoji + tone, place + 1 + tonePrefix.count + 2)
    }
    return (emoji, place + 1)
  }

  /// The tone of `:skin-tone-3:`; 2 is the lightest.
  private static func tone(in bytes: [UInt8], at start: Int, end: Int) -> String? {
    let digit = start + tonePrefix.count
    guard digit + 1 < end, bytes[start..<digit].elementsEqual(tonePrefix),
      (UInt8(ascii: "2")...UInt8(ascii: "6")).contains(bytes[digit]), bytes[digit + 1] == UInt8(ascii: ":"),
      let scalar = Unicode.Scalar(0x1F3FB + UInt32(bytes[digit] - UInt8(ascii: "2")))
    else { return nil }
    return String(Character(scalar))
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    Signs.isLetterOrDigit(byte) || "_+-'".utf8.contains(byte)
  }
}

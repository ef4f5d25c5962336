/// Markup within words: `Z**o**ë`, `Z<b>o</b>ë`; and line breaks within names.
enum Marks {
  private static let signs = Set("*_~`|\\".utf8)
  private static let longestTag = 256
  /// HTML elements that may occur within a word.
  private static let inlineTags: Set<String> = [
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd",
    "mark", "q", "s", "samp",
    "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var", "wbr",
  ]

  static func isMark(_ byte: UInt8) -> Bool { isSign[Int(byte)] }

  private static let isSign: [Bool] = (UInt8.min...UInt8.max).map {
    signs.contains($0) || $0 == UInt8(ascii: "<") || $0 == 0x0A || $0 == UInt8(ascii: "+")
  }

  /// Removes marks; single line ends, and `+` as in forms, become spaces. `nil` if there are none.
  static func removed(from text: NormalText) -> NormalText? {
    let bytes = text.bytes
    guard let first = bytes.firstIndex(where: isMark) else { return nil }
    var result = NormalText(reserving: bytes.count)
    result.append(0..<first, of: text)
    var place = first
    while place < bytes.count {
      let start = place
      switch bytes[place] {
      case UInt8(ascii: "<"):
        if let end = tagEnd(bytes, place) { place = end } else { keep(&place) }
      case 0x0A:
        place += 1
        if result.bytes.last == 0x0D { result.removeLast(1) }
        result.append(CollectionOfOne(0x20), for: start..<place, of: text)
        continue
      case UInt8(ascii: "+"):
        place += 1
        result.append(CollectionOfOne(0x20), for: start..<place, of: text)
        continue
      case let byte where signs.contains(byte): place += 1
      case _: keep(&place)
      }
      func keep(_ place: inout Int) {
        place += 1
        while place < bytes.count, !isMark(bytes[place]) { place += 1 }
        result.append(start..<place, of: text)
      }
    }
    return result
  }

  /// Returns the word itself if it consists of marks.
  static func removed(from word: String) -> String {
    var word = word
    let unmarked = word.withUTF8 { removed(from: NormalText($0)) }
    guard let unmarked, unmarked.bytes.contains(where: ByteSet.word.contains) else { return word }
    return String(decoding: unmarked.bytes, as: UTF8.self)
  }

  private static func tagEnd(_ bytes: [UInt8], _ start: Int) -> Int? {
    let inside = bytes[(start + 1)...].prefix(longestTag)
    guard let end = inside.firstIndex(where: { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }),
      bytes[end] == UInt8(ascii: ">")
    else { return nil }
    if inside.starts(with: "!--".utf8) { return end + 1 }
    let name = inside[..<end].drop { $0 == UInt8(ascii: "/") }.prefix { ByteSet.word.contains($0) }
    return inlineTags.contains(String(decoding: name, as: UTF8.self).lowercased()) ? end + 1 : nil
  }
}

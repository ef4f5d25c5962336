enum HTMLText {
  /// Removes tags; a paragraph ends with a line break, and lines of a quotation begin with `> `. O(length).
  ///
  /// - Parameters:
  ///   - html: Any part of a page.
  ///   - showsEmoji: Whether a picture's `alt` is text.
  ///   - showsLinks: Whether the address of a link stands behind words that are not the address.
  static func plain(_ html: String, showsEmoji: Bool = false, showsLinks: Bool = true) -> String {
    var html = html
    let text = html.withUTF8 { bytes in
      var text = Walk(bytes: Bytes(bytes), showsEmoji: showsEmoji, showsLinks: showsLinks)
      text.run()
      return String(decoding: text.result, as: UTF8.self)
    }
    return text.trimming { $0.isWhitespace }
  }

  private static let breaks: Set<String> = ["br", "/p", "/div", "/tr", "/li", "/blockquote", "/pre"]

  /// `name` includes the `=`; quotes are optional.
  static func attribute(_ name: StaticString, of inside: Bytes) -> String? {
    guard let found = inside.position(of: name), found > 0 else { return nil }
    let value = inside.dropping(found + name.utf8CodeUnitCount)
    guard let first = value.first else { return "" }
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      return value.position(of: first, from: 1).map { Bytes(rebasing: value[1..<$0]).string }
    }
    return Bytes(rebasing: value.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") }).string
  }

  private struct Walk {
    let bytes: Bytes
    let showsEmoji: Bool
    let showsLinks: Bool
    var result: [UInt8] = []
    /// The open link, and where its words begin.
    var link: (address: String, start: Int)?
    /// Where the text of each open quotation begins.
    var quotes: [Int] = []

    mutating func run() {
      var position = 0
      while position < bytes.count {
        switch bytes[position] {
        case UInt8(ascii: "<"): position = passTag(position)
        case UInt8(ascii: "&"):
          position = CharacterReferences.decode(bytes, at: position, as: .html, to: &result)
        default:
          result.append(bytes[position])
          position += 1
        }
      }
    }

    /// Skips a tag, and the content of hidden elements; an unclosed tag takes the rest.
    private mutating func passTag(_ start: Int) -> Int {
      guard let close = bytes.position(of: UInt8(ascii: ">"), from: start) else { return bytes.count }
      let inside = Bytes(rebasing: bytes[(start + 1)..<close])
      let name = inside.prefix { $0 != 0x20 && $0 != 0x0A && $0 != 0x09 }.prefix(12)
      let tag = String(decoding: name, as: UTF8.self).lowercased()
      switch tag {
      case "a": openLink(inside)
      case "/a": closeLink()
      case "blockquote": quotes.append(result.count)
      case "/blockquote": closeQuote()
      default: break
      }
      if HTMLText.breaks.contains(tag) || tag == "br/" { result.append(0x0A) }
      if showsEmoji, tag == "img", let emoji = HTMLText.attribute("alt=", of: inside) {
        result.append(contentsOf: HTMLText.plain(emoji).utf8)
      }
      guard tag == "style" || tag == "script" else { return close + 1 }
      var position = close
      while let open = bytes.position(of: UInt8(ascii: "<"), from: position) {
        let end = bytes[(open + 1)...].prefix(tag.utf8.count + 1)
        if String(decoding: end, as: UTF8.self).lowercased() == "/" + tag { return open }
        position = open + 1
      }
      return bytes.count
    }

    /// Links to people and messages of Matrix only stand for their names.
    private mutating func openLink(_ tag: Bytes) {
      let address = showsLinks ? HTMLText.attribute("href=", of: tag).map { HTMLText.plain($0) } ?? "" : ""
      let isShown = address.hasPrefix("http") && !address.hasPrefix("https://matrix.to/")
      link = isShown ? (address, result.count) : nil
    }

    private mutating func closeLink() {
      guard let (address, start) = link, start <= result.count else { return }
      link = nil
      let words = String(decoding: result[start...], as: UTF8.self).trimming { $0.isWhitespace }
      guard !words.isEmpty, !Self.names(words, address) else { return }
      let end = result.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? start
      result.insert(contentsOf: " (\(address))".utf8, at: end)
    }

    /// Whether the words of a link are its address, possibly shortened.
    private static func names(_ words: String, _ address: String) -> Bool {
      let (words, address) = (bare(words), bare(address))
      return words.hasSuffix("…") ? address.hasPrefix(words.dropLast()) : words == address
    }

    private static func bare(_ address: String) -> String {
      var rest = address[...]
      for start in ["https://", "http://", "www."] where rest.hasPrefix(start) {
        rest = rest.dropFirst(start.count)
      }
      return String(rest.hasSuffix("/") ? rest.dropLast() : rest)
    }

    private static let mostQuotes = 8

    private mutating func closeQuote() {
      guard let start = quotes.popLast(), quotes.count < Self.mostQuotes, start <= result.count else {
        return
      }
      let words = String(decoding: result[start...], as: UTF8.self).trimming { $0.isWhitespace }
      result.removeSubrange(start...)
      guard !words.isEmpty else { return }
      if let last = result.last, last != 0x0A { result.append(0x0A) }
      let lines = words.split(separator: "\n", omittingEmptySubsequences: false).map { "> \($0)" }
      result.append(contentsOf: lines.joined(separator: "\n").utf8)
    }
  }
}

/// Character references: `&amp;`, `&#65;`, `&#x41;`.
enum CharacterReferences {
  /// A language, by the references it has.
  enum Language {
    /// The three names with which Slack escapes its own signs.
    case slack
    /// Five names, and numbers.
    case xml
    /// Those of XML, and the no-break space, read as a space.
    case html
  }

  /// Two numbers that are a surrogate pair (`&#55357;&#56832;`), as some programs write, become one
  /// character. Invalid numbers become U+FFFD, unknown references stay as they are. O(length).
  static func decoded(_ bytes: Bytes, as language: Language) -> String {
    guard var ampersand = bytes.position(of: UInt8(ascii: "&")) else { return bytes.string }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var taken = 0
    while true {
      result.append(contentsOf: bytes[taken..<ampersand])
      taken = decode(bytes, at: ampersand, as: language, to: &result)
      guard let next = bytes.position(of: UInt8(ascii: "&"), from: taken) else { break }
      ampersand = next
    }
    result.append(contentsOf: bytes[taken...])
    return String(decoding: result, as: UTF8.self)
  }

  static func decode(
    _ bytes: Bytes, at ampersand: Int, as language: Language, to result: inout [UInt8]
  ) -> Int {
    guard let (unit, end) = reference(bytes, at: ampersand, language) else {
      result.append(UInt8(ascii: "&"))
      return ampersand + 1
    }
    if (0xD800...0xDBFF).contains(unit), end < bytes.count, bytes[end] == UInt8(ascii: "&"),
      let (low, end) = reference(bytes, at: end, language), (0xDC00...0xDFFF).contains(low)
    {
      append(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00), to: &result)
      return end
    }
    append(unit, to: &result)
    return end
  }

  private static func append(_ value: UInt32, to result: inout [UInt8]) {
    let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
    result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  private static func reference(
    _ bytes: Bytes, at ampersand: Int, _ language: Language
  ) -> (unit: UInt32, end: Int)? {
    guard let end = bytes[ampersand...].prefix(longest).firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = Bytes(rebasing: bytes[(ampersand + 1)..<end])
    return (named(name, language) ?? numbered(name, language)).map { ($0, end + 1) }
  }

  private static let longest = 12

  private static func named(_ name: Bytes, _ language: Language) -> UInt32? {
    switch name.string {
    case "lt": 0x3C
    case "gt": 0x3E
    case "amp": 0x26
    case "quot" where language != .slack: 0x22
    case "apos" where language != .slack: 0x27
    case "nbsp" where language == .html: 0x20
    case "laquo" where language == .html: 0xAB
    case "raquo" where language == .html: 0xBB
    case "ndash" where language == .html: 0x2013
    case "mdash" where language == .html: 0x2014
    case "hellip" where language == .html: 0x2026
    default: nil
    }
  }

  private static func numbered(_ name: Bytes, _ language: Language) -> UInt32? {
    guard language != .slack, let digits = name.after("#") else { return nil }
    let hexadecimal = digits.after("x") ?? digits.after("X")
    return UInt32((hexadecimal ?? digits).string, radix: hexadecimal == nil ? 10 : 16)
  }
}

enum HTMLText {
  /// Removes the tags from `html`; a paragraph ends with a line break. O(length), for any input.
  ///
  /// - Parameter showsEmoji: Whether a picture's `alt` is text.
  static func plain(_ html: String, showsEmoji: Bool = false) -> String {
    var html = html
    let text = html.withUTF8 { bytes in
      var text = Walk(bytes: Bytes(bytes), showsEmoji: showsEmoji)
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
    var result: [UInt8] = []

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
  }
}

internal import MessageModel

/// A file name made safe: it stays in its folder, shows as it is and fits anywhere, whatever it was made of.
package struct SafeFileName: Hashable, Sendable {
  /// The name, of at most 200 bytes, which leaves space for a number or a checksum.
  package let text: String

  /// The most bytes that a name may have.
  private static let limit = 200

  /// Creates a safe name from one that came from outside.
  package init(_ name: String) {
    let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
    let plain = VisibleText.of(last, keepsTabs: false)
    var kept = ""
    for character in plain.unicodeScalars {
      kept.unicodeScalars.append(Self.isHarmless(character) ? character : "_")
    }
    // What begins with a dot is hidden, with a hyphen an option; what ends with a dot or space another name to some.
    let trimmed = kept.drop { ".- ".contains($0) }
    let end = trimmed.lastIndex { !". ".contains($0) }
    let body = end.map { String(trimmed[...$0]) } ?? ""
    text = Self.shortened(
      body.isEmpty || Self.isReserved(body) ? "attachment\(body.isEmpty ? "" : "-\(body)")" : body)
  }

  private static func isHarmless(_ character: Unicode.Scalar) -> Bool {
    !(0x2400...0x2426).contains(character.value)
      && !"<>:\"|?*$`\u{7F}\u{FFFD}".unicodeScalars.contains(character)
  }

  private static func isReserved(_ name: String) -> Bool {
    let stem = name.prefix { $0 != "." }.uppercased()
    return ["CON", "PRN", "AUX", "NUL"].contains(stem)
      || stem.utf8.count == 4 && (stem.hasPrefix("COM") || stem.hasPrefix("LPT"))
        && stem.last?.isNumber == true
  }

  /// Cuts between characters, in front of the extension.
  private static func shortened(_ name: String) -> String {
    guard name.utf8.count > limit else { return name }
    let (stem, ending) = parts(of: name)
    var cut = ""
    for character in stem {
      guard cut.utf8.count + character.utf8.count + ending.utf8.count <= limit else { break }
      cut.append(character)
    }
    return cut.isEmpty ? "attachment" : cut + ending
  }

  private static func parts(of name: String) -> (stem: Substring, ending: Substring) {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name[dot...].utf8.count <= 16 else {
      return (name[...], "")
    }
    return (name[..<dot], name[dot...])
  }

  /// The same with a number: `photo (2).jpg`.
  func numbered(_ number: Int) -> String {
    let (stem, ending) = Self.parts(of: text)
    return number == 1 ? text : "\(stem) (\(number))\(ending)"
  }
}

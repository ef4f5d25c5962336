internal import MessageModel

/// A file name made safe: it stays in its folder, is shown as it is, and is valid on all systems.
package struct SafeFileName: Hashable, Sendable {
  /// At most 200 bytes, which leaves space for a number or a checksum.
  package let text: String

  private static let limit = 200

  package init(_ name: String) {
    let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
    let plain = VisibleText.of(last, keepsTabs: false)
    var kept = ""
    for character in plain.unicodeScalars {
      kept.unicodeScalars.append(Self.isHarmless(character) ? character : "_")
    }
    // Names with a leading dot are hidden, those with a hyphen look like options; some systems drop dots and
    // spaces at the end.
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

  /// Cuts between characters, before the extension.
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

  /// `photo (2).jpg`, for example.
  func numbered(_ number: Int) -> String {
    let (stem, ending) = Self.parts(of: text)
    return number == 1 ? text : "\(stem) (\(number))\(ending)"
  }
}

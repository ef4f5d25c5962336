/// JSON with invisible characters as escapes: what is read is what is there.
///
/// A reader of JSON gets the same strings. These are characters without a width, of directions and of tags (default-ignorable,
/// format and separator characters of Unicode); those that join an emoji stay.
enum VisibleJSON {
  /// Returns the UTF-8 of a JSON text with what is not seen escaped, which may be in strings alone.
  ///
  /// - Complexity: O(bytes); a text of ASCII is returned as it is.
  static func escaped(_ json: [UInt8]) -> [UInt8] {
    guard json.contains(where: { $0 >= 0x80 }) else { return json }
    var result: [UInt8] = []
    result.reserveCapacity(json.count)
    var last: Unicode.Scalar?
    for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
      if isHidden(scalar, after: last) {
        for unit in UTF16.encode(scalar)?.map(\.self) ?? [] { result += escape(of: unit) }
      } else {
        result += UTF8.encode(scalar).map(Array.init) ?? []
      }
      last = scalar
    }
    return result
  }

  private static func isHidden(_ scalar: Unicode.Scalar, after last: Unicode.Scalar?) -> Bool {
    guard scalar.value >= 0x80 else { return false }
    let isOfEmoji = last.map { $0.value >= 0x80 && ($0.properties.isEmoji || $0 == emojiForm) } ?? false
    if scalar == emojiForm || scalar == joiner { return !isOfEmoji }
    if scalar.properties.isDefaultIgnorableCodePoint { return true }
    switch scalar.properties.generalCategory {
    case .format, .control, .lineSeparator, .paragraphSeparator: return true
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation,
      .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation,
      .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol, .spaceSeparator,
      .surrogate, .privateUse, .unassigned:
      return false
    @unknown default: return false
    }
  }

  /// Makes an emoji of the sign before it, and one of those on both sides.
  private static let emojiForm: Unicode.Scalar = "\u{FE0F}"
  private static let joiner: Unicode.Scalar = "\u{200D}"

  private static func escape(of unit: UInt16) -> [UInt8] {
    let digits = String(unit, radix: 16)
    return Array("\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8)
  }
}

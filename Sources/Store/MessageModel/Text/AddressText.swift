/// Removes secrets from addresses, and from texts with addresses.
package enum AddressText {
  /// Removes the password from an address: before the host or in the query, however it is escaped.
  package static func withoutPassword(_ address: String) -> String {
    var shown = address
    if let user = user(of: address), let sign = user.firstIndex(where: { $0 == ":" || $0 == "%" }) {
      shown.removeSubrange(sign..<user.endIndex)
    }
    guard let mark = shown.firstIndex(of: "?") else { return shown }
    let words = shown[shown.index(after: mark)...].split(separator: "&")
      .filter { !unescaped($0).lowercased().contains("password") }
    return shown[..<mark] + (words.isEmpty ? "" : "?" + words.joined(separator: "&"))
  }

  /// Removes the passwords from all addresses in a sentence, of any scheme and perhaps mistyped: errors name
  /// addresses, and logs contain errors.
  package static func withoutPasswords(in text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: ":")),
      text.utf8.contains(where: { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "?") })
    else { return text }
    var shown = ""
    var rest = text[...]
    while let address = nextAddress(in: rest) {
      shown += rest[..<address.lowerBound] + withoutPassword(String(rest[address]))
      rest = rest[address.upperBound...]
    }
    return shown + rest
  }

  /// Whether the user name contains a password after an escaped colon: `keeper%3Apassword`.
  package static func hidesPassword(_ address: String) -> Bool {
    user(of: address).map { !$0.contains(":") && unescaped($0).contains(":") } ?? false
  }

  /// The part before the host, without the scheme.
  private static func user(of address: String) -> Substring? {
    guard let sign = address.lastIndex(of: "@") else { return nil }
    let before = address[..<sign]
    guard let colon = before.firstIndex(of: ":"), isScheme(before[..<colon]) else { return before }
    let rest = before[colon...].dropFirst()
    // Without slashes, `name:` is a scheme only if a name and a colon follow.
    guard rest.hasPrefix("/") || rest.contains(where: { $0 == ":" }) else { return before }
    return rest.drop { $0 == "/" }
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.first, first.isASCII, first.isLetter else { return false }
    return text.allSatisfy(isOfScheme)
  }

  private static func isOfScheme(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "+.-".contains(character))
  }

  /// Returns the next address: a scheme, a colon, and everything up to a space or the quote that closes it.
  private static func nextAddress(in text: Substring) -> Range<Substring.Index>? {
    var colon = text.startIndex
    while let next = text[colon...].firstIndex(of: ":") {
      let scheme = text[..<next].suffix(while: isOfScheme)
      colon = text.index(after: next)
      guard isScheme(scheme) else { continue }
      let isQuoted = text[..<scheme.startIndex].last == "'"
      let rest = text[colon...]
      let end = isQuoted ? closingQuote(in: rest) : rest.firstIndex(where: \.isWhitespace)
      let body = rest[..<(end ?? rest.endIndex)]
      // Without slashes only addresses with a name and a password count.
      let isAddress =
        body.hasPrefix("/")
        || body.prefix { $0 != "@" }.contains(":") && body.contains("@")
          && !body.contains(where: \.isWhitespace)
      if isAddress { return scheme.startIndex..<body.endIndex }
    }
    return nil
  }

  /// Returns the first quote that closes a word: a space, punctuation or the end follows.
  private static func closingQuote(in text: Substring) -> Substring.Index? {
    text.indices.first { index in
      guard text[index] == "'" else { return false }
      let next = text[index...].dropFirst().first
      return next.map { $0.isWhitespace || ".,;:)".contains($0) } ?? true
    }
  }

  /// Removes escapes, also nested ones.
  private static func unescaped(_ part: Substring) -> String {
    var text = String(part)
    for _ in 1...mostEscapes where text.contains("%") { text = text.replacingEscapes(after: "%") }
    return text
  }

  private static let mostEscapes = 4
}

extension Substring {
  fileprivate func suffix(while holds: (Character) -> Bool) -> Substring {
    var start = endIndex
    while start > startIndex, holds(self[index(before: start)]) { start = index(before: start) }
    return self[start...]
  }
}

extension StringProtocol {
  /// Replaces `sign` and the two hexadecimal digits after it by a byte: `%20` by a space.
  package func replacingEscapes(after sign: Unicode.Scalar) -> String {
    var bytes: [UInt8] = []
    var rest = Array(utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: sign), rest.count >= 2,
        // `UInt8(_:radix:)` reads `+5`, too.
        rest.prefix(2).allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Addresses, and texts with addresses in them, without what may be secret.
package enum AddressText {
  /// Returns an address without its password: before the host or behind the question mark, however it is escaped.
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

  /// Returns a sentence in which no address, of whatever scheme and perhaps mistyped, has its password: what was given as a place is
  /// said in errors, and these are kept in logs.
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

  /// Returns whether the name of the user has a password in it behind an escaped colon: `keeper%3Apassword`.
  package static func hidesPassword(_ address: String) -> Bool {
    user(of: address).map { !$0.contains(":") && unescaped($0).contains(":") } ?? false
  }

  /// The part before the host, without the scheme; `nil` if there is none.
  private static func user(of address: String) -> Substring? {
    guard let sign = address.lastIndex(of: "@") else { return nil }
    let before = address[..<sign]
    guard let colon = before.firstIndex(of: ":"), isScheme(before[..<colon]) else { return before }
    let rest = before[colon...].dropFirst()
    // Without slashes a scheme is a name only if there is one behind it, too.
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

  /// Returns where the next address lies: a scheme, a colon, and what follows up to a space, or up to the quote that closes it.
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
      // Without slashes only what has a name and a password is meant.
      let isAddress =
        body.hasPrefix("/")
        || body.prefix { $0 != "@" }.contains(":") && body.contains("@")
          && !body.contains(where: \.isWhitespace)
      if isAddress { return scheme.startIndex..<body.endIndex }
    }
    return nil
  }

  /// Returns the first quote that closes a word: behind it comes a space, a sign of the sentence or its end.
  private static func closingQuote(in text: Substring) -> Substring.Index? {
    text.indices.first { index in
      guard text[index] == "'" else { return false }
      let next = text[index...].dropFirst().first
      return next.map { $0.isWhitespace || ".,;:)".contains($0) } ?? true
    }
  }

  /// A part without escapes, also where they were escaped once more.
  private static func unescaped(_ part: Substring) -> String {
    var text = String(part)
    for _ in 1...mostEscapes where text.contains("%") { text = text.replacingEscapes(after: "%") }
    return text
  }

  private static let mostEscapes = 4
}

extension Substring {
  /// The longest end whose characters all fulfil a condition.
  fileprivate func suffix(while holds: (Character) -> Bool) -> Substring {
    var start = endIndex
    while start > startIndex, holds(self[index(before: start)]) { start = index(before: start) }
    return self[start...]
  }
}

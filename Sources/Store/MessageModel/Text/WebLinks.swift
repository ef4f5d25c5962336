internal import Foundation

/// Finds the addresses in a text that a browser or a mail program may be asked to open.
package enum WebLinks {
  /// The schemes that are followed, and no others.
  private static let schemes = ["http://", "https://", "mailto:"]
  /// The most bytes of an address.
  private static let longest = 8_192

  /// Returns the addresses: what begins with a scheme and goes on in printable ASCII, without what marks or ends the text
  /// around it.
  package static func ranges(in text: Substring) -> [Range<String.Index>] {
    guard text.utf8.contains(UInt8(ascii: ":")) else { return [] }
    var ranges: [Range<String.Index>] = []
    var rest = text
    while let colon = rest.firstIndex(of: ":") {
      let name = rest[..<colon].reversed().prefix { $0.isASCII && $0.isLetter }
      let start = rest.index(colon, offsetBy: -name.count)
      let end = end(of: rest[start...])
      if end > start { ranges.append(start..<end) }
      rest = text[max(end, rest.index(after: colon))...]
    }
    return ranges
  }

  /// Returns the end of the address that a text begins with; at its start if it begins with none.
  private static func end(of text: Substring) -> String.Index {
    let beginning = text.prefix(8).lowercased()
    guard let scheme = schemes.first(where: { beginning.hasPrefix($0) }) else { return text.startIndex }
    var address = text.dropFirst(scheme.count).prefix {
      $0.isASCII && $0 > " " && $0 < "\u{7F}" && !"<>\"`".contains($0)
    }
    while let last = address.last, ".,;:!?'*".contains(last) || closesNothing(last, in: address) {
      address.removeLast()
    }
    return address.isEmpty ? text.startIndex : address.endIndex
  }

  /// Whether a sign at the end of an address is a bracket that was opened before it, as in `(see https://tea.example)`.
  private static func closesNothing(_ last: Character, in address: Substring) -> Bool {
    guard let opening = [")": "(", "]": "[", "}": "{"][last] as Character? else { return false }
    return address.count { $0 == last } > address.count { $0 == opening }
  }

  /// Returns the addresses in a text, each once, as far as they can be opened.
  package static func addresses(in text: String) -> [String] {
    var addresses: [String] = []
    for range in ranges(in: text[...]) where !addresses.contains(String(text[range])) {
      addresses.append(String(text[range]))
    }
    return addresses.filter(canBeOpened)
  }

  private static func attaches(_ address: String) -> Bool {
    guard address.prefix(7).lowercased() == "mailto:" else { return false }
    let plain = (address.removingPercentEncoding ?? address).lowercased()
    return plain.split { "?&;".contains($0) }.dropFirst().contains { $0.hasPrefix("attach") }
  }

  /// Whether an address is one that may be handed to another program: of a scheme that is followed, printable, and not one by
  /// which some mail programs would attach a file.
  package static func canBeOpened(_ address: String) -> Bool {
    let beginning = address.prefix(8).lowercased()
    return schemes.contains { beginning.hasPrefix($0) } && address.utf8.count <= longest
      && address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !attaches(address)
  }
}

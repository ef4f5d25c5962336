internal import Foundation

/// Finds addresses in a text that a browser or mail program may open.
package enum WebLinks {
  /// No other schemes are opened.
  private static let schemes = ["http://", "https://", "mailto:"]
  /// In bytes.
  private static let longest = 8_192

  /// Returns addresses: a scheme and following printable ASCII, without the text's own punctuation.
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

  /// Returns the end of the address that begins a text; its start without one.
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

  /// Whether the last character closes a bracket opened before the address, as in `(see
  /// https://tea.example)`.
  private static func closesNothing(_ last: Character, in address: Substring) -> Bool {
    guard let opening = [")": "(", "]": "[", "}": "{"][last] as Character? else { return false }
    return address.count { $0 == last } > address.count { $0 == opening }
  }

  /// Returns distinct addresses that can be opened.
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

  /// Whether another program may open an address: its scheme is allowed, it is printable, and it makes no
  /// mail program attach a file.
  package static func canBeOpened(_ address: String) -> Bool {
    let beginning = address.prefix(8).lowercased()
    return schemes.contains { beginning.hasPrefix($0) } && address.utf8.count <= longest
      && address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !attaches(address)
  }
}

/// Encoded words in header fields: `=?utf-8?Q?caf=C3=A9?=` (<https://www.rfc-editor.org/rfc/rfc2047>).
enum MailWords {
  /// Returns `text` with its encoded words decoded; what is no such word is left as it is.
  static func decoded(_ text: String, _ fallback: FallbackEncoding) -> String {
    guard text.contains("=?") else { return text }
    var result = ""
    var rest = text[...]
    var lastWasWord = false
    while let open = rest.firstRange(of: "=?") {
      let before = rest[..<open.lowerBound]
      guard let (word, end) = word(rest[open.upperBound...], fallback) else {
        result += rest[..<open.upperBound]
        rest = rest[open.upperBound...]
        lastWasWord = false
        continue
      }
      // Spaces between two words only part them.
      if !lastWasWord || !before.allSatisfy({ $0 == " " }) { result += before }
      result += word
      rest = rest[end...]
      lastWasWord = true
    }
    return result + rest
  }

  private static func word(
    _ inner: Substring, _ fallback: FallbackEncoding
  ) -> (text: String, end: Substring.Index)? {
    let parts = inner.split(separator: "?", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let end = parts[2].firstRange(of: "?=") else { return nil }
    let content = Array(parts[2][..<end.lowerBound].utf8)
    let bytes: [UInt8]
    switch parts[1].lowercased() {
    case "b": bytes = TransferEncoding.base64(content)
    case "q": bytes = TransferEncoding.quotedPrintable(content.map { $0 == UInt8(ascii: "_") ? 0x20 : $0 })
    default: return nil
    }
    let charset = parts[0].prefix { $0 != "*" }
    return (Charset.string(bytes, String(charset), fallback), end.upperBound)
  }
}

/// Encoded words in header fields: `=?utf-8?Q?caf=C3=A9?=` (<https://www.rfc-editor.org/rfc/rfc2047>).
enum MailWords {
  static func decoded(_ text: String, _ fallback: FallbackEncoding) -> String {
    guard text.contains("=?") else { return text }
    var result = ""
    // Adjacent words of one encoding are decoded together: some programs cut within a character.
    var run: Word?
    func finishRun() {
      if let run { result += Charset.string(run.bytes, run.charset, fallback) }
      run = nil
    }
    var rest = text[...]
    while let open = rest.firstRange(of: "=?") {
      let before = rest[..<open.lowerBound]
      guard let (word, end) = Word.read(rest[open.upperBound...]) else {
        finishRun()
        result += rest[..<open.upperBound]
        rest = rest[open.upperBound...]
        continue
      }
      if let last = run, before.allSatisfy({ $0 == " " || $0 == "\t" }) {
        if last.charset == word.charset {
          run?.bytes += word.bytes
        } else {
          finishRun()
          run = word
        }
      } else {
        finishRun()
        result += before
        run = word
      }
      rest = rest[end...]
    }
    finishRun()
    return result + rest
  }

  private struct Word {
    let charset: String
    var bytes: [UInt8]

    /// RFC 2047 allows 75 characters; programs write more.
    private static let longest = 4_096

    static func read(_ inner: Substring) -> (word: Word, end: Substring.Index)? {
      let parts = inner.prefix(longest).split(separator: "?", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, let end = parts[2].firstRange(of: "?=") else { return nil }
      let content = Array(parts[2][..<end.lowerBound].utf8)
      // RFC 2231 allows a language after it: `utf-8*en`.
      let charset = parts[0].prefix { $0 != "*" }.lowercased()
      switch parts[1].lowercased() {
      case "b": return (Word(charset: charset, bytes: TransferEncoding.base64(content)), end.upperBound)
      case "q":
        let spaced = content.map { $0 == UInt8(ascii: "_") ? 0x20 : $0 }
        return (Word(charset: charset, bytes: TransferEncoding.quotedPrintable(spaced)), end.upperBound)
      default: return nil
      }
    }
  }
}

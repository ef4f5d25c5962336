/// The transfer encoding of a mail's body (<https://www.rfc-editor.org/rfc/rfc2045>).
enum TransferEncoding {
  static func decoded(_ body: Bytes, _ encoding: String) -> [UInt8] {
    switch encoding.lowercased().trimming({ $0 == " " }) {
    case "base64": base64(body)
    case "quoted-printable": quotedPrintable(body)
    default: Array(body)
    }
  }

  static func base64(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for byte in bytes {
      guard let digit = digit(byte) else {
        if byte == UInt8(ascii: "=") { break }
        continue
      }
      bits = bits << 6 | UInt32(digit)
      count += 6
      if count >= 8 {
        count -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x41...0x5A: byte - 0x41
    case 0x61...0x7A: byte - 0x61 + 26
    case 0x30...0x39: byte - 0x30 + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  static func quotedPrintable(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    let input = Array(bytes)
    var position = 0
    while position < input.count {
      let byte = input[position]
      position += 1
      guard byte == UInt8(ascii: "=") else {
        result.append(byte)
        continue
      }
      if let end = softBreak(input, position) {
        position = end
      } else if position + 2 <= input.count,
        let value = UInt8(String(decoding: input[position..<position + 2], as: UTF8.self), radix: 16)
      {
        result.append(value)
        position += 2
      } else if input.last == 0x0A, input.count - position <= 2 {
        // The body of a cut file ends within the escape.
        break
      } else {
        result.append(byte)
      }
    }
    return result
  }

  private static func softBreak(_ input: [UInt8], _ start: Int) -> Int? {
    var position = start
    while position < input.count, input[position] == 0x20 || input[position] == 0x0D { position += 1 }
    return position < input.count && input[position] == 0x0A ? position + 1 : nil
  }
}

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

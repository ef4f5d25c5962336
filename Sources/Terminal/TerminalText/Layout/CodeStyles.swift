/// How the parts of code look, by what most languages share: comments, strings and common keywords. Lines of a
/// diff have the colours of what was added and removed.
package enum CodeStyles {
  static let code = Style(color: .code)
  private static let keyword = Style(color: .code, isBold: true)
  private static let string = Style(color: .place)
  private static let comment = Style.dim

  typealias Part = (range: Range<Int>, style: Style)

  /// Returns the parts of a block of code, in order and without gaps.
  ///
  /// - Parameter language: The language that the block names; `nil` if it names none.
  /// - Complexity: O(bytes).
  static func parts(of bytes: ArraySlice<UInt8>, language: String?) -> [Part] {
    let lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    if let changes = ChangedLines(lines.map(String.init), isCall: false, isDiff: isDiff(language)) {
      var start = bytes.startIndex
      return lines.enumerated().map { index, line in
        let end = min(bytes.endIndex, start + line.utf8.count + 1)
        defer { start = end }
        return (start..<end, changes.style(ofLine: index) ?? code)
      }
    }
    var scanner = Scanner(bytes)
    return scanner.run()
  }

  /// Returns the styles of lines within fences of a text that is shown as it was typed.
  package static func styles(ofFenced lines: [String]) -> [Int: Style] {
    var styles: [Int: Style] = [:]
    var open: (line: Int, fence: Substring, language: String)?
    for (index, line) in lines.enumerated() {
      let text = line.drop { $0 == " " }
      guard text.hasPrefix("```") || text.hasPrefix("~~~") else { continue }
      guard let begun = open else {
        open = (index, text.prefix(3), String(text.dropFirst(3)))
        continue
      }
      guard text.hasPrefix(begun.fence) else { continue }
      let inner = Array(lines[(begun.line + 1)..<index])
      let changes = ChangedLines(inner, isCall: false, isDiff: isDiff(begun.language))
      for place in inner.indices { styles[begun.line + 1 + place] = changes?.style(ofLine: place) ?? code }
      open = nil
    }
    return styles
  }

  private static func isDiff(_ language: String?) -> Bool {
    language.map { ["diff", "patch"].contains($0.lowercased()) } ?? false
  }

  private static let keywords: Set<String> = [
    "and", "as", "async", "await", "begin", "break", "case", "catch", "class", "const", "continue", "def",
    "default", "defer", "do", "done", "elif", "else", "end", "enum", "esac", "except", "export", "extends",
    "extension", "false", "fi", "final", "finally", "fn", "for", "from", "func", "function", "guard", "if",
    "impl", "import", "in", "interface", "is", "lambda", "let", "match", "mod", "mut", "new", "nil", "None",
    "not", "null", "or", "package", "private", "protocol", "pub", "public", "raise", "return", "self",
    "static",
    "struct", "super", "switch", "then", "this", "throw", "throws", "trait", "true", "True", "False", "try",
    "type", "typedef", "use", "using", "var", "void", "where", "while", "with", "yield",
  ]

  private struct Scanner {
    let bytes: ArraySlice<UInt8>
    var place: Int
    /// Where the code begins that is not in a part yet.
    var start: Int
    var parts: [Part] = []
    /// For each quote where the line ends in which it begins no string: it is not looked for again there.
    private var unclosed: [UInt8: Int] = [:]

    init(_ bytes: ArraySlice<UInt8>) {
      (self.bytes, place, start) = (bytes, bytes.startIndex, bytes.startIndex)
    }

    mutating func run() -> [Part] {
      while place < bytes.endIndex {
        if let end = endOfComment {
          take(end, comment)
        } else if let end = endOfString() {
          take(end, string)
        } else if isOfWord(bytes[place]) {
          takeWord()
        } else {
          place += 1
        }
      }
      endCode(at: bytes.endIndex)
      return parts
    }

    private mutating func take(_ end: Int, _ style: Style) {
      endCode(at: place)
      parts.append((place..<end, style))
      (place, start) = (end, end)
    }

    private mutating func endCode(at end: Int) {
      if start < end { parts.append((start..<end, code)) }
    }

    private mutating func takeWord() {
      let end = bytes[place...].firstIndex { !isOfWord($0) } ?? bytes.endIndex
      if keywords.contains(String(decoding: bytes[place..<end], as: UTF8.self)) {
        take(end, keyword)
      } else {
        place = end
      }
    }

    private func isOfWord(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
        true
      default: false
      }
    }

    private func has(_ text: StaticString, at place: Int) -> Bool {
      text.withUTF8Buffer { bytes[place...].starts(with: $0) }
    }

    private var endOfLine: Int { bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex }

    /// Whether a line or a blank is before the place.
    private var isBehindBlank: Bool {
      place == bytes.startIndex || [0x20, 0x09, 0x0A].contains(bytes[place - 1])
    }

    /// `// …`, `# …`, `-- …` and `/* … */`; `nil` if no comment begins here. An address has a colon before its
    /// slashes.
    private var endOfComment: Int? {
      if has("/*", at: place) {
        var end = place + 2
        while end < bytes.endIndex {
          if has("*/", at: end) { return end + 2 }
          end += 1
        }
        return bytes.endIndex
      }
      guard isBehindBlank else { return nil }
      let begins = has("//", at: place) || has("# ", at: place) || has("-- ", at: place)
      return begins ? endOfLine : nil
    }

    /// `nil` if no string begins here and ends in the same line.
    private mutating func endOfString() -> Int? {
      let quote = bytes[place]
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") || quote == UInt8(ascii: "`") else {
        return nil
      }
      if let line = unclosed[quote], place < line { return nil }
      var end = place + 1
      while end < bytes.endIndex, bytes[end] != 0x0A {
        if bytes[end] == quote { return end + 1 }
        end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
      }
      unclosed[quote] = end
      return nil
    }
  }
}

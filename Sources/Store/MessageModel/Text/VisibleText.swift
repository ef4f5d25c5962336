/// Makes text from outside safe to show: everything that could control a terminal becomes a visible symbol.
///
/// Control characters become their pictures (␛ for escape, U+2400 to U+2421). C1 controls, line and paragraph
/// separators, and characters that override or isolate the direction of text become their numbers (⟨U+202E⟩).
package enum VisibleText {
  /// Returns safe text; a line feed becomes ␊.
  ///
  /// - Parameter keepsTabs: Whether tabs stay; otherwise they become ␉.
  /// - Complexity: O(length); text without anything to replace is returned as it is.
  package static func of(_ text: String, keepsTabs: Bool = true) -> String {
    var copy = text
    let visible: String? = copy.withUTF8 { bytes in
      guard let first = nextHidden(bytes[...], keepsTabs) else { return nil }
      var result = Array(bytes[..<first.position])
      append(bytes[first.position...], to: &result, keepsTabs: keepsTabs)
      return String(decoding: result, as: UTF8.self)
    }
    return visible ?? text
  }

  /// Returns safe UTF-8 lines, in which only tabs and line ends stay.
  ///
  /// - Complexity: O(length).
  package static func lines(_ utf8: [UInt8]) -> [UInt8] {
    utf8.withUnsafeBufferPointer { bytes in
      var result: [UInt8] = []
      result.reserveCapacity(bytes.count)
      var rest = bytes[...]
      while let end = rest.firstIndex(of: 0x0A) {
        let hasReturn = end > rest.startIndex && rest[end - 1] == 0x0D
        append(rest[..<(hasReturn ? end - 1 : end)], to: &result)
        result.append(contentsOf: hasReturn ? [0x0D, 0x0A] : [0x0A])
        rest = rest[(end + 1)...]
      }
      append(rest, to: &result)
      return result
    }
  }

  /// Appends text as ``of(_:keepsTabs:)`` returns it.
  package static func append(_ text: String, to result: inout [UInt8], keepsTabs: Bool = true) {
    var copy = text
    copy.withUTF8 { append($0[...], to: &result, keepsTabs: keepsTabs) }
  }

  /// - Parameter bytes: A part of a string's UTF-8 that begins and ends between characters.
  package static func append(
    _ bytes: Slice<UnsafeBufferPointer<UInt8>>, to result: inout [UInt8], keepsTabs: Bool = true
  ) {
    var rest = bytes
    while let hidden = nextHidden(rest, keepsTabs) {
      result.append(contentsOf: rest[..<hidden.position])
      writePicture(of: hidden.scalar, to: &result)
      rest = rest[(hidden.position + hidden.length)...]
    }
    result.append(contentsOf: rest)
  }

  private struct Hidden {
    var position: Int
    var length: Int
    var scalar: UInt32
  }

  private static func nextHidden(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ keepsTabs: Bool) -> Hidden? {
    var position = bytes.startIndex
    let end = bytes.endIndex
    let base = bytes.base
    while position < end {
      let byte = base[position]
      // Nearly all bytes begin no hidden character.
      if byte >= 0x20 && byte < 0x7F || byte > 0xE2 {
        position += 1
        continue
      }
      if let hidden = hidden(base, position, end), !(keepsTabs && hidden.scalar == 0x09) { return hidden }
      position += 1
    }
    return nil
  }

  private static func hidden(_ base: UnsafeBufferPointer<UInt8>, _ position: Int, _ end: Int) -> Hidden? {
    let byte = base[position]
    if byte < 0x20 || byte == 0x7F { return Hidden(position: position, length: 1, scalar: UInt32(byte)) }
    if byte == 0xC2, position + 1 < end, base[position + 1] < 0xA0 {
      return Hidden(position: position, length: 2, scalar: UInt32(base[position + 1]))
    }
    guard byte == 0xE2, position + 2 < end else { return nil }
    let scalar = 0x2000 | UInt32(base[position + 1] & 0x3F) << 6 | UInt32(base[position + 2] & 0x3F)
    switch scalar {
    case 0x2028...0x202E, 0x2066...0x2069: return Hidden(position: position, length: 3, scalar: scalar)
    default: return nil
    }
  }

  private static func writePicture(of scalar: UInt32, to result: inout [UInt8]) {
    switch scalar {
    case 0..<0x20: result.append(contentsOf: [0xE2, 0x90, 0x80 + UInt8(scalar)])
    case 0x7F: result.append(contentsOf: [0xE2, 0x90, 0xA1])
    default:
      let digits = String(scalar, radix: 16, uppercase: true)
      result.append(contentsOf: "⟨U+\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)⟩".utf8)
    }
  }
}

/// Invisible marks of text direction: U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069.
///
/// Telephones put them around names and numbers inconsistently, so names are compared without them.
package enum DirectionMarks {
  /// Returns UTF-8 without marks; `nil` if it has none.
  ///
  /// - Complexity: O(length).
  package static func removed(from bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let first = bytes.indices.first(where: { isMark(bytes, at: $0) }) else { return nil }
    var rest = Array(bytes[..<first])
    var position = first
    while position < bytes.count {
      if isMark(bytes, at: position) {
        position += 3
      } else {
        rest.append(bytes[position])
        position += 1
      }
    }
    return rest
  }

  private static func isMark(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool {
    guard position + 2 < bytes.count, bytes[position] == 0xE2 else { return false }
    switch (bytes[position + 1], bytes[position + 2]) {
    case (0x80, 0x8E...0x8F), (0x80, 0xAA...0xAE), (0x81, 0xA6...0xA9): return true
    default: return false
    }
  }
}

extension Unicode.Scalar {
  package var isLineEnd: Bool {
    switch value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  /// Whether it is invisible: a space of any width, a tab, a line end.
  package var isSpace: Bool {
    value < 0x80 ? value == 0x20 || (0x09...0x0D).contains(value) : properties.isWhitespace
  }
}

extension StringProtocol {
  /// The first line with more than spaces, without leading spaces.
  package var firstLine: SubSequence? {
    guard let start = unicodeScalars.firstIndex(where: { !$0.isSpace }) else { return nil }
    return self[start..<(unicodeScalars[start...].firstIndex(where: \.isLineEnd) ?? endIndex)]
  }

  /// Returns the words separated by single spaces, cut to `limit` characters and `…`; `nil` without words.
  ///
  /// - Complexity: O(*n*), and at most 8,192 scalars of it.
  package func inOneLine(limit: Int) -> String? {
    var line = String.UnicodeScalarView()
    var isBehindSpace = false
    for scalar in unicodeScalars.prefix(8_192) {
      if scalar.isSpace {
        isBehindSpace = !line.isEmpty
      } else {
        if isBehindSpace { line.append(" ") }
        isBehindSpace = false
        line.append(scalar)
      }
    }
    if line.isEmpty { return nil }
    let words = String(line)
    // A character has at least one byte.
    return words.utf8.count > limit && words.count > limit ? "\(words.prefix(limit))…" : words
  }
}

/// Quotes words of commands that people copy from the screen.
package enum ShellWord {
  /// Returns a quoted word in which a shell expands nothing.
  ///
  /// Terminal controls become visible symbols, so a word that had some no longer names anything.
  package static func quoted(_ word: some CustomStringConvertible) -> String {
    let visible = VisibleText.of(word.description, keepsTabs: false)
    return "'" + visible.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}

package enum MarkupText {
  /// Escapes text for HTML, XML and SVG, except within attributes, where quotes matter.
  package static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

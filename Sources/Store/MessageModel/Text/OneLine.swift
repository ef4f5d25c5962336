extension Unicode.Scalar {
  /// Whether a line ends at it.
  package var isLineEnd: Bool {
    switch value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  /// Whether nothing is seen where it stands: a space of any width, a tab, the end of a line.
  package var isSpace: Bool {
    value < 0x80 ? value == 0x20 || (0x09...0x0D).contains(value) : properties.isWhitespace
  }
}

extension StringProtocol {
  /// The first line in which anything but space stands, without space before it; `nil` if there is none.
  package var firstLine: SubSequence? {
    guard let start = unicodeScalars.firstIndex(where: { !$0.isSpace }) else { return nil }
    return self[start..<(unicodeScalars[start...].firstIndex(where: \.isLineEnd) ?? endIndex)]
  }

  /// Returns its words with one space between them, of a longer text so many characters and `…`; `nil` if it has no words.
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
    // A character has a byte at least.
    return words.utf8.count > limit && words.count > limit ? "\(words.prefix(limit))…" : words
  }
}

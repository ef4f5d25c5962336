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

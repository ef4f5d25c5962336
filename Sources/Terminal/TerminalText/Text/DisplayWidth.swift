/// The width of text on a terminal in columns.
///
/// Counted by grapheme cluster (UAX 29, Swift's `Character`): an emoji sequence takes two columns, any other
/// cluster the sum of its code points, as terminals without clusters draw it. Where terminals disagree, the
/// greater width counts, so that a row never overflows.
package enum DisplayWidth {
  /// The width of text without tabs, line ends and other control characters.
  ///
  /// - Complexity: O(bytes); ASCII needs no table, and clusters are formed only if code points may join.
  package static func columns(of text: some StringProtocol) -> Int {
    if let count = asciiCount(text) { return count }
    var count = 0
    for scalar in text.unicodeScalars {
      guard standsAlone(scalar.value) else { return text.reduce(0) { $0 + columns(of: $1) } }
      count += columns(of: scalar)
    }
    return count
  }

  /// 0 for a mark without a base, 2 for an ideograph.
  package static func columns(of character: Character) -> Int {
    if character.utf8.count == 1 { return 1 }
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if scalars.count == 1 { return columns(of: first) }
    if isEmojiSequence(scalars, first: first) { return 2 }
    return scalars.reduce(0) { $0 + columns(of: $1) }
  }

  /// 0, 1 or 2.
  package static func columns(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return 1 }
    if (0x4E00...0x9FFF).contains(value) || (0xAC00...0xD7A3).contains(value) { return 2 }
    if holds(WidthTable.zero, value) { return 0 }
    return holds(WidthTable.wide, value) ? 2 : 1
  }

  /// Whether terminals disagree on the width of any cluster.
  ///
  /// - Complexity: O(bytes); clusters are formed only if code points may join or are emoji.
  package static func isDoubtful(_ text: String) -> Bool {
    // Most texts have no byte of a code point from U+0300 on.
    let mayJoin = text.utf8.withContiguousStorageIfAvailable { $0.contains { $0 >= 0xCC } }
    guard mayJoin ?? text.utf8.contains(where: { $0 >= 0xCC }) else { return false }
    return text.unicodeScalars.contains { !standsAlone($0.value) } && text.contains { isDoubtful($0) }
  }

  /// Whether the code point never joins another such one (UAX 29), and has the same width on all terminals.
  private static func standsAlone(_ value: UInt32) -> Bool {
    switch value {
    // Latin, Greek, Cyrillic; punctuation; frames and blocks.
    case 0..<0x300, 0x370..<0x483, 0x48A..<0x530, 0x2010..<0x2028, 0x2030..<0x205F, 0x2500..<0x25FD: true
    // Han, kana, Hangul syllables, and their punctuation.
    case 0x3001..<0x302A, 0x3041..<0x3097, 0x30A0..<0x3100, 0x4E00..<0xA000, 0xAC00..<0xD7A4: true
    case 0xFF01..<0xFF9E: true
    default: false
    }
  }

  /// Whether terminals disagree on a cluster's width: some add up its code points, and older ones know fewer
  /// emoji.
  package static func isDoubtful(_ character: Character) -> Bool {
    let scalars = character.unicodeScalars
    guard let first = scalars.first, first.value >= 0xA9 || scalars.count > 1 else { return false }
    if first.value >= 0x1F000 || (0x2190..<0x2E80).contains(first.value) && columns(of: first) == 2 {
      return first.value < 0x20000 || scalars.count > 1
    }
    return scalars.dropFirst().contains { follower in
      switch follower.value {
      case 0x200D, 0x20E3, 0xFE00...0xFE0F: true
      default: columns(of: follower) > 0
      }
    }
  }

  private static func isEmojiSequence(
    _ scalars: Character.UnicodeScalarView, first: Unicode.Scalar
  ) -> Bool {
    if isRegionalIndicator(first) { return true }
    let isWide = holds(WidthTable.wide, first.value)
    guard isWide || holds(WidthTable.emoji, first.value) else { return false }
    return scalars.dropFirst().contains { follower in
      switch follower.value {
      case 0xFE0F, 0x20E3, 0x1F3FB...0x1F3FF: true
      case 0x200D: first.properties.isEmoji
      default: false
      }
    }
  }

  private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F1E6...0x1F1FF).contains(scalar.value)
  }

  private static func asciiCount(_ text: some StringProtocol) -> Int? {
    // On the raw bytes: the UTF-8 view would check each access.
    let lying = text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy { $0 < 0x80 } ? $0.count : -1 }
    guard let count = lying else { return text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : nil }
    return count < 0 ? nil : count
  }

  /// Whether one of the sorted pairs of first and last contains `value`.
  private static func holds(_ table: [UInt32], _ value: UInt32) -> Bool {
    var low = 0
    var high = table.count / 2
    while low < high {
      let middle = (low + high) / 2
      if table[middle * 2 + 1] < value { low = middle + 1 } else { high = middle }
    }
    return low * 2 < table.count && table[low * 2] <= value
  }
}

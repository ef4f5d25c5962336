/// Scripts without spaces between words, or with particles attached to words: Thai, Lao, Myanmar, Khmer,
/// Chinese, Japanese, Korean and Yi.
///
/// SQLite's tokenizers take a run of such characters for one word. So each character is indexed as a word and
/// a search looks for phrases.
package enum UnspacedScripts {
  /// The blocks of these scripts (<https://www.unicode.org/Public/UCD/latest/ucd/Blocks.txt>). They are part
  /// of the file format: a change requires rebuilding the index.
  static let blocks: [ClosedRange<UInt32>] = [
    0x0E00...0x0EFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x2E80...0xA4CF, 0xA960...0xA97F,
    0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF66...0xFFDC, 0x1B000...0x1B16F, 0x20000...0x3FFFD,
  ]

  package static func contains(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x0E00 && blocks.contains { $0.contains(scalar.value) }
  }

  static func spaced(_ text: some StringProtocol) -> String {
    var (text, bytes) = (String(text), [UInt8]())
    _ = text.withUTF8 { appendSpaced($0, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// - Parameter text: Well-formed UTF-8.
  /// - Returns: Whether it has any such character.
  static func appendSpaced(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) -> Bool {
    var (index, hasAny) = (0, false)
    while index < text.count {
      let lead = text[index]
      let end = index + (lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4)
      let isSign = lead >= 0xE0 && contains(scalar(text[index..<end]))
      if isSign { bytes.append(0x20) }
      bytes.append(contentsOf: text[index..<end])
      if isSign { bytes.append(0x20) }
      hasAny = hasAny || isSign
      index = end
    }
    return hasAny
  }

  private static func scalar(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Unicode.Scalar {
    let lead = UInt32(bytes[bytes.startIndex]) & (bytes.count == 3 ? 0x0F : 0x07)
    let value = bytes.dropFirst().reduce(lead) { $0 << 6 | UInt32($1 & 0x3F) }
    return Unicode.Scalar(value) ?? " "
  }

  /// Whether bytes are valid UTF-8 without these scripts; may be wrongly `false`, but never wrongly `true`.
  static func areSurelyAbsent(from bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < bytes.count {
      if bytes[index] < 0x80 {
        index += 1
        while index + 8 <= bytes.count,
          bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        { index += 8 }
        continue
      }
      let length = lengthOfOther(at: index, in: bytes)
      guard length > 0, index + length <= bytes.count else { return false }
      for byte in bytes[(index + 1)..<(index + length)] where byte & 0xC0 != 0x80 { return false }
      index += length
    }
    return true
  }

  private static func lengthOfOther(at index: Int, in bytes: UnsafeRawBufferPointer) -> Int {
    let next = index + 1 < bytes.count ? bytes[index + 1] : 0
    switch bytes[index] {
    case 0xC2...0xDF: return 2
    // Punctuation and symbols below the Chinese radicals.
    case 0xE2 where next < 0xBA: return 3
    // Emoji.
    case 0xF0 where next == 0x9F: return 4
    default: return 0
    }
  }
}

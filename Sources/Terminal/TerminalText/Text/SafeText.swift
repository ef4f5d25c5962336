internal import MessageModel

/// Outside text as lines that cannot control a terminal, reorder their neighbours or hide text.
///
/// Beyond ``/MessageModel/VisibleText`` it splits lines, shows byte order and annotation marks, and cuts long
/// runs of zero-width code points.
package enum SafeText {
  /// Joins the lines with `⏎`; tabs become spaces.
  package static func oneLine(_ text: some StringProtocol) -> String {
    if isPlain(text) { return String(text) }
    return lines(of: text).joined(separator: " ⏎ ").replacing("\t", with: " ")
  }

  /// Returns the lines of `text`; tabs are the only control characters left.
  ///
  /// A run of zero-width code points is cut after sixteen (no emoji or script needs more), with the number
  /// cut: `⟨+984⟩`.
  ///
  /// - Complexity: O(bytes).
  package static func lines(of text: some StringProtocol) -> [String] {
    if isPlain(text) { return [String(text)] }
    let parts = String(text).utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return parts.enumerated().map { index, part in
      let endsInReturn = index + 1 < parts.count && part.last == UInt8(ascii: "\r")
      return line(String(Substring(endsInReturn ? part.dropLast() : part)))
    }
  }

  private static func isPlain(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }

  private static func line(_ text: String) -> String {
    let visible = VisibleText.of(text)
    guard visible.utf8.contains(where: { $0 >= 0x80 }) else { return visible }
    var result = ""
    result.reserveCapacity(visible.utf8.count)
    var widthless = 0
    for scalar in visible.unicodeScalars {
      if scalar.value >= 0x300, !isHidden(scalar), DisplayWidth.columns(of: scalar) == 0 {
        widthless += 1
        if widthless <= most { result.unicodeScalars.append(scalar) }
        continue
      }
      if widthless > most { result += "⟨+\(widthless - most)⟩" }
      widthless = 0
      if isHidden(scalar) {
        result += "⟨U+\(String(scalar.value, radix: 16, uppercase: true))⟩"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return widthless > most ? result + "⟨+\(widthless - most)⟩" : result
  }

  private static let most = 16

  /// Whether a scalar is invisible and not part of a letter.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x206A...0x206F, 0xFFF9...0xFFFB, 0xFEFF: true
    default: false
    }
  }
}

/// Formatting codes of IRC: bold, colours and others (<https://modern.ircdocs.horse/formatting>). The screen
/// leaves them out, since a colour could hide text. The store keeps them; `/view` and piped output show them.
enum IRCFormatting {
  private static let bold: UInt8 = 0x02
  private static let color: UInt8 = 0x03
  private static let hexColor: UInt8 = 0x04

  static func stripped(_ text: String) -> String {
    guard text.utf8.contains(where: isCode) else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      guard isCode(byte) else {
        result.append(byte)
        index += 1
        continue
      }
      index += 1
      if byte == color { skipColors(bytes, &index, most: 2, fewest: 1, isDigit) }
      if byte == hexColor { skipColors(bytes, &index, most: 6, fewest: 6, isHexDigit) }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func skipColors(
    _ bytes: [UInt8], _ index: inout Int, most: Int, fewest: Int, _ isDigit: (UInt8) -> Bool
  ) {
    let first = bytes[index...].prefix(most).prefix(while: isDigit).count
    guard first >= fewest else { return }
    index += first
    guard index < bytes.count, bytes[index] == UInt8(ascii: ",") else { return }
    let second = bytes[(index + 1)...].prefix(most).prefix(while: isDigit).count
    if second >= fewest { index += 1 + second }
  }

  private static func isCode(_ byte: UInt8) -> Bool {
    switch byte {
    // Bold, colour, hexadecimal colour, reset, monospace, reverse, italic, strikethrough, underline.
    case bold, color, hexColor, 0x0F, 0x11, 0x16, 0x1D, 0x1E, 0x1F: true
    default: false
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x41...0x46).contains(byte & 0xDF)
  }
}

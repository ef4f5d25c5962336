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

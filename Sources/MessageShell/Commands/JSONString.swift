/// Strings in the JSON that commands print.
package enum JSONString {
  /// Returns a text in quotes, with escapes for what would end it or could control a terminal.
  package static func of(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5C: result += "\\" + String(scalar)
      case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0x61C:
        result += "\\u" + String(String(scalar.value + 0x10000, radix: 16).dropFirst())
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

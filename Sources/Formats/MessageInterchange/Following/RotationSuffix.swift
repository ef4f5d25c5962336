/// The suffix of a rotated log: a number (`.1`, `.1001`), a date or time (`-20240501`, `.2024-05-01`,
/// `-20240501T100000`, `.2024-05-01_10`), or `.old`.
enum RotationSuffix {
  static func places(in name: String) -> [String.Index] {
    name.indices.reversed().filter { place in
      place > name.startIndex && ".-_".contains(name[place])
        && isSuffix(name[name.index(after: place)...], behind: name[place])
    }
  }

  private static func isSuffix(_ text: Substring, behind mark: Character) -> Bool {
    if mark == "." {
      if !text.isEmpty, text.utf8.allSatisfy(isDigit) { return true }
      if text == "old" { return true }
    }
    return isMoment(text)
  }

  private static func isMoment(_ text: Substring) -> Bool {
    let digits = text.utf8.filter(isDigit)
    guard (8...14).contains(digits.count), text.utf8.count <= 20,
      text.utf8.allSatisfy({ isDigit($0) || "-_.T:Z".utf8.contains($0) }),
      text.utf8.first.map(isDigit) ?? false
    else { return false }
    if digits.count == 10, text.utf8.count == 10 { return true }
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + Int($1 - 0x30) } }
    return (1_970...2_200).contains(number(0..<4)) && (1...12).contains(number(4..<6))
      && (1...31).contains(number(6..<8))
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

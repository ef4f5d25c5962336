/// The English names of months and days of the week that logs are written with.
enum MonthNames {
  /// Returns 1 to 12 for the first three letters of a month's name, in any case.
  static func number(of letters: some Collection<UInt8>) -> Int? {
    guard letters.count >= 3 else { return nil }
    var key: UInt32 = 0
    for letter in letters.prefix(3) { key = key << 8 | UInt32(letter | 0x20) }
    return keys.firstIndex(of: key).map { $0 + 1 }
  }

  private static let keys: [UInt32] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ].map { name in name.utf8.reduce(0) { $0 << 8 | UInt32($1) } }
}

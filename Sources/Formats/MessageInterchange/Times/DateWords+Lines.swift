internal import MessageModel

/// Months in lines of logs, where most are English and all are many.
extension DateWords {
  /// 1 to 12 for an English name's first three letters, in any case.
  static func englishMonth(of letters: some Collection<UInt8>) -> Int? {
    guard letters.count >= 3 else { return nil }
    return englishKeys.firstIndex(of: letterKey(letters)).map { $0 + 1 }
  }

  /// Whether a word is an English month, whole or short.
  static func isEnglishMonth(_ word: String) -> Bool {
    let key = key(of: word)
    return key.utf8.count == word.utf8.count
      && senses(of: key).months.contains { $0.languages & english != .zero }
  }

  /// The month's name at a place in a line, in any language; `byteCount` includes spaces before and a full stop
  /// after it.
  ///
  /// - Parameter weekday: The weekday's name before it, whose languages come first.
  static func month(
    at start: Int, in line: Bytes, after weekday: Range<Int>? = nil
  ) -> (month: Int, byteCount: Int)? {
    guard start + 3 <= line.count else { return nil }
    if let month = englishMonth(of: line[start..<start + 3]), !isWordByte(line, start + 3) {
      return (month, 3)
    }
    var position = start
    while position < line.count, line[position] == 0x20 { position += 1 }
    let number = line[position...].prefix(2).prefix { $0 &- 48 < 10 }
    position += number.count
    let word = line[position...].prefix(longestWord).prefix { isWordByte($0) }
    position += word.count
    let key = key(of: Bytes(rebasing: word).string)
    guard let month = number.isEmpty ? month(of: key, line, weekday) : numberedMonth(number, key) else {
      return nil
    }
    if position < line.count, line[position] == UInt8(ascii: ".") { position += 1 }
    return (month, position - start)
  }

  private static func month(of key: String, _ line: Bytes, _ weekday: Range<Int>?) -> Int? {
    let weekdays = weekday.map { senses(of: self.key(of: Bytes(rebasing: line[$0]).string)).weekdays } ?? []
    return month(of: key, preferring: weekdays.reduce(into: .zero) { $0 |= $1.languages })
  }

  private static func numberedMonth(_ digits: Slice<Bytes>, _ key: String) -> Int? {
    let month = digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    let isNumbered = senses(of: key).contains { $0.meaning == .numberedMonth }
    return isNumbered && (1...12).contains(month) ? month : nil
  }

  /// In bytes.
  private static let longestWord = 48

  private static func isWordByte(_ line: Bytes, _ position: Int) -> Bool {
    position < line.count && isWordByte(line[position])
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x61...0x7A).contains(byte | 0x20)
  }

  private static func letterKey(_ letters: some Collection<UInt8>) -> UInt32 {
    letters.prefix(3).reduce(0) { $0 << 8 | UInt32($1 | 0x20) }
  }

  /// Most logs are in English, and spare the table.
  private static let englishKeys = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ].map { letterKey($0.utf8) }
}

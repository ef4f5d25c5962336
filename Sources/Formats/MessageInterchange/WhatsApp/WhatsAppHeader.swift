internal import MessageModel

/// A line's header before the sender: `[31/12/2019, 2:14:40 a.m.] ` or `31/12/19, 14:14 - `. It has one form
/// in all lines of a file (``Shape``), which tells it from a header quoted in a message.
struct WhatsAppHeader {
  struct Shape: Hashable {
    /// The first byte of the header's end: `]`, `-`, `–` or `:`.
    var end: UInt8
    var separator: UInt8
    var hasComma: Bool
    var hasSeconds: Bool
    var hasHalfDays: Bool
    var isYearFirst: Bool
    var yearDigits: Int
  }

  var shape: Shape
  var date: (Int, Int, Int)
  var hour: Int
  var minute: Int
  var second: Int
  var strangeWord: String?
  var putsYearFirst: Bool
  var body: Bytes

  init?(_ line: Bytes) {
    var cursor = Cursor(bytes: line)
    cursor.skipMarks()
    let isBracketed = cursor.takes(UInt8(ascii: "["))
    guard let (first, firstDigits) = cursor.number(), let separator = cursor.dateSeparator(),
      let (second, _) = cursor.number(), cursor.takes(separator), cursor.takesSpaces(),
      let (third, thirdDigits) = cursor.number(), (1...4).contains(firstDigits),
      (2...4).contains(thirdDigits) || firstDigits == 4 || firstDigits == 2 && thirdDigits == 1
    else { return nil }
    _ = separator == UInt8(ascii: ".") && cursor.takes(separator)
    var words: [String] = []
    let beforeWord = cursor.position
    if let word = cursor.word() { words.append(word) }
    let hasComma = Bytes(rebasing: line[beforeWord..<cursor.position]).contains(UInt8(ascii: ","))
    cursor.skipSpaces()
    guard let (hour, hourDigits) = cursor.number(), hourDigits <= 2, let mark = cursor.clockSeparator(),
      let (minute, minuteDigits) = cursor.number(), minuteDigits == 2
    else { return nil }
    var seconds: Int?
    if cursor.takes(mark) {
      guard let (value, digits) = cursor.number(), digits == 2 else { return nil }
      seconds = value
    }
    cursor.skipSpaces()
    if let word = cursor.word() { words.append(word) }
    cursor.skipSpaces()
    guard let end = cursor.end(isBracketed: isBracketed), hour < 24, minute < 60, seconds ?? 0 < 60 else {
      return nil
    }
    words.removeAll { HalfDay.isEmpty($0) }
    shape = Shape(
      end: end, separator: separator, hasComma: hasComma, hasSeconds: seconds != nil,
      hasHalfDays: !words.isEmpty, isYearFirst: firstDigits == 4,
      yearDigits: firstDigits == 4 || thirdDigits == 4 ? 4 : 2)
    date = (first, second, third)
    self.hour = words.isEmpty ? hour : words.lazy.compactMap { HalfDay.hour(hour, $0) }.first ?? hour
    strangeWord = words.first { HalfDay.hour(hour, $0) == nil }
    putsYearFirst = words.contains { HalfDay.isYearFirst($0) }
    self.minute = minute
    self.second = seconds ?? 0
    body = line.dropping(cursor.position)
  }
}

private struct Cursor {
  let bytes: Bytes
  var position = 0

  /// Direction marks and byte order marks, which WhatsApp inserts.
  mutating func skipMarks() {
    while true {
      if bytes.has("\u{200E}", at: position) || bytes.has("\u{200F}", at: position)
        || bytes.has("\u{202A}", at: position) || bytes.has("\u{202C}", at: position)
        || bytes.has("\u{FEFF}", at: position)
      {
        position += 3
      } else {
        return
      }
    }
  }

  mutating func takes(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  mutating func skipSpaces() {
    while position < bytes.count {
      if bytes[position] == 0x20 {
        position += 1
      } else if bytes.has("\u{A0}", at: position) {
        position += 2
      } else if bytes.has("\u{202F}", at: position) || bytes.has("\u{2009}", at: position)
        || bytes.has("\u{200E}", at: position) || bytes.has("\u{200F}", at: position)
      {
        position += 3
      } else {
        return
      }
    }
  }

  mutating func takesSpaces() -> Bool {
    skipSpaces()
    return true
  }

  mutating func number() -> (value: Int, digits: Int)? {
    var value = 0
    var digits = 0
    while digits < 5, let digit = digit() {
      value = value * 10 + digit
      digits += 1
    }
    return digits > 0 && digits < 5 ? (value, digits) : nil
  }

  private mutating func digit() -> Int? {
    guard position < bytes.count else { return nil }
    let byte = bytes[position]
    if byte &- 48 < 10 {
      position += 1
      return Int(byte - 48)
    }
    guard byte >= 0xC2 else { return nil }
    let length = UTF8Check.sequenceLength(bytes, at: position)
    guard length > 0, position + length <= bytes.count,
      let scalar = Bytes(rebasing: bytes[position..<position + length]).string.unicodeScalars.first,
      scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue
    else { return nil }
    position += length
    return Int(value)
  }

  mutating func dateSeparator() -> UInt8? {
    guard position < bytes.count, "/.-".utf8.contains(bytes[position]) else { return nil }
    position += 1
    skipSpaces()
    return bytes[position - 1] == 0x20 ? UInt8(ascii: ".") : bytes[position - 1]
  }

  mutating func clockSeparator() -> UInt8? {
    guard position < bytes.count, ":.".utf8.contains(bytes[position]) else { return nil }
    position += 1
    return bytes[position - 1]
  }

  mutating func word() -> String? {
    let start = position
    while position < bytes.count, position - start < Self.longestWord, !isAtEndOfWord {
      position += max(1, UTF8Check.sequenceLength(bytes, at: position))
    }
    guard position > start else { return nil }
    let word = DateWords.key(of: Bytes(rebasing: bytes[start..<min(position, bytes.count)]).string)
    return word.isEmpty ? nil : word
  }

  /// In bytes: some languages need three words.
  private static let longestWord = 64

  private var isAtEndOfWord: Bool {
    if "[]:-<>/(".utf8.contains(bytes[position]) || bytes.has("–", at: position) { return true }
    var copy = self
    return copy.digit() != nil
  }

  mutating func end(isBracketed: Bool) -> UInt8? {
    guard position < bytes.count else { return nil }
    let byte = bytes[position]
    if isBracketed {
      guard byte == UInt8(ascii: "]") else { return nil }
      position += 1
      _ = takes(0x20)
      return byte
    }
    for mark: StaticString in ["- ", "– ", ": "] where bytes.has(mark, at: position) {
      position += mark.utf8CodeUnitCount
      return byte
    }
    return nil
  }
}

/// Words for parts of the day on 12-hour clocks, in all languages.
enum HalfDay {
  /// The hour 0–23; `nil` if the word fits neither half of the day or both.
  static func hour(_ hour: Int, _ word: String) -> Int? {
    DateWords.hours(of: word).flatMap { DateWords.hour(hour, in: $0) }
  }

  /// Whether the word only stands beside times: `um`, `à`.
  static func isEmpty(_ word: String) -> Bool {
    DateWords.hours(of: word) == nil && DateWords.senses(of: word).contains { $0.meaning == .nothing }
  }

  /// Whether the word's script belongs to a language that puts the year first.
  static func isYearFirst(_ word: String) -> Bool {
    word.unicodeScalars.contains {
      (0x3040...0x30FF).contains($0.value) || (0x4E00...0x9FFF).contains($0.value)
        || (0xAC00...0xD7A3).contains($0.value)
    }
  }
}

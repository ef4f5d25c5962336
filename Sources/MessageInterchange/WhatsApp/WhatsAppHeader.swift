/// What stands before the sender in a line of WhatsApp's text export: `[31/12/2019, 2:14:40 a.m.] ` or `31/12/19, 14:14 - `.
///
/// Every language writes it another way; what one file writes is the same in all of its lines (``Shape``), so that a
/// quoted header in a message is told from its own.
struct WhatsAppHeader {
  /// How a header is written.
  struct Shape: Hashable {
    /// The first byte of what ends it: `]`, `-`, `–` or `:`.
    var end: UInt8
    var separator: UInt8
    var hasComma: Bool
    var hasSeconds: Bool
    var hasHalfDays: Bool
    var isYearFirst: Bool
    var yearDigits: Int
  }

  var shape: Shape
  /// The three numbers of the date, in their order.
  var date: (Int, Int, Int)
  var hour: Int
  var minute: Int
  var second: Int
  /// What follows: the sender and the text.
  var body: Bytes

  /// Reads the beginning of a line; `nil` if it is no header.
  init?(_ line: Bytes) {
    var cursor = Cursor(bytes: line)
    cursor.skipMarks()
    let isBracketed = cursor.takes(UInt8(ascii: "["))
    guard let (first, firstDigits) = cursor.number(), let separator = cursor.dateSeparator(),
      let (second, _) = cursor.number(), cursor.takes(separator), cursor.takesSpaces(),
      let (third, thirdDigits) = cursor.number(), (1...4).contains(firstDigits),
      (2...4).contains(thirdDigits)
        || firstDigits == 4
    else { return nil }
    _ = separator == UInt8(ascii: ".") && cursor.takes(separator)
    let hasComma = cursor.takes(UInt8(ascii: ","))
    cursor.skipSpaces()
    var half = cursor.word()
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
    if half == nil || HalfDay(half ?? "") == nil { half = cursor.word() ?? half }
    cursor.skipSpaces()
    guard let end = cursor.end(isBracketed: isBracketed) else { return nil }
    let halfDay = half.flatMap(HalfDay.init)
    if half != nil, halfDay == nil, !isBracketed, !HalfDay.isJoiningWord(half ?? "") { return nil }
    guard let hour = HalfDay.hour(hour, halfDay), minute < 60, seconds ?? 0 < 60 else { return nil }
    shape = Shape(
      end: end, separator: separator, hasComma: hasComma, hasSeconds: seconds != nil,
      hasHalfDays: halfDay != nil,
      isYearFirst: firstDigits == 4, yearDigits: firstDigits == 4 ? 4 : thirdDigits)
    date = (first, second, third)
    self.hour = hour
    self.minute = minute
    self.second = seconds ?? 0
    body = line.dropping(cursor.position)
  }
}

/// The half of a day, as languages name it.
private enum HalfDay {
  case morning, afternoon

  init?(_ word: String) {
    switch word {
    case "am", "a", "上午", "ص", "오전", "午前": self = .morning
    case "pm", "p", "下午", "م", "오후", "午後": self = .afternoon
    default: return nil
    }
  }

  /// Whether a word joins date and time: `02.05.18 à 18:00`.
  static func isJoiningWord(_ word: String) -> Bool {
    ["à", "um", "at", "klo", "kl", "às", "om", "в"].contains(word)
  }

  /// The hour of 24, or `nil` if there is no such hour.
  static func hour(_ hour: Int, _ half: HalfDay?) -> Int? {
    switch half {
    case nil: (0..<24).contains(hour) ? hour : nil
    case .morning: (0...12).contains(hour) ? hour % 12 : nil
    case .afternoon: (0...12).contains(hour) ? hour % 12 + 12 : (13..<24).contains(hour) ? hour : nil
    }
  }
}

/// Walks over the characters of a header.
private struct Cursor {
  let bytes: Bytes
  var position = 0

  /// Marks of direction and the mark of byte order, which WhatsApp strews in.
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

  /// Moves over spaces of all sorts.
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

  /// Reads a number of up to four digits, also Arabic and Persian ones.
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
    guard position + 1 < bytes.count else { return nil }
    let next = bytes[position + 1]
    let isArabic = byte == 0xD9 && (0xA0...0xA9).contains(next)
    guard isArabic || byte == 0xDB && (0xB0...0xB9).contains(next) else { return nil }
    position += 2
    return Int(next & 0x0F)
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

  /// Reads a word without its dots and the spaces in it: `p. m.` is `pm`.
  mutating func word() -> String? {
    var letters: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: ".") || isSpaceInWord(letters) {
        if byte == UInt8(ascii: ".") { position += 1 } else { skipSpaces() }
      } else if (0x61...0x7A).contains(byte | 0x20) {
        letters.append(byte | 0x20)
        position += 1
      } else if byte >= 0xC2, !bytes.has("\u{202F}", at: position), !bytes.has("\u{A0}", at: position),
        !bytes.has("–", at: position), digitFree(at: position)
      {
        let length = max(1, UTF8Check.sequenceLength(bytes, at: position))
        letters.append(contentsOf: bytes[position..<position + length])
        position += length
      } else {
        break
      }
    }
    return letters.isEmpty ? nil : String(decoding: letters, as: UTF8.self)
  }

  private func digitFree(at position: Int) -> Bool {
    var copy = self
    return copy.digit() == nil
  }

  /// Whether a space comes inside of `p. m.`.
  private func isSpaceInWord(_ letters: [UInt8]) -> Bool {
    guard letters == [UInt8(ascii: "a")] || letters == [UInt8(ascii: "p")] else { return false }
    var copy = self
    copy.skipSpaces()
    return copy.position > position && copy.position < bytes.count
      && bytes[copy.position] | 0x20 == UInt8(ascii: "m")
  }

  /// Moves over what ends a header and returns its first byte.
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

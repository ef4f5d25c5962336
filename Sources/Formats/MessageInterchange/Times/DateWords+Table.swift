internal import CEmbeddedFiles

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The table embedded in the program, and how words are found in it.
extension DateWords {
  /// - Parameter key: The word as ``key(of:)`` returns it.
  static func senses(of key: String) -> [Sense] {
    guard !key.isEmpty else { return [] }
    if let line = line(of: key) { return senses(in: line) }
    // Persian joins a month to the year after it by a sign; the table has forms with it only for some words.
    guard key.unicodeScalars.last == "\u{654}" else { return [] }
    return line(of: String(key.unicodeScalars.dropLast())).map(senses) ?? []
  }

  /// All words with their senses, for tests.
  static var all: [(key: String, senses: [Sense])] {
    var position = head.wordsStart
    var words: [(key: String, senses: [Sense])] = []
    while position < table.count {
      let end = table.position(of: 0x0A, from: position) ?? table.count
      let line = Bytes(rebasing: table[position..<end])
      words.append((line.first(line.position(of: 0x09) ?? line.count).string, senses(in: line)))
      position = end + 1
    }
    return words
  }

  /// The codes of the languages, in the order of their bits.
  static var languageCodes: [String] { head.languageCodes }

  private static var table: Bytes { Bytes(start: embedded_date_words_txt(), count: byteCount) }
  private static let byteCount = strlen(embedded_date_words_txt())
  private static let head = Head(table)

  private struct Head {
    let languageCodes: [String]
    let sets: [Languages]
    let wordsStart: Int

    init(_ table: Bytes) {
      var position = 0
      func nextLine() -> Bytes {
        let end = table.position(of: 0x0A, from: position) ?? table.count
        defer { position = min(end + 1, table.count) }
        return Bytes(rebasing: table[min(position, end)..<end])
      }
      var line = nextLine()
      while line.first == UInt8(ascii: "#") { line = nextLine() }
      languageCodes = line.string.split(separator: " ").map(String.init)
      let places = Dictionary(
        languageCodes.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
      _ = nextLine()
      var sets: [Languages] = []
      line = nextLine()
      while !line.isEmpty {
        let codes = line.string.split(separator: " ").compactMap { places[String($0)] }
        sets.append(codes.reduce(into: .zero) { $0 |= Languages(bit: $1) })
        line = nextLine()
      }
      self.sets = sets
      wordsStart = position
    }
  }

  private static func line(of key: String) -> Bytes? {
    var key = key
    return key.withUTF8 { key in
      let table = table
      var (low, high) = (head.wordsStart, table.count)
      while low < high {
        var start = (low + high) / 2
        while start > low, table[start - 1] != 0x0A { start -= 1 }
        let end = table.position(of: 0x0A, from: start) ?? table.count
        let line = Bytes(rebasing: table[start..<end])
        switch compare(line.first(line.position(of: 0x09) ?? line.count), Bytes(key)) {
        case 0: return line
        case ..<0: low = end + 1
        default: high = start
        }
      }
      return nil
    }
  }

  private static func compare(_ word: Bytes, _ key: Bytes) -> Int {
    guard let words = word.baseAddress, let keys = key.baseAddress else { return word.count - key.count }
    let order = memcmp(words, keys, min(word.count, key.count))
    return order == 0 ? word.count - key.count : Int(order)
  }

  /// Parses `lis	m10 336	m11 139`.
  private static func senses(in line: Bytes) -> [Sense] {
    var senses: [Sense] = []
    var position = line.position(of: 0x09) ?? line.count
    while position + 1 < line.count {
      let kind = line[position + 1]
      position += 2
      let value = number(line, &position)
      if position < line.count, line[position] == 0x20 { position += 1 }
      let second = number(line, &position, radix: kind == UInt8(ascii: "h") ? 16 : 10)
      if let sense = sense(kind, value, second) { senses.append(sense) }
      position = line.position(of: 0x09, from: position) ?? line.count
    }
    return senses
  }

  private static func sense(_ kind: UInt8, _ value: Int, _ second: Int) -> Sense? {
    let languages = head.sets.indices.contains(second) ? head.sets[second] : .zero
    switch kind {
    case UInt8(ascii: "m"): return Sense(meaning: .month(value), languages: languages)
    case UInt8(ascii: "d"): return Sense(meaning: .weekday(value), languages: languages)
    case UInt8(ascii: "n"): return Sense(meaning: .numberedMonth, languages: languages)
    case UInt8(ascii: "h"): return Sense(meaning: .hours(UInt32(second)), languages: .zero)
    case UInt8(ascii: "x"): return Sense(meaning: .nothing, languages: .zero)
    default: return nil
    }
  }

  private static func number(_ line: Bytes, _ position: inout Int, radix: Int = 10) -> Int {
    var value = 0
    while position < line.count {
      let byte = line[position]
      let digit = byte &- 48 < 10 ? Int(byte - 48) : Int(byte) - 0x61 + 10
      guard (0..<radix).contains(digit) else { break }
      value = value * radix + digit
      position += 1
    }
    return value
  }
}

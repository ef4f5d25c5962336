internal import Foundation

struct SecretReader {
  let bytes: UnsafeBufferPointer<UInt8>

  /// In bytes: the rest of a name after its keyword, and the text before a value.
  private static let longestName = 20
  private static let mostQuotes = 5
  private static let values = 8...200
  private static let longestKey = 16_384
  private static let shortestWebPart = 10

  static let blanks = ByteSet(" \t".utf8)
  private static let nameEnd = ByteSet(ByteSet.bytes["s"].map { $0 + " \t.".utf8 } ?? [])
  static let quotes = ByteSet("'\"`\\ \t".utf8)
  static let ends = ByteSet("'\"`\\ \t\r\n;,)]}<>&|".utf8)
  /// A value without quotes, and one within them.
  static let value = ByteSet((ByteSet.bytes["t"] ?? []) + "+/~!@#%^*?:$".utf8)
  static let letters = ByteSet(ByteSet.bytes["L"] ?? [])
  static let digits = ByteSet(ByteSet.bytes["d"] ?? [])
  private static let hex = ByteSet((ByteSet.bytes["X"] ?? []) + "-".utf8)

  /// Also after an escaped line break in a string, and after `_` if the word is rare: `my_ghp_…`.
  func begins(at place: Int, isRare: Bool = false) -> Bool {
    guard place > 0, ByteSet.word.contains(bytes[place - 1]) else { return true }
    if isRare, bytes[place - 1] == UInt8(ascii: "_") { return true }
    return place > 1 && bytes[place - 2] == UInt8(ascii: "\\") && "nrt".utf8.contains(bytes[place - 1])
  }

  func isEnd(_ place: Int) -> Bool { place >= bytes.count || Self.ends.contains(bytes[place]) }

  /// Where the value begins that is assigned to a name ending at `word`; `nil` without one.
  func value(behind word: Int) -> Int? {
    var place = word
    while place < bytes.count, place - word < Self.longestName, Self.nameEnd.contains(bytes[place]) {
      place += 1
    }
    place = skip(Self.quotes, from: place, most: 3)
    guard let sign = assignment(at: place) else { return nil }
    var start = skip(Self.quotes, from: place + sign, most: Self.mostQuotes)
    if start < bytes.count, bytes[start] == UInt8(ascii: "=") { start += 1 }
    return start < bytes.count ? start : nil
  }

  private func assignment(at place: Int) -> Int? {
    guard place < bytes.count else { return nil }
    let next = place + 1 < bytes.count ? bytes[place + 1] : 0
    switch bytes[place] {
    // A comparison is not an assignment.
    case UInt8(ascii: "="): return next == UInt8(ascii: "=") ? nil : next == UInt8(ascii: ">") ? 2 : 1
    case UInt8(ascii: ":"): return next == UInt8(ascii: "=") ? 2 : next == UInt8(ascii: ":") ? nil : 1
    default: return nil
    }
  }

  func skip(_ set: ByteSet, from start: Int, most: Int) -> Int {
    var place = start
    while place < bytes.count, place - start < most, set.contains(bytes[place]) { place += 1 }
    return place
  }

  /// A value as random as secrets; `nil` for names, paths and examples.
  func anyValue(from start: Int, least: Int) -> Range<Int>? {
    var end = start
    while end < bytes.count, end - start <= Self.values.upperBound, Self.value.contains(bytes[end]) {
      end += 1
    }
    while end > start, ".,:?!".utf8.contains(bytes[end - 1]) { end -= 1 }
    let range = start..<end
    guard range.count >= max(least, Self.values.lowerBound), range.count <= Self.values.upperBound,
      isEnd(end), hasLetterAndDigit(range), entropy(of: range) >= (range.count < 16 ? 3 : 3.5),
      !isExample(range), !isName(range)
    else { return nil }
    return range
  }

  func hasLetterAndDigit(_ range: Range<Int>) -> Bool {
    bytes[range].contains(where: Self.letters.contains) && bytes[range].contains(where: Self.digits.contains)
  }

  /// A path, an address, a variable, an id or checksum, or words.
  private func isName(_ range: Range<Int>) -> Bool {
    let value = bytes[range]
    if "/.$@#%".utf8.contains(bytes[range.lowerBound]) { return true }
    if value.contains(UInt8(ascii: "$")) && value.contains(UInt8(ascii: "{")) { return true }
    // UUIDs are ids of messages and sessions everywhere.
    if range.count == 36, value.allSatisfy(Self.hex.contains) { return true }
    let text = String(decoding: value, as: UTF8.self)
    if text.contains("://") || text.contains("::") || text.contains("@") && text.contains(".") { return true }
    // Words with numbers at their ends: `my-secret-name-2`, `ApiKeyV2`, `process.env.KEY_1`.
    let parts = text.split { "-_./:+=".contains($0) }
    return parts.allSatisfy { part in
      let rest = part.drop { $0.isLetter }
      return rest.count <= 4 && rest.allSatisfy(\.isNumber)
        || part.count <= 4 && part.allSatisfy { $0.isNumber }
    }
  }

  private static let examples = [
    "example", "placeholder", "changeme", "change-me", "change_me", "your", "xxxx", "dummy", "sample",
    "redacted", "notreal", "fake", "todo", "insert", "replace", "…", "...", "***",
  ]
  private static let sequences = ["12345678", "abcdefg", "00000000"]

  /// `VAPID_PUBLIC_KEY`, `publicKey`: public keys are not secret.
  func isOfPublicKey(at place: Int) -> Bool {
    let start =
      bytes[..<place].suffix(64).lastIndex { !Self.isOfName($0) }.map { $0 + 1 } ?? max(place - 64, 0)
    let name = bytes[start...].prefix(128).prefix(while: Self.isOfName)
    let letters = name.filter { $0 != 0x2D && $0 != 0x2E && $0 != 0x5F }
    return String(decoding: letters, as: UTF8.self).lowercased().hasSuffix("publickey")
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || [0x2D, 0x2E, 0x5F].contains(byte)
  }

  func isExample(_ range: Range<Int>) -> Bool {
    let text = lowercased(range)
    return (Self.examples + Self.sequences).contains { text.contains($0) }
  }

  /// As ``isExample(_:)``, but a known form may contain short sequences by chance.
  func isExampleOfForm(_ range: Range<Int>) -> Bool {
    let text = lowercased(range)
    let steps = zip(bytes[range], bytes[range].dropFirst())
    return Self.examples.contains { text.contains($0) }
      || steps.count { $1 == $0 &+ 1 } * 3 >= range.count * 2
  }

  private func lowercased(_ range: Range<Int>) -> String {
    String(decoding: bytes[range].prefix(Self.values.upperBound), as: UTF8.self).lowercased()
  }

  /// In bits per character, from the frequencies.
  func entropy(of range: Range<Int>) -> Double {
    guard !range.isEmpty else { return 0 }
    return withUnsafeTemporaryAllocation(of: Int32.self, capacity: 256) { counts in
      counts.initialize(repeating: 0)
      for byte in bytes[range] { counts[Int(byte)] += 1 }
      let total = Double(range.count)
      return counts.reduce(0) { sum, count in
        count == 0 ? sum : sum - Double(count) / total * log2(Double(count) / total)
      }
    }
  }

  /// OpenSSL's and OpenSSH's private keys, up to their end or that of the text.
  func privateKey(from start: Int) -> Range<Int>? {
    let line = start..<min(start + 100, bytes.count)
    let head = String(decoding: bytes[line].prefix { $0 != 0x0A }, as: UTF8.self)
    guard let name = head.range(of: "PRIVATE KEY", options: .caseInsensitive),
      let tail = head.range(of: "-----", range: name.upperBound..<head.endIndex)
    else { return nil }
    let body = start + head.utf8.distance(from: head.startIndex, to: tail.upperBound)
    let dashes = Array("-----".utf8)
    var place = body
    while place < bytes.count, place - body < Self.longestKey, !stands(dashes, at: place) { place += 1 }
    // A truncated key is still a key; a heading followed by words is not.
    let letters = bytes[body..<place].count { ByteSet.word.contains($0) }
    guard letters >= 64, letters * 10 >= (place - body) * (stands(dashes, at: place) ? 8 : 9) else {
      return nil
    }
    guard stands(Array("-----END".utf8), at: place) else { return start..<place }
    var end = place + dashes.count
    while end < bytes.count, end - place < 100, !stands(dashes, at: end) { end += 1 }
    return start..<min(end + dashes.count, bytes.count)
  }

  private func stands(_ text: [UInt8], at place: Int) -> Bool {
    place + text.count <= bytes.count && text.indices.allSatisfy { bytes[place + $0] == text[$0] }
  }

  func webToken(from start: Int) -> Int? {
    guard let letters = ByteSet.named["s"], start == 0 || !letters.contains(bytes[start - 1]) else {
      return nil
    }
    var place = start
    for part in 0..<3 {
      let begin = place
      while place < bytes.count, letters.contains(bytes[place]) { place += 1 }
      guard place - begin >= Self.shortestWebPart else { return nil }
      if part == 2 { break }
      guard place < bytes.count, bytes[place] == UInt8(ascii: ".") else { return nil }
      place += 1
    }
    return place
  }

  /// `scheme://name:password@host`
  func password(inAddressAt start: Int) -> Range<Int>? {
    var place = start
    let limit = min(start + Self.values.upperBound, bytes.count)
    var colon: Int?
    while place < limit, !Self.ends.contains(bytes[place]), bytes[place] != UInt8(ascii: "/") {
      if bytes[place] == UInt8(ascii: "@"), let colon {
        let (name, range) = (start..<colon, colon + 1..<place)
        guard range.count >= 6, entropy(of: range) >= 2.5, !isExample(range), !isVariable(range),
          !bytes[name].elementsEqual(bytes[range])
        else { return nil }
        return isWordForPassword(range) ? nil : range
      }
      if bytes[place] == UInt8(ascii: ":"), colon == nil { colon = place }
      place += 1
    }
    return nil
  }

  func isVariable(_ range: Range<Int>) -> Bool { "${<%*[".utf8.contains(bytes[range.lowerBound]) }

  func isWordForPassword(_ range: Range<Int>) -> Bool {
    let text = String(decoding: bytes[range], as: UTF8.self).lowercased()
    let words = ["password", "passwd", "secret", "postgres", "token"]
    // `mypassword` and `db_password` are words.
    let isOfLetters = text.utf8.allSatisfy {
      $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") || Self.letters.contains($0)
    }
    return words.contains { text.hasPrefix($0) || isOfLetters && text.contains($0) }
  }

  /// The value of `Authorization: Bearer` or `Basic`.
  func authorization(behind word: Int) -> Range<Int>? {
    var place = skip(Self.quotes, from: word, most: 3)
    guard place < bytes.count, bytes[place] == UInt8(ascii: ":") || bytes[place] == UInt8(ascii: "=") else {
      return nil
    }
    place = skip(Self.quotes, from: place + 1, most: Self.mostQuotes)
    let schemes = ["bearer", "basic", "token"].map { Array($0.utf8) }
    let scheme = schemes.first { scheme in
      place + scheme.count < bytes.count
        && scheme.indices.allSatisfy { WordTrie.folded(bytes[place + $0]) == scheme[$0] }
    }
    guard let scheme else { return nil }
    let start = skip(Self.blanks, from: place + scheme.count, most: 3)
    var end = start
    while end < bytes.count, end - start < 4_096, Self.value.contains(bytes[end]) { end += 1 }
    let range = start..<end
    guard range.count >= 12, start > place + scheme.count, entropy(of: range) >= 3, !isExample(range),
      !isVariable(range), hasLetterAndDigit(range)
    else { return nil }
    return range
  }
}

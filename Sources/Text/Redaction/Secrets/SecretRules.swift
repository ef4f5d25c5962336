internal import CEmbeddedFiles

/// The forms of keys and tokens in secret-rules.txt.
struct SecretRules: Sendable {
  struct Rule: Sendable {
    let kind: String
    let shape: SecretShape
    let entropy: Double
    /// Words of the name before the value; empty for values with their own form.
    let words: [String]
  }

  let rules: [Rule]

  static var text: String { String(cString: embedded_secret_rules_txt()) }

  static let all = SecretRules(text)

  init(_ text: String) {
    rules = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap(Self.rule)
  }

  static func rule(_ line: Substring) -> Rule? {
    let words = line.split(separator: " ")
    switch (words.first, words.count) {
    case ("token", 4):
      guard let shape = SecretShape(words[2]), let entropy = Double(words[3]), shape.keyword.count >= 2 else {
        return nil
      }
      return Rule(kind: String(words[1]), shape: shape, entropy: entropy, words: [])
    case ("assigned", 5):
      guard let shape = SecretShape(words[3]), let entropy = Double(words[4]) else { return nil }
      return Rule(
        kind: String(words[1]), shape: shape, entropy: entropy,
        words: words[2].split(separator: ",").map(String.init))
    default: return nil
    }
  }
}

/// A secret's form: literal text, and runs of bytes of a set. It is compared from left to right without
/// backtracking, so any text takes linear time.
struct SecretShape: Sendable {
  enum Part: Sendable {
    case text([UInt8])
    case run(ByteSet, ClosedRange<Int>)
  }

  let parts: [Part]
  /// The text to search for, and the number of bytes before it.
  let keyword: [UInt8]
  let leading: Int

  /// Parses `ghp_<w36>`.
  init?(_ spec: Substring) {
    var parts: [Part] = []
    var rest = spec
    while let first = rest.first {
      guard first == "<" else {
        let text = rest.prefix { $0 != "<" }
        parts.append(.text(Array(text.utf8)))
        rest = rest.dropFirst(text.count)
        continue
      }
      let run = rest.dropFirst().prefix { $0 != ">" }
      guard let letter = run.first, let set = ByteSet.named[letter] else { return nil }
      let bounds = run.dropFirst().split(separator: "-").compactMap { Int($0) }
      guard let least = bounds.first, let most = bounds.last, least <= most, bounds.count <= 2 else {
        return nil
      }
      parts.append(.run(set, least...most))
      rest = rest.dropFirst(run.count + 2)
    }
    guard !parts.isEmpty else { return nil }
    self.parts = parts
    (keyword, leading) = Self.keyword(of: parts)
  }

  /// Whether its first letters occur in no other names.
  var isRare: Bool {
    guard case .text(let text)? = parts.first else { return false }
    return text.count >= 4
  }

  /// The first text long enough to be rare, or else the longest, after parts of known length.
  private static func keyword(of parts: [Part]) -> ([UInt8], Int) {
    var (best, place): ([UInt8], Int) = ([], 0)
    var leading = 0
    for part in parts {
      switch part {
      case .text(let text):
        if text.count > best.count { (best, place) = (text, leading) }
        if best.count >= 3 { return (best, place) }
        leading += text.count
      case .run(_, let count):
        guard count.lowerBound == count.upperBound else { return (best, place) }
        leading += count.upperBound
      }
    }
    return (best, place)
  }

  /// `nil` if the bytes do not have this form, or continue.
  func end(from start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var end = start
    var last: ByteSet?
    for part in parts {
      switch part {
      case .text(let text):
        guard end + text.count <= bytes.count, text.indices.allSatisfy({ bytes[end + $0] == text[$0] }) else {
          return nil
        }
        end += text.count
        last = nil
      case .run(let set, let count):
        var length = 0
        while length < count.upperBound, end + length < bytes.count, set.contains(bytes[end + length]) {
          length += 1
        }
        guard length >= count.lowerBound else { return nil }
        end += length
        last = set
      }
    }
    guard end < bytes.count else { return end }
    let next = bytes[end]
    return (last ?? .word).contains(next) || ByteSet.word.contains(next) ? nil : end
  }
}

struct ByteSet: Sendable {
  private var bits: (UInt64, UInt64) = (0, 0)

  init(_ bytes: some Sequence<UInt8>) {
    for byte in bytes where byte < 64 { bits.0 |= 1 << UInt64(byte) }
    for byte in bytes where byte >= 64 && byte < 128 { bits.1 |= 1 << UInt64(byte - 64) }
  }

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    if byte < 64 { return bits.0 >> UInt64(byte) & 1 == 1 }
    return byte < 128 && bits.1 >> UInt64(byte - 64) & 1 == 1
  }

  private static let digits = Array(UInt8(ascii: "0")...UInt8(ascii: "9"))
  private static let small = Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
  private static let capital = Array(UInt8(ascii: "A")...UInt8(ascii: "Z"))

  static let word = ByteSet(digits + small + capital + "_".utf8)

  static let named: [Character: ByteSet] = bytes.mapValues { ByteSet($0) }

  static let bytes: [Character: [UInt8]] = [
    "d": digits, "x": digits + small.prefix(6), "X": digits + small.prefix(6) + capital.prefix(6),
    "H": digits + capital.prefix(6), "l": small, "L": small + capital, "n": digits + small,
    "N": digits + capital, "w": digits + small + capital, "b": digits + small + capital + "+/".utf8,
    "s": digits + small + capital + "_-".utf8, "e": digits + small + capital + "_=-".utf8,
    "t": digits + small + capital + "_.=-".utf8, "q": Array("234567".utf8) + capital,
    "c": Array("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".utf8), "o": digits + small.prefix(8),
  ]
}

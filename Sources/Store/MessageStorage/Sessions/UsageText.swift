internal import MessageModel

/// Parses tokens and costs in a session's messages, as history readers and aider write them: `Tokens: 1200
/// sent (1000 of them cached), 80 received. Cost: $0.01.` for some replies, `session: 1200 tokens in, 80 out,
/// $0.01` for all.
enum UsageText {
  static func add(_ text: String, to note: inout SessionNote) {
    for bytes in text.utf8.split(separator: UInt8(ascii: "\n"), maxSplits: 64) {
      let line = Substring(bytes)
      if let total = line.dropping("session: ") {
        addTotal(total, to: &note)
      } else if let start = line.firstBytes(of: "Tokens: "), isStart(start.lowerBound, of: line) {
        addTurn(line[start.upperBound...], to: &note)
      }
    }
  }

  /// Whether a line has only a model's name before a place.
  private static func isStart(_ place: Substring.Index, of line: Substring) -> Bool {
    place == line.startIndex || line[..<place].hasSuffix(": ")
  }

  private static func addTotal(_ text: Substring, to note: inout SessionNote) {
    var (sent, received, cost): (Int64?, Int64?, Int64?)
    for part in text.split(separator: ", ") {
      if part.hasSuffix(" tokens in") { sent = count(part) }
      if part.hasSuffix(" out") { received = count(part) }
      if part.hasPrefix("$") { cost = dollars(part) }
    }
    note.add(sent: sent, cached: nil, received: received, cost: cost)
  }

  private static func addTurn(_ text: Substring, to note: inout SessionNote) {
    var (sent, cached, received): (Int64?, Int64?, Int64?)
    let price = text.firstBytes(of: "Cost: ")
    let counts = text[..<(price?.lowerBound ?? text.endIndex)]
    for part in counts.utf8.split(whereSeparator: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "(") }) {
      let words = part.split(separator: UInt8(ascii: " "), maxSplits: 1).map { Substring($0) }
      guard words.count == 2 else { continue }
      if words[1].hasPrefix("sent") { sent = count(words[0]) }
      if words[1].hasPrefix("of them cached") || words[1].hasPrefix("cache hit") { cached = count(words[0]) }
      if words[1].hasPrefix("received") { received = count(words[0]) }
    }
    note.add(
      sent: sent, cached: cached, received: received, cost: price.flatMap { dollars(text[$0.upperBound...]) })
  }

  /// Parses a leading number, with `k` for thousands or `M` for millions.
  private static func count(_ text: some StringProtocol) -> Int64? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Double(String(digits)), number >= 0, number < 1e15 else { return nil }
    switch text.dropFirst(digits.count).first {
    case "k", "K": return Int64((number * 1e3).rounded())
    case "m", "M": return Int64((number * 1e6).rounded())
    default: return Int64(number)
    }
  }

  /// In millionths.
  private static func dollars(_ text: Substring) -> Int64? {
    guard text.first == "$" else { return nil }
    var digits = text.dropFirst().prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    // The point may end the sentence.
    if digits.last == "." { digits = digits.dropLast() }
    guard let amount = Double(String(digits)), amount >= 0, amount < 1e12 else { return nil }
    return Int64((amount * 1e6).rounded())
  }
}

extension Substring {
  fileprivate func dropping(_ beginning: String) -> Substring? {
    hasPrefix(beginning) ? dropFirst(beginning.count) : nil
  }
}

internal import HistoryModel
internal import MessageModel

/// The tokens and the cost that a line of a session reports.
package struct TokenUse: Hashable, Sendable {
  /// The id of the model, if the line names it.
  package var model: String?
  /// The input tokens, including those read from a cache and written to one.
  package var sent: Int64?
  /// The input tokens read from a cache.
  package var cached: Int64?
  /// The input tokens written to a cache.
  package var written: Int64?
  /// The output tokens.
  package var received: Int64?
  /// The cost in millionths of a US dollar.
  package var cost: Int64?

  package init() {}

  var isEmpty: Bool { sent == nil && cached == nil && received == nil && cost == nil }
}

/// Parses tokens and costs in a session's messages, as history readers and aider write them: `Tokens: 1200
/// sent (1000 of them cached, 150 written), 80 received. Cost: $0.01.` for some replies, after the name of a
/// model and a colon if there are several, and `session: 1200 tokens in, 80 out, $0.01` for all.
package enum UsageText {
  /// Full-text search finds each text with tokens or a cost by one of these words.
  package static let words = "tokens OR session"

  static func add(_ text: String, to note: inout SessionNote) {
    for use in uses(in: text) {
      note.add(sent: use.sent, cached: use.cached, received: use.received, cost: use.cost)
    }
  }

  /// Returns what the lines of a text report; nothing for other texts.
  package static func uses(in text: String) -> [TokenUse] {
    text.utf8.split(separator: UInt8(ascii: "\n"), maxSplits: 64).compactMap { bytes in
      let line = Substring(bytes)
      var use = TokenUse()
      if let total = line.dropping("session: ") {
        use.takeTotal(total)
      } else if let start = line.firstBytes(of: "Tokens: "), isStart(start.lowerBound, of: line) {
        let model = line[..<start.lowerBound].dropLast(2)
        use.model = model.isEmpty ? nil : String(model)
        use.takeTurn(line[start.upperBound...])
      }
      return use.isEmpty ? nil : use
    }
  }

  /// Whether a text says of the same models that they used more.
  static func grows(from old: String, to new: String) -> Bool {
    let (old, new) = (uses(in: old), uses(in: new))
    guard !old.isEmpty, old != new, old.map(\.model) == new.map(\.model) else { return false }
    return zip(old, new).allSatisfy { old, new in
      [\TokenUse.sent, \.cached, \.written, \.received, \.cost].allSatisfy { amount in
        old[keyPath: amount] ?? 0 <= new[keyPath: amount] ?? 0
      }
    }
  }

  /// Whether a line has only a model's name before a place.
  private static func isStart(_ place: Substring.Index, of line: Substring) -> Bool {
    place == line.startIndex || line[..<place].hasSuffix(": ")
  }
}

extension TokenUse {
  fileprivate mutating func takeTotal(_ text: Substring) {
    for part in text.split(separator: ", ") {
      if part.hasSuffix(" tokens in") { sent = Self.count(part) }
      if part.hasSuffix(" out") { received = Self.count(part) }
      if part.hasPrefix("$") { cost = Self.dollars(part) }
    }
  }

  fileprivate mutating func takeTurn(_ text: Substring) {
    let price = text.firstBytes(of: "Cost: ")
    let counts = text[..<(price?.lowerBound ?? text.endIndex)]
    for part in counts.utf8.split(whereSeparator: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "(") }) {
      let words = part.split(separator: UInt8(ascii: " "), maxSplits: 1).map { Substring($0) }
      guard words.count == 2 else { continue }
      if words[1].hasPrefix("sent") { sent = Self.count(words[0]) }
      if words[1].hasPrefix("of them cached") || words[1].hasPrefix("cache hit") {
        cached = Self.count(words[0])
      }
      if words[1].hasPrefix("written") { written = Self.count(words[0]) }
      if words[1].hasPrefix("received") { received = Self.count(words[0]) }
    }
    cost = price.flatMap { Self.dollars(text[$0.upperBound...]) }
  }

  /// Parses a leading number, with `k` for thousands or `M` for millions.
  private static func count(_ text: some StringProtocol) -> Int64? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Double(String(digits)), number >= 0, number < 1e12 else { return nil }
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

internal import Foundation
package import MessageModel
internal import MessageStorage

/// What a model's maker asks for a million tokens, in US dollars.
package struct ModelPrice: Hashable, Sendable {
  package var input: Double
  package var output: Double
  /// For input tokens read from a cache; `nil` if they cost as much as others.
  package var cacheRead: Double?
  /// For input tokens written to a cache; `nil` if they cost as much as others.
  package var cacheWrite: Double?
  /// The day on which the price was read: `2026-10-05`.
  package var date: String?
  /// The address of the page with the price.
  package var source: String?

  /// Returns the cost of tokens in millionths of a dollar, of which a price in dollars per million is the cost of one.
  func cost(of use: TokenUse) -> Int64 {
    let (sent, cached, written) = (use.sent ?? 0, use.cached ?? 0, use.written ?? 0)
    let fresh = max(0, Double(sent) - Double(cached) - Double(written))
    let cost =
      fresh * input + Double(cached) * (cacheRead ?? input) + Double(written) * (cacheWrite ?? input)
      + Double(use.received ?? 0) * output
    return Int64(min(cost, 1e18).rounded())
  }
}

/// Prices of models by id.
package struct PriceTable: Sendable {
  /// By the id without the maker and the day of the version (``key(of:)``).
  package private(set) var prices: [String: ModelPrice] = [:]

  /// Returns the price of a model, under any of the forms in which programs write its id; `nil` if unknown.
  package func price(of model: String) -> ModelPrice? { prices[Self.key(of: model)] }

  /// Returns the table with the prices of another one, which win.
  package func replaced(by other: PriceTable) -> PriceTable {
    var table = self
    table.prices.merge(other.prices) { $1 }
    return table
  }

  /// Returns `claude-opus-4-1` for `claude-opus-4-1-20250805`, `anthropic/claude-opus-4.1` and
  /// `us.anthropic.claude-opus-4-1-20250805-v1:0`.
  static func key(of model: String) -> String {
    var name = model.lowercased()[...]
    if let slash = name.lastIndex(of: "/") { name = name[name.index(after: slash)...] }
    if let maker = name.firstRange(of: "anthropic.") { name = name[maker.upperBound...] }
    name = name.prefix { !":@[".contains($0) }
    if name.hasSuffix("-v1") { name = name.dropLast(3) }
    var words = name.split(whereSeparator: { ".-".contains($0) })
    if isNumber(words.last, digits: 8) {
      words.removeLast()
    } else if words.count > 3, isNumber(words.last, digits: 2), isNumber(words[words.count - 2], digits: 2),
      isNumber(words[words.count - 3], digits: 4)
    {
      words.removeLast(3)
    }
    return words.joined(separator: "-")
  }

  private static func isNumber(_ word: Substring?, digits: Int) -> Bool {
    word.map { $0.utf8.count == digits && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } } ?? false
  }
}

extension PriceTable {
  /// Parses prices: JSON, or a table with a model a line (docs/sessions.md).
  ///
  /// - Parameter file: The name of the file for errors.
  /// - Throws: ``StoreError`` of kind `invalidRequest` with the line, or what JSON lacks.
  package init(reading text: String, from file: String) throws(StoreError) {
    if text.first(where: { !$0.isWhitespace }) == "[" {
      try self.init(json: text, file)
    } else {
      try self.init(table: text, file)
    }
  }

  private struct Entry: Decodable {
    var model: String
    var input: Double
    var output: Double
    var cacheRead: Double?
    var cacheWrite: Double?
  }

  private init(json text: String, _ file: String) throws(StoreError) {
    let entries: [Entry]
    do {
      entries = try JSONDecoder().decode([Entry].self, from: Data(text.utf8))
    } catch {
      throw Self.mistake(file, "it is not a list of objects with model, input and output")
    }
    for entry in entries {
      let numbers = [entry.input, entry.output, entry.cacheRead ?? 0, entry.cacheWrite ?? 0]
      guard numbers.allSatisfy(Self.isPrice) else { throw Self.mistake(file, "a price of '\(entry.model)'") }
      prices[Self.key(of: entry.model)] = ModelPrice(
        input: entry.input, output: entry.output, cacheRead: entry.cacheRead, cacheWrite: entry.cacheWrite)
    }
  }

  private init(table text: String, _ file: String) throws(StoreError) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init)
      if words.isEmpty { continue }
      let numbers = words.dropFirst().prefix(4).map { $0 == "-" ? nil : Double($0) }
      let areRead = zip(words.dropFirst(), numbers).allSatisfy { word, number in
        word == "-" || number.map(Self.isPrice) == true
      }
      guard areRead, numbers.count >= 2, let input = numbers[0], let output = numbers[1] else {
        throw Self.mistake(file, "line \(index + 1)")
      }
      prices[Self.key(of: words[0])] = ModelPrice(
        input: input, output: output, cacheRead: numbers.count > 2 ? numbers[2] : nil,
        cacheWrite: numbers.count > 3 ? numbers[3] : nil, date: words.count > 5 ? words[5] : nil,
        source: words.count > 6 ? words[6] : nil)
    }
  }

  private static func isPrice(_ number: Double) -> Bool { number >= 0 && number < 1e6 }

  private static func mistake(_ file: String, _ place: String) -> StoreError {
    StoreError(
      .invalidRequest, "cannot read prices from '\(VisibleText.of(file))'",
      cause: "not understood: \(VisibleText.of(place))",
      remedy: .words("a line such as: claude-opus-5-5 4 20 0.20 5 (input, output, cache read, cache write)"))
  }
}

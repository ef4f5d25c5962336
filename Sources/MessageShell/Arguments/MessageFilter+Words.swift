internal import MessageModel

extension MessageFilter {
  /// Reads a filter from words: `from:alice since:2024 has:link kind:join text "full text" regex:colou?r`.
  ///
  /// Quotes keep words together, also behind a colon; words without a key are a full-text query.
  ///
  /// - Throws: ``UsageError`` that names the key or the quote that is not understood. What looks like a key and is
  ///   none is not taken for a word to look for, unless it stands in quotes.
  package init(words text: some StringProtocol) throws(UsageError) {
    self.init()
    var query: [String] = []
    for word in try Self.words(of: String(text)) {
      switch word.key {
      case nil where word.value == "text" && !word.isQuoted: isTextOnly = true
      case nil: query.append(word.isQuoted ? "\"\(word.value)\"" : word.value)
      case let key?: try take(key, word.value)
      }
    }
    if !query.isEmpty { self.query = query.joined(separator: " ") }
  }

  /// The keys that a filter is put together from.
  package static let keys = ["from", "since", "until", "has", "kind", "matching", "regex", "filter"]

  /// The filter in words, from which ``init(words:)`` reads it again unless a value has quotes in it.
  package var words: String {
    var parts = senders.map { Self.pair("from", $0) }
    parts += [since.map { Self.pair("since", $0) }, until.map { Self.pair("until", $0) }].compactMap { $0 }
    parts += kinds.map { Self.pair("kind", $0) }
    if isTextOnly { parts.append("text") }
    parts += features.map { Self.pair("has", $0) }
    if let pattern { parts.append(Self.pair("regex", pattern)) }
    parts += saved.map { Self.pair("filter", $0) }
    if let query { parts.append(Self.hasStrangeKey(query) ? Self.pair("matching", query) : query) }
    return parts.joined(separator: " ")
  }

  /// Whether a query that stands alone would be read as a key and its value.
  private static func hasStrangeKey(_ query: String) -> Bool {
    !query.contains("\"")
      && query.split(whereSeparator: \.isWhitespace).contains { strangeKey(of: $0) != nil }
  }

  /// Returns what stands before the colon of a word like `form:alice`; `nil` if it is no key: of an address, a time, an
  /// emoji.
  private static func strangeKey(of word: Substring) -> Substring? {
    guard let colon = word.firstIndex(of: ":"), colon > word.startIndex else { return nil }
    let key = word[..<colon]
    guard key.allSatisfy({ $0.isLetter || $0 == "-" }), !word[colon...].hasPrefix("://") else { return nil }
    return key
  }

  private static func unknown(_ key: Substring, in word: Substring) -> UsageError {
    let near = Nearest.name(to: String(key), among: keys)
    let shown = VisibleText.of(String(word.prefix(60)))
    return UsageError(
      "no filter '\(VisibleText.of(String(key.prefix(40)))):'",
      cause: near.map { "did you mean '\($0):'?" } ?? "a text to look for stands in quotes",
      remedy: "\"\(shown)\"")
  }

  private static func pair(_ key: String, _ value: String) -> String {
    value.contains(where: \.isWhitespace) ? "\(key):\"\(value)\"" : "\(key):\(value)"
  }

  /// The words that `has:` knows.
  package static var features: [String] { MessagePredicate.Feature.allCases.map(\.rawValue) }
  /// The words that `kind:` knows.
  package static var kinds: [String] { Message.Kind.allCases.map(\.name) }

  private mutating func take(_ key: String, _ value: String) throws(UsageError) {
    guard !value.isEmpty else { throw UsageError("'\(key):' wants more", remedy: "/help filter") }
    switch key {
    case "from": senders.append(value)
    case "since": since = value
    case "until": until = value
    case "has": features.append(value)
    case "kind": kinds.append(value)
    case "matching": query = value
    case "filter": saved.append(value)
    default: pattern = value
    }
  }

  private struct Word {
    var key: String?
    var value: String
    var isQuoted = false
  }

  /// Parts a text at spaces outside of quotes; a word with one of the keys and a colon in front is a pair.
  private static func words(of text: String) throws(UsageError) -> [Word] {
    var words: [Word] = []
    var rest = text[...].drop(while: \.isWhitespace)
    while !rest.isEmpty {
      var word = Word(value: "")
      if let key = keys.first(where: { rest.hasPrefix($0 + ":") }) {
        word.key = key
        rest = rest.dropFirst(key.count + 1)
      }
      if rest.first == "\"" {
        guard let end = rest.dropFirst().firstIndex(of: "\"") else {
          throw UsageError("a quote is not closed", remedy: "\"…\"")
        }
        word.isQuoted = true
        word.value = String(rest[..<end].dropFirst())
        rest = rest[end...].dropFirst()
      } else {
        let value = rest.prefix { !$0.isWhitespace }
        if word.key == nil, let key = strangeKey(of: value) { throw unknown(key, in: value) }
        word.value = String(value)
        rest = rest[value.endIndex...]
      }
      words.append(word)
      rest = rest.drop(while: \.isWhitespace)
    }
    return words
  }
}

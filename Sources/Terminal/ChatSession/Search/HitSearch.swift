internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import TerminalText

/// A search: its query, the reader's place in it, and the number of its hits. A ``HitWindow`` holds the hits.
/// It cannot count them: a window counts its whole selection after each change, while these counts take
/// seconds, can be cancelled, and concern one place.
struct HitSearch: Sendable {
  /// Distinguishes it from earlier searches, whose results are dropped.
  var number: Int
  /// Safe for display.
  var query: String
  var predicate: MessagePredicate
  var direction: HistoryView.Direction
  var place: Message.ID?
  /// `nil` until counted.
  var count: Int?
  var estimate: Int?
  /// The number of the current hit, 1 for the newest; `nil` if unknown.
  private(set) var ordinal: Int?
  /// The number of hits from where counting began to the present, older hit; `nil` if unknown.
  private var stepsSinceCount: Int?
  var step: HistoryView.Direction?
  var known: HitWindow?
  /// Whether a count is in progress, and whether another must follow it.
  var isCounting = false
  var isStale = false
  var recountsAt: ContinuousClock.Instant?
  var marks: [String] = []

  private static let mostMarks = 64

  init(_ query: String, _ predicate: MessagePredicate, number: Int, direction: HistoryView.Direction = .older)
  {
    self.direction = direction
    self.number = number
    self.query = SafeText.oneLine(query.prefix(200))
    self.predicate = predicate
  }

  var isIndexed: Bool {
    if case .matching = predicate { true } else { false }
  }

  var findsWords: Bool {
    if case .regex = predicate { false } else { true }
  }

  /// The words of a combined search, which limit its hits; `nil` for none.
  var wordsWithin: MessagePredicate? {
    guard case .and = predicate else { return nil }
    let words = predicate.conjuncts.filter { if case .matching = $0 { true } else { false } }
    return words.isEmpty ? nil : .all(of: words)
  }

  var lacksOrdinal: Bool { ordinal == nil }

  mutating func arrive(at hit: Message.ID) {
    let isSame = hit == place
    let distance: Int? = isSame ? 0 : step.map { $0 == .older ? 1 : -1 }
    step = nil
    place = hit
    ordinal = ordinal.flatMap { number in distance.map { max(1, number + $0) } }
    stepsSinceCount = stepsSinceCount.flatMap { steps in distance.map { steps + $0 } }
  }

  mutating func forgetCount(number: Int) {
    self.number = number
    (count, estimate, ordinal, stepsSinceCount, recountsAt) = (nil, nil, nil, nil, nil)
    (isCounting, isStale) = (false, false)
  }

  mutating func beginCounting() {
    isCounting = true
    stepsSinceCount = 0
  }

  /// - Parameter older: The number of hits older than the one where counting began.
  mutating func takeOlder(_ older: Int?) {
    guard let older, let count, let steps = stepsSinceCount else {
      // The reader has moved meanwhile.
      ordinal = nil
      isStale = isStale || older != nil
      return
    }
    let number = count - older + steps
    ordinal = (1...max(1, count)).contains(number) ? number : nil
  }

  /// Adds the words that were found. Those beyond the loaded part of a long text are in the snippet.
  mutating func mark(_ hit: SearchHit) {
    mark(hit.matches, in: hit.message.text)
    mark(hit.snippet.matches, in: hit.snippet.text)
  }

  private mutating func mark(_ matches: [Range<Int>], in text: String) {
    let bytes = Array(text.utf8)
    for range in matches where range.upperBound <= bytes.count && marks.count < Self.mostMarks {
      let text = String(decoding: bytes[range], as: UTF8.self).lowercased()
      if !text.isEmpty, !marks.contains(text) { marks.append(text) }
    }
  }
}

extension ReplContext {
  /// Throws ``StoreError`` of kind `invalidRequest` or `notFound` for an unknown term.
  func predicate(of query: String) throws -> MessagePredicate {
    if query.hasPrefix(Self.expressionPrefix) {
      return .regex(String(query.dropFirst(Self.expressionPrefix.count)))
    }
    return try predicate(MessageQuery(query))
  }

  static let expressionPrefix = "regex:"

  func meaning(of typed: TypedQuery) -> (query: String, predicate: MessagePredicate)? {
    for text in [typed.shown, typed.before] {
      let query = String(text.trimming(while: \.isWhitespace))
      if let predicate = try? predicate(of: query) { return (query, predicate) }
    }
    return nil
  }

  /// The first hit from `place` in the search's direction, `place` included, else the next on the other side.
  func firstHit(
    _ search: HitSearch, from place: Message.ID, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(StoreError) -> Message.ID? {
    let isOlder = search.direction == .older
    let edge = isOlder ? place.successor : place.predecessor
    if let hit = try hit(search.predicate, search.direction, of: edge, isCancelled: isCancelled) {
      return hit
    }
    return try hit(search.predicate, isOlder ? .newer : .older, of: place, isCancelled: isCancelled)
  }

  func hit(
    _ predicate: MessagePredicate, _ direction: HistoryView.Direction, of place: Message.ID,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(StoreError) -> Message.ID? {
    switch direction {
    case .older:
      try store.previousHits(predicate, in: selection, before: place, isCancelled: isCancelled).first
    case .newer: try store.nextHits(predicate, in: selection, after: place, isCancelled: isCancelled).first
    }
  }

  func mark(_ id: Message.ID, in search: inout HitSearch) throws(StoreError) {
    if let hit = try store.hit(id, of: search.predicate) { search.mark(hit) }
  }

  /// Includes suggestions, which take look-ups: call it on another thread.
  func nothingFound(_ search: HitSearch) -> UsageError {
    var error = UsageError(
      NothingFound(in: selection, of: store).error(
        search.query, search.predicate, remark: filter.map { "only [\($0.words)] was searched" }))
    if error.remedy == nil, let expression = Self.expression(in: search.query) {
      error.remedy = .words("/search \(Self.expressionPrefix)\(expression)")
    }
    return error
  }

  /// The regular expression that a user of less or vi means by a query; `nil` if it looks like words.
  private static func expression(in query: String) -> Substring? {
    guard !query.hasPrefix(expressionPrefix),
      query.hasPrefix("^") || query.contains(".*") || query.contains("\\")
    else { return nil }
    // A word that is still typed has a star behind it.
    return query.hasSuffix("*") && !query.hasSuffix(".*") ? query.dropLast() : query[...]
  }
}

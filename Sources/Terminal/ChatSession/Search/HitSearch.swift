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
  /// The earliest time to count again after changes.
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

  /// Whether an index finds the hits.
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

  mutating func mark(_ hit: SearchHit) {
    let bytes = Array(hit.message.text.utf8)
    for range in hit.matches where range.upperBound <= bytes.count && marks.count < Self.mostMarks {
      let text = String(decoding: bytes[range], as: UTF8.self).lowercased()
      if !text.isEmpty, !marks.contains(text) { marks.append(text) }
    }
  }
}

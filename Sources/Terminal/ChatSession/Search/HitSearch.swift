internal import MessageModel
internal import MessageStorage
internal import TerminalText

/// A search that a reader steps through: what was typed, where they are in it, and how far its hits are counted.
///
/// The hits themselves are a window's (``HitWindow``). What is here it cannot be: a window counts its whole selection again
/// at each change, while these counts take seconds, are called off, and are those of one place.
struct HitSearch: Sendable {
  /// Tells it from those before: answers to them are of no use any more.
  var number: Int
  /// The query as it was typed, safe to be shown.
  var query: String
  var predicate: MessagePredicate
  /// In which direction it goes on.
  var direction: HistoryView.Direction
  /// The hit that the reader is at.
  var place: Message.ID?
  /// The number of hits; `nil` as long as they are being counted.
  var count: Int?
  /// About how many hits there are, as long as they are being counted.
  var estimate: Int?
  /// The number of the present hit among all, 1 for the newest; `nil` as long as it is not known.
  private(set) var ordinal: Int?
  /// The number of hits from the one at which counting began to the present, older one; `nil` if that is not known.
  private var stepsSinceCount: Int?
  /// The step that is being made from a hit to the one next to it.
  var step: HistoryView.Direction?
  /// The hits around that place, as far as they have been read; `nil` if nothing is known of them.
  var known: HitWindow?
  /// Whether they are being counted, and whether that has to be done again afterwards.
  var isCounting = false
  var isStale = false
  /// Before when they are not counted again because of changes.
  var recountsAt: ContinuousClock.Instant?
  /// The texts that were found, to be shown as hits.
  var marks: [String] = []

  /// The most texts that are shown as hits.
  private static let mostMarks = 64

  /// Creates a search for what a predicate lets through.
  init(_ query: String, _ predicate: MessagePredicate, number: Int, direction: HistoryView.Direction = .older)
  {
    self.direction = direction
    self.number = number
    self.query = SafeText.oneLine(query.prefix(200))
    self.predicate = predicate
  }

  /// Whether hits come from an index, at once at any depth.
  var isIndexed: Bool {
    if case .matching = predicate { true } else { false }
  }

  /// Whether what it finds are whole words.
  var findsWords: Bool {
    if case .regex = predicate { false } else { true }
  }

  /// The words of a search for something else, too: most of what they find it may find; `nil` for none.
  var wordsWithin: MessagePredicate? {
    guard case .and = predicate else { return nil }
    let words = predicate.conjuncts.filter { if case .matching = $0 { true } else { false } }
    return words.isEmpty ? nil : .all(of: words)
  }

  /// Whether the number of the present hit has to be counted.
  var lacksOrdinal: Bool { ordinal == nil }

  /// Takes note that the reader is at a hit.
  mutating func arrive(at hit: Message.ID) {
    let isSame = hit == place
    let distance: Int? = isSame ? 0 : step.map { $0 == .older ? 1 : -1 }
    step = nil
    place = hit
    ordinal = ordinal.flatMap { number in distance.map { max(1, number + $0) } }
    stepsSinceCount = stepsSinceCount.flatMap { steps in distance.map { steps + $0 } }
  }

  /// Forgets how many hits there are, and that they are being counted.
  mutating func forgetCount(number: Int) {
    self.number = number
    (count, estimate, ordinal, stepsSinceCount, recountsAt) = (nil, nil, nil, nil, nil)
    (isCounting, isStale) = (false, false)
  }

  /// Takes note that counting begins.
  mutating func beginCounting() {
    isCounting = true
    stepsSinceCount = 0
  }

  /// Takes in how many hits are older than that at which counting began.
  mutating func takeOlder(_ older: Int?) {
    guard let older, let count, let steps = stepsSinceCount else {
      // Somebody has gone elsewhere meanwhile.
      ordinal = nil
      isStale = isStale || older != nil
      return
    }
    let number = count - older + steps
    ordinal = (1...max(1, count)).contains(number) ? number : nil
  }

  /// Remembers what was found in a text.
  mutating func mark(_ hit: SearchHit) {
    let bytes = Array(hit.message.text.utf8)
    for range in hit.matches where range.upperBound <= bytes.count && marks.count < Self.mostMarks {
      let text = String(decoding: bytes[range], as: UTF8.self).lowercased()
      if !text.isEmpty, !marks.contains(text) { marks.append(text) }
    }
  }
}

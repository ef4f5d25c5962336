internal import MessageModel
internal import MessageStorage
internal import TerminalText

/// A search that a reader steps through.
struct HitSearch: Hashable, Sendable {
  /// Tells it from those before: answers to them are of no use any more.
  var number: Int
  /// The query as it was typed, safe to be shown.
  var query: String
  var pattern: SearchPattern
  /// In which direction it goes on.
  var direction: HistoryView.Direction
  /// The hit that the reader is at.
  var place: Message.ID?
  /// The number of hits; `nil` as long as they are being counted.
  var count: Int?
  /// The hits around that place, as far as they have been read; `nil` if nothing is known of them.
  var known: KnownHits?
  /// Goes up when they are forgotten: what was asked for before is of no use then.
  var edition = 0
  /// Whether they are being counted, and whether that has to be done again afterwards.
  var isCounting = false
  var isStale = false
  /// Before when they are not counted again because of changes.
  var recountsAt: ContinuousClock.Instant?
  /// The texts that were found, to be shown as hits.
  var marks: [String] = []

  /// The most texts that are shown as hits.
  private static let mostMarks = 64

  /// Reads what was typed: words or, behind `regex:`, a regular expression.
  init(_ query: String, number: Int, direction: HistoryView.Direction = .older) {
    self.direction = direction
    self.number = number
    self.query = SafeText.oneLine(query.prefix(200))
    let prefix = "regex:"
    pattern =
      query.hasPrefix(prefix) ? .regex(String(query.dropFirst(prefix.count))) : .words(query)
  }

  /// Whether hits come from an index, at once at any depth.
  var isIndexed: Bool {
    if case .words = pattern { return true }
    return false
  }

  /// Forgets what is known of the hits, but for one that was found just now.
  mutating func know(_ hit: Message.ID?) {
    edition += 1
    known = hit.map { KnownHits($0) }
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

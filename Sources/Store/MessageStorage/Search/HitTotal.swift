internal import GRDB
internal import MessageModel

/// The number of messages that a search finds along lists of ids: counted where they are few, else estimated from some of them.
///
/// An estimate looks at the same number of entries in each of a few equal parts of all messages and asks how many messages they
/// are spread over, so that it costs the same for each word of each store.
struct HitTotal {
  private(set) var count = 0
  private(set) var isExact = true

  /// The number of entries of indexes, and of messages, that are looked at.
  struct Bounds {
    /// Up to this many are counted.
    var counted: Int
    /// So many in each part where there are more.
    var sampled: Int

    static let ofWordsAlone = Bounds(counted: 16_384, sampled: 1_024)
    /// Bounds where several indexes are walked, which is some hundredths of a second.
    static let ofIndexes = Bounds(counted: 262_144, sampled: 4_096)
    /// Bounds where messages are read for a further condition.
    static let ofMessages = Bounds(counted: 6_144, sampled: 384)
    /// Bounds where one look is as much work as counting all.
    static let all = Bounds(counted: .max, sampled: 0)

    init(counted: Int, sampled: Int) { (self.counted, self.sampled) = (counted, sampled) }

    init(of reader: PageReader) {
      if reader.mergesWords {
        self = .all
      } else if reader.looksAtMessages {
        self = .ofMessages
      } else {
        self = reader.plan?.wordsAlone == nil ? .ofIndexes : .ofWordsAlone
      }
    }
  }

  private static let partCount = 8

  /// - Parameters:
  ///   - reader: What finds them, by lists of ids.
  ///   - scope: The conversation, or 0 for all.
  init(_ reader: PageReader, scope: Int64) throws {
    let bounds = Bounds(of: reader)
    var filter = FacetFilter()
    if let ids = reader.predicate.ids { filter.ids = ids }
    let look = try reader.look(at: bounds.counted, .newer, in: filter.ids)
    count = look.ids.count
    guard !look.isComplete else { return }
    isExact = false
    let messages = Ordinals(db: reader.db, scope: scope, filter: filter)
    count = max(count, try Self.estimate(reader, messages, bounds.sampled))
  }

  private static func estimate(
    _ reader: PageReader, _ messages: Ordinals, _ limit: Int
  ) throws -> Int {
    let total = try messages.total()
    let last = messages.filter.ids.upperBound
    var sum = 0
    for part in 0..<partCount {
      let first = total / partCount * part
      let end = part == partCount - 1 ? total : total / partCount * (part + 1)
      guard first < end, let from = try messages.id(at: first) else { continue }
      let until = part == partCount - 1 ? last : try messages.id(at: end)?.predecessor ?? last
      let look = try reader.look(at: limit, .newer, in: ClosedRange(from: from, to: max(from, until)))
      guard let reached = look.reached, !look.isComplete else {
        sum = sum.adding(look.ids.count)
        continue
      }
      let span = try max(messages.ordinal(of: reached.successor) - first, 1)
      let size = Double(end - first)
      sum = sum.adding(Int(min(Double(look.ids.count) * size / Double(span), size)))
    }
    return min(sum, total)
  }
}

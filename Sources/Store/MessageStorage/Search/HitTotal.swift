internal import GRDB
internal import MessageModel

/// The number of hits of a search in lists of ids from the indexes: counted if they are few, else estimated.
/// An estimate divides all messages into a few equal parts, and reads a fixed number of entries in each, so
/// its cost does not depend on the words or the size of the store.
struct HitTotal {
  private(set) var count = 0
  private(set) var isExact = true

  struct Bounds {
    var counted: Int
    var sampled: Int

    static let ofWordsAlone = Bounds(counted: 16_384, sampled: 1_024)
    /// For several indexes: some hundredths of a second.
    static let ofIndexes = Bounds(counted: 262_144, sampled: 4_096)
    /// For further conditions and frequent beginnings of words, which read messages.
    static let ofMessages = Bounds(counted: 6_144, sampled: 384)
    /// For searches where a sample is as expensive as a count.
    static let all = Bounds(counted: .max, sampled: 0)

    init(counted: Int, sampled: Int) { (self.counted, self.sampled) = (counted, sampled) }

    init(of reader: PageReader) {
      if reader.mergesWords {
        self = reader.readsNearby ? .ofMessages : .all
      } else if reader.looksAtMessages {
        self = .ofMessages
      } else {
        self = reader.plan?.wordsAlone == nil ? .ofIndexes : .ofWordsAlone
      }
    }
  }

  private static let partCount = 8

  init(_ reader: PageReader, scope: Int64) throws {
    let bounds = Bounds(of: reader)
    var filter = FacetFilter()
    if let ids = reader.predicate.ids { filter.ids = ids }
    let look = try reader.look(at: bounds.counted, .newer, in: filter.ids)
    count = look.ids.count
    guard !look.isComplete else { return }
    isExact = false
    let messages = Ordinals(db: reader.db, scope: scope, filter: filter)
    let estimate = try Self.estimate(reader, messages, bounds.sampled)
    if reader.readsNearby, try estimate < messages.total() / Self.rareShare {
      // The lists that FTS5 merges are short.
      (count, isExact) = (try reader.totalOfIDs(), true)
    } else {
      count = max(count, estimate)
    }
  }

  /// If fewer than 1/`rareShare` of all messages match, they are counted.
  private static let rareShare = 100

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

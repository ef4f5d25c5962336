internal import GRDB
internal import MessageModel

/// The number of messages that a full-text query finds: counted where they are few, else estimated from some of them.
///
/// An estimate looks at the same number of hits in each of a few equal parts of all messages and asks how many messages they
/// are spread over, so that it costs the same for each word of each store.
struct HitTotal {
  private(set) var count = 0
  private(set) var isExact = true

  /// The number of entries of a search index that are looked at.
  struct Bounds {
    /// Up to this many are counted.
    var counted: Int
    /// So many in each part where there are more.
    var sampled: Int

    static let ofWordsAlone = Bounds(counted: 16_384, sampled: 1_024)
    /// Bounds where messages are read for a further condition.
    static let ofMessages = Bounds(counted: 2_048, sampled: 128)
    /// Bounds where one look is as much work as counting all.
    static let all = Bounds(counted: .max, sampled: 0)

    init(counted: Int, sampled: Int) { (self.counted, self.sampled) = (counted, sampled) }

    init(of reader: PageReader) {
      self = reader.mergesWords ? .all : reader.looksAtMessages ? .ofMessages : .ofWordsAlone
    }
  }

  private static let partCount = 8

  /// - Parameters:
  ///   - reader: What finds them; by words, and perhaps further conditions.
  ///   - scope: The conversation, or 0 for all.
  init(_ reader: PageReader, scope: Int64) throws {
    let bounds = Bounds(of: reader)
    var filter = FacetFilter()
    if let ids = reader.predicate.ids { filter.ids = ids }
    let messages = Ordinals(db: reader.db, scope: scope, filter: filter)
    for table in SearchTable.allCases {
      let look = try reader.look(at: bounds.counted, in: filter.ids, of: table)
      if look.isComplete {
        count = count.adding(look.found)
      } else {
        isExact = false
        let estimate = try Self.estimate(reader, table, messages, bounds.sampled)
        count = count.adding(max(estimate, look.found))
      }
    }
  }

  private static func estimate(
    _ reader: PageReader, _ table: SearchTable, _ messages: Ordinals, _ limit: Int
  ) throws -> Int {
    let total = try messages.total()
    let last = messages.filter.ids.upperBound
    var sum = 0
    for part in 0..<partCount {
      let first = total / partCount * part
      let end = part == partCount - 1 ? total : total / partCount * (part + 1)
      guard first < end, let from = try messages.id(at: first) else { continue }
      let until = part == partCount - 1 ? last : try messages.id(at: end)?.predecessor ?? last
      let look = try reader.look(at: limit, in: ClosedRange(from: from, to: max(from, until)), of: table)
      guard let reached = look.reached, !look.isComplete else {
        sum = sum.adding(look.found)
        continue
      }
      let span = try max(messages.ordinal(of: reached.successor) - first, 1)
      let size = Double(end - first)
      sum = sum.adding(Int(min(Double(look.found) * size / Double(span), size)))
    }
    return min(sum, total)
  }
}

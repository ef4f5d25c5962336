internal import MessageModel

/// Finds the message with an ordinal in several disjoint scopes. The counts of super-blocks bracket it.
/// Super-blocks within the bracket are refined to blocks, the largest first, until few messages remain.
struct JointOrdinals {
  let scopes: [Ordinals]
  let reading: KeptCounts.Reading
  let edges: () throws -> ClosedRange<Int64>?
  /// Returns the message a number of steps from a place, itself 0; `nil` if messages can only be counted.
  let step: ((PageReader.Direction, Message.ID, Int) throws -> Message.ID?)?

  /// Beyond it, ordinals are computed instead.
  private static let mostRefinements = 48
  /// Super-blocks refined before the bracket is computed again.
  private static let refinedAtOnce = 8
  /// Up to this number, walking along messages is cheaper than another ordinal.
  private static let mostSteps = 256
  /// The number of interpolations, after which intervals are halved.
  private static let mostGuesses = 4

  func id(at ordinal: Int) throws -> Message.ID? {
    guard ordinal >= 0, let range = scopes.first?.filter.ids else { return nil }
    var counts = try scopes.map { try ScopeCounts($0, reading) }
    // All scopes have the same range.
    let wanted = try ordinal.adding(outside(&counts, range))
    let end =
      try range.upperBound == .highest
      ? Self.sum(counts, \.total) : Self.ordinal(of: range.upperBound.successor.rawValue, &counts)
    guard wanted < end, let edges = try edges() else { return nil }
    let ids = edges.clamped(to: range.lowerBound.rawValue...range.upperBound.rawValue)
    let bracket = try bracket(around: wanted, in: ids, &counts)
    return try found(wanted, in: bracket, edges, &counts)
  }

  private func outside(_ counts: inout [ScopeCounts], _ range: ClosedRange<Message.ID>) throws -> Int {
    range.lowerBound == .lowest ? 0 : try Self.ordinal(of: range.lowerBound.rawValue, &counts)
  }

  private static func sum(_ counts: [ScopeCounts], _ number: (ScopeCounts) -> Int) -> Int {
    counts.reduce(0) { $0.adding(number($1)) }
  }

  private static func ordinal(of id: Int64, _ counts: inout [ScopeCounts]) throws -> Int {
    var sum = 0
    for index in counts.indices { sum = sum.adding(try counts[index].ordinal(of: Message.ID(rawValue: id))) }
    return sum
  }

  private func bracket(
    around wanted: Int, in ids: ClosedRange<Int64>, _ counts: inout [ScopeCounts]
  ) throws -> ClosedRange<Int64> {
    var bracket = ids
    var left = Self.mostRefinements
    while true {
      let low = Self.greatest(in: bracket, by: counts) { id in
        Self.sum(counts) { $0.bounds(of: id).most } <= wanted
      }
      let high = Self.greatest(in: low...bracket.upperBound, by: counts) { id in
        Self.sum(counts) { $0.bounds(of: id).least } <= wanted
      }
      bracket = low...high
      let coarse = counts.indices.flatMap { scope in
        counts[scope].coarse(in: bracket).map { (scope: scope, index: $0.index, count: $0.count) }
      }
      guard left > 0, !coarse.isEmpty else { return bracket }
      let largest = coarse.sorted { ($0.count, $0.scope, $0.index) > ($1.count, $1.scope, $1.index) }
      for entry in largest.prefix(min(left, Self.refinedAtOnce)) {
        try counts[entry.scope].refine(entry.index)
        left -= 1
      }
    }
  }

  /// Returns the greatest id that satisfies `holds`, which is monotonic; the first id if none does.
  ///
  /// - Parameter holds: Must not change within an entry after its first id.
  private static func greatest(
    in ids: ClosedRange<Int64>, by counts: [ScopeCounts], where holds: (Int64) -> Bool
  ) -> Int64 {
    let range = counts.reduce(ids) { $1.narrowed($0, where: holds) }
    guard range.lowerBound < range.upperBound else { return range.lowerBound }
    return holds(range.lowerBound + 1) ? range.upperBound : range.lowerBound
  }

  private static func greatest(
    in ids: ClosedRange<Int64>, where holds: (Int64) -> Bool
  ) -> Int64 {
    var (low, high) = (ids.lowerBound, ids.upperBound)
    while low < high {
      let middle = middle(low...high)
      if holds(middle) { low = middle } else { high = middle - 1 }
    }
    return low
  }

  private func found(
    _ wanted: Int, in ids: ClosedRange<Int64>, _ edges: ClosedRange<Int64>, _ counts: inout [ScopeCounts]
  ) throws -> Message.ID? {
    var (low, high) = (ids.lowerBound, ids.upperBound)
    // Each guess corrects for the error of the last one.
    var target = Double(wanted)
    var guesses = 0
    while low < high {
      var place = Self.middle(low...high)
      if guesses < Self.mostGuesses {
        let guess = Self.greatest(in: low...high) { id in
          counts.reduce(0) { $0 + $1.estimate(of: id, within: edges) } <= target
        }
        place = max(guess, low + 1)
      }
      guesses += 1
      let here = try Self.ordinal(of: place, &counts)
      if let step, abs(wanted - here) <= Self.mostSteps {
        return wanted >= here
          ? try step(.newer, Message.ID(rawValue: place), wanted - here)
          : try step(.older, Message.ID(rawValue: place - 1), here - wanted - 1)
      }
      target += Double(wanted - here)
      if here <= wanted { low = place } else { high = place - 1 }
    }
    return Message.ID(rawValue: low)
  }

  private static func middle(_ ids: ClosedRange<Int64>) -> Int64 {
    let distance = UInt64(bitPattern: ids.upperBound &- ids.lowerBound)
    return ids.lowerBound &+ Int64(distance / 2 + distance % 2)
  }
}

/// Counts of a scope read so far. They disregard the filter's range of ids.
struct ScopeCounts {
  let ordinals: Ordinals
  private let reading: KeptCounts.Reading
  private var levels: KeptCounts.Levels

  init(_ ordinals: Ordinals, _ reading: KeptCounts.Reading) throws {
    (self.ordinals, self.reading) = (ordinals, reading)
    levels = try reading.levels(of: ordinals)
  }

  var total: Int { levels.upper.total }

  mutating func ordinal(of id: Message.ID) throws -> Int {
    guard let upper = levels.upper.index(covering: id.rawValue) else { return 0 }
    let before = levels.upper.before[upper]
    let last = levels.upper.span(at: upper, last: .max).upperBound
    let blocks = try reading.refine(&levels, at: upper, of: ordinals)
    guard blocks.total == levels.upper.count(at: upper) else { return try ordinals.ordinalAnew(of: id) }
    guard let block = blocks.index(covering: id.rawValue) else { return before }
    let inside = try ordinals.count(
      in: blocks.span(at: block, last: last), of: blocks.count(at: block), below: id, by: levels.marks)
    return before.adding(blocks.before[block]).adding(inside)
  }

  func bounds(of id: Int64) -> (least: Int, most: Int) {
    guard let place = place(of: id) else { return (0, 0) }
    return (place.before, place.first == id ? place.before : place.before.adding(place.count))
  }

  func narrowed(_ ids: ClosedRange<Int64>, where holds: (Int64) -> Bool) -> ClosedRange<Int64> {
    let range = levels.upper.narrowed(ids, where: holds)
    guard let upper = levels.upper.index(covering: range.upperBound), let blocks = levels.blocks[upper] else {
      return range
    }
    return blocks.narrowed(range, where: holds)
  }

  /// Takes the messages of an entry as evenly spread between `edges`.
  func estimate(of id: Int64, within edges: ClosedRange<Int64>) -> Double {
    guard let place = place(of: id) else { return 0 }
    let first = Double(max(place.first, edges.lowerBound))
    let length = max(Double(min(place.last, edges.upperBound)) - first, 1)
    return Double(place.before) + Double(place.count) * min(max((Double(id) - first) / length, 0), 1)
  }

  private struct Place {
    var first: Int64
    var last: Int64
    var count: Int
    var before: Int
  }

  private func place(of id: Int64) -> Place? {
    guard let upper = levels.upper.index(covering: id) else { return nil }
    let (before, span) = (levels.upper.before[upper], levels.upper.span(at: upper, last: .max))
    guard let blocks = levels.blocks[upper] else {
      return Place(
        first: span.lowerBound, last: span.upperBound, count: levels.upper.count(at: upper), before: before)
    }
    guard let block = blocks.index(covering: id) else {
      return Place(first: span.lowerBound, last: span.upperBound, count: 0, before: before)
    }
    let narrow = blocks.span(at: block, last: span.upperBound)
    return Place(
      first: narrow.lowerBound, last: narrow.upperBound, count: blocks.count(at: block),
      before: before.adding(blocks.before[block]))
  }

  func coarse(in ids: ClosedRange<Int64>) -> [(index: Int, count: Int)] {
    guard let last = levels.upper.index(covering: ids.upperBound) else { return [] }
    let first = levels.upper.index(covering: ids.lowerBound) ?? 0
    return (first...last).lazy.filter { levels.blocks[$0] == nil }
      .map { ($0, levels.upper.count(at: $0)) }.filter { $0.1 > 0 }
  }

  mutating func refine(_ index: Int) throws { _ = try reading.refine(&levels, at: index, of: ordinals) }
}

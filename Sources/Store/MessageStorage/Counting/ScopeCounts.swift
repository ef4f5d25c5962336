internal import MessageModel

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

  // MARK: As far as is known

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

internal import MessageModel

/// Chooses ids for messages that were written within one interval of time, between the neighbours they have in
/// their source.
///
/// Coarse times leave gaps: the first message of an interval goes to its middle and the next ones follow in small
/// steps, so that what another piece of the same log knows to lie before, between or after them finds room.
struct Placement {
  /// The ids that the interval covers.
  let interval: ClosedRange<Message.ID>
  /// Spreads conversations over neighbouring ids, so that they seldom want the same one.
  let salt: Int64

  init(time: Timestamp, precision: TimePrecision, conversation: Int64) {
    interval = Message.ID.range(of: time, precision: precision)
    step = max(16, precision.milliseconds)
    salt = (conversation &* 0x9E37_79B9) & Int64.max % step
  }

  /// The distance between neighbours, while there is room: 1/4096 of the interval.
  private let step: Int64

  /// The place of the first message of an interval of which nothing else is known.
  var first: Message.ID {
    let (first, last) = ends
    return Message.ID(rawValue: first + (last - first) / 2 + salt)
  }

  /// The ids just outside of the interval; at the ends of time those just inside.
  private var ends: (first: Int64, last: Int64) {
    (interval.lowerBound.predecessor.rawValue, interval.upperBound.successor.rawValue)
  }

  /// Returns `count` ids in ascending order between two neighbours, or from the middle of the interval if both are
  /// unknown and nothing else is there.
  ///
  /// - Parameters:
  ///   - lower: A message that the new ones follow; nothing of the conversation lies between it and them.
  ///   - upper: A message that they precede.
  /// - Returns: The ids; `nil` if there is no room for so many between the neighbours.
  func ids(_ count: Int, after lower: Message.ID?, before upper: Message.ID?) -> [Message.ID]? {
    let (first, last) = ends
    let low = max(lower?.rawValue ?? first, first)
    let high = min(upper?.rawValue ?? last, last)
    // A neighbour on the wrong side of the interval leaves no room; neither does one step beyond the end of time.
    guard low < high, low <= .max - step, high >= .min + step * Int64(count) else { return nil }
    switch (lower, upper) {
    case (nil, nil): return run(count, from: self.first.rawValue, below: last)
    case (_, nil): return run(count, from: low + step, below: high) ?? spread(count, low, high)
    case (nil, _):
      return run(count, from: high - step * Int64(count), below: high, above: low) ?? spread(count, low, high)
    default: return spread(count, low, high)
    }
  }

  /// As many messages of one interval are often only a part of those that it has: they leave most of the room to the
  /// others, so that a hundred thousand lines of a day without times find places one after the other.
  private static let manyCount = 4_096
  private static let manyShare: Int64 = 16

  /// Returns the id before those that follow each other without gaps because there is no room for steps.
  func start(of count: Int, after lower: Message.ID?) -> Int64 {
    if let lower { return lower.rawValue }
    let first = interval.lowerBound.rawValue
    let isTight = interval.upperBound.rawValue - first < Int64(count)
    return isTight && first > .min ? first - 1 : first
  }

  /// Ids in steps from `start`; smaller steps if they would not end below `high`.
  private func run(_ count: Int, from start: Int64, below high: Int64, above low: Int64 = .min) -> [Message
    .ID]?
  {
    guard start > low, start < high else { return nil }
    let room = (high - start - 1) / Int64(max(count - 1, 1))
    guard room >= 1 || count == 1 else { return nil }
    let share = count < Self.manyCount ? room : room / Self.manyShare
    let distance = min(step, max(share, 1))
    return (0..<Int64(count)).map { Message.ID(rawValue: start + $0 * distance) }
  }

  /// Ids at equal distances between two neighbours.
  private func spread(_ count: Int, _ low: Int64, _ high: Int64) -> [Message.ID]? {
    let distance = (high - low) / Int64(count + 1)
    guard distance >= 1 else { return nil }
    return (1...Int64(count)).map { Message.ID(rawValue: low + $0 * distance) }
  }

  /// Returns the indices of a longest run of known ids that ascend: those neighbours on whose order the source and
  /// the store agree.
  ///
  /// - Complexity: O(*n* log *n*) for *n* messages (patience sorting).
  static func agreeing(_ known: [Message.ID?]) -> Set<Int> {
    guard known.contains(where: { $0 != nil }) else { return [] }
    var piles: [Int] = []
    var previous: [Int: Int] = [:]
    for (index, id) in known.enumerated() {
      guard let id else { continue }
      let pile = piles.partitioningIndex { top in known[top].map { $0 >= id } ?? true }
      if pile > 0 { previous[index] = piles[pile - 1] }
      if pile == piles.count { piles.append(index) } else { piles[pile] = index }
    }
    var chosen: Set<Int> = []
    var next = piles.last
    while let index = next {
      chosen.insert(index)
      next = previous[index]
    }
    return chosen
  }
}

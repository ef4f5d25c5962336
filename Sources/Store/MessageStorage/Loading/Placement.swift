internal import GRDB
internal import MessageModel

/// Chooses ids for messages of one interval of time, between their neighbours in the source. A coarse time
/// covers many ids. The first message goes to the middle and the next ones follow in small steps, so that
/// another piece of the same log finds room before, between and after them.
struct Placement {
  let interval: ClosedRange<Message.ID>
  /// Spreads conversations over neighbouring ids, so that they rarely collide.
  let salt: Int64

  init(time: Timestamp, precision: TimePrecision, conversation: Int64) {
    interval = Message.ID.range(of: time, precision: precision)
    step = max(16, precision.milliseconds)
    salt = (conversation &* 0x9E37_79B9) & Int64.max % step
  }

  /// The preferred distance between neighbours: 1/4096 of the interval.
  private let step: Int64

  var first: Message.ID {
    let (first, last) = ends
    return Message.ID(rawValue: first + (last - first) / 2 + salt)
  }

  /// The ids just outside of the interval; at the ends of time those just inside.
  private var ends: (first: Int64, last: Int64) {
    (interval.lowerBound.predecessor.rawValue, interval.upperBound.successor.rawValue)
  }

  /// Returns `count` ascending ids between adjacent neighbours, or from the middle; `nil` if there is no
  /// room.
  func ids(_ count: Int, after lower: Message.ID?, before upper: Message.ID?) -> [Message.ID]? {
    let (first, last) = ends
    let low = max(lower?.rawValue ?? first, first)
    let high = min(upper?.rawValue ?? last, last)
    // A neighbour on the wrong side of the interval leaves no room, nor does a step beyond the end of time.
    guard low < high, low <= .max - step, high >= .min + step * Int64(count) else { return nil }
    switch (lower, upper) {
    case (nil, nil): return run(count, from: self.first.rawValue, below: last)
    case (_, nil): return run(count, from: low + step, below: high) ?? spread(count, low, high)
    case (nil, _):
      return run(count, from: high - step * Int64(count), below: high, above: low) ?? spread(count, low, high)
    default: return spread(count, low, high)
    }
  }

  /// From this number on, messages leave 15/16 of the room to others: they are often only a part of their
  /// interval, and a hundred thousand lines of a day without times must find places one after the other.
  private static let manyCount = 4_096
  private static let manyShare: Int64 = 16

  func start(of count: Int, after lower: Message.ID?) -> Int64 {
    if let lower { return lower.rawValue }
    let first = interval.lowerBound.rawValue
    let isTight = interval.upperBound.rawValue - first < Int64(count)
    return isTight && first > .min ? first - 1 : first
  }

  /// Returns ids in steps from `start`, smaller ones if they would not end below `high`.
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

  private func spread(_ count: Int, _ low: Int64, _ high: Int64) -> [Message.ID]? {
    let distance = (high - low) / Int64(count + 1)
    guard distance >= 1 else { return nil }
    return (1...Int64(count)).map { Message.ID(rawValue: low + $0 * distance) }
  }

  /// Patience sorting, in O(*n* log *n*).
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

struct IntervalEdges {
  let db: Database
  let conversation: Int64
  let interval: ClosedRange<Message.ID>

  func first() throws -> Message.ID? { try id("ASC", interval) }
  func last() throws -> Message.ID? { try id("DESC", interval) }

  func next(after id: Message.ID) throws -> Message.ID? {
    guard id < interval.upperBound else { return nil }
    return try self.id("ASC", max(id.successor, interval.lowerBound)...interval.upperBound)
  }

  func next(before id: Message.ID) throws -> Message.ID? {
    guard id > interval.lowerBound else { return nil }
    return try self.id("DESC", interval.lowerBound...min(id.predecessor, interval.upperBound))
  }

  private func id(_ order: String, _ range: ClosedRange<Message.ID>) throws -> Message.ID? {
    try RawStatement.number(
      db,
      "SELECT id FROM message WHERE conversation = ? AND id BETWEEN ? AND ? ORDER BY id \(order) LIMIT 1",
      conversation, range.lowerBound.rawValue, range.upperBound.rawValue
    ).map(Message.ID.init(rawValue:))
  }
}

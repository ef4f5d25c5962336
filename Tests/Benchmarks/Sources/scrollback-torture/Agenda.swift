import MessageSourceTesting
import TestSupport

/// The rounds of a run, one after the other without an end.
///
/// All points at which a deed can be disturbed are in a list that a seed has shuffled, which is gone through from its
/// beginning to its end: in a run that is long enough, each call of each deed has failed in each way.
struct Agenda {
  private var dice: SeededGenerator
  private let points: [Round]
  private var place = 0
  private var turn = 0
  private let deeds: [(name: String, rehearsal: Rehearsal)]
  private let kinds: Set<String>

  init(seed: UInt64, rehearsals: [String: Rehearsal], kinds: Set<String>) {
    dice = SeededGenerator(seed: seed)
    self.kinds = kinds
    deeds = rehearsals.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    points = deeds.flatMap { Self.points(of: $0.name, $0.rehearsal) }.filter { kinds.contains($0.kind) }
      .shuffled(using: &dice)
  }

  /// The number of points at which deeds can be disturbed.
  var pointCount: Int { points.count }

  /// How many times all points were gone through.
  var passCount: Double { points.isEmpty ? 0 : Double(place) / Double(points.count) }

  private static func points(of deed: String, _ rehearsal: Rehearsal) -> [Round] {
    var rounds: [Round] = []
    func add(_ fault: FaultyDisk.Fault, _ calls: FaultyDisk.Calls, length: Int = 1) {
      let count = rehearsal.count(of: calls)
      guard count > 0 else { return }
      for number in 1...count {
        rounds.append(.fault(deed: deed, fault: fault, calls: calls, number: number, length: length))
      }
    }
    for fault in [FaultyDisk.Fault.before, .after, .eio] { add(fault, .all) }
    for fault in [FaultyDisk.Fault.torn, .tear, .short] { add(fault, .writes) }
    add(.eio, .all, length: 0)
    add(.enospc, .growth, length: 0)
    add(.enospc, .growth, length: 3)
    for calls in [FaultyDisk.Calls.writes, .syncs, .names] { add(.forget, calls) }
    add(.delay, .syncs)
    rounds += (0...rehearsal.eventCount).flatMap { events in
      (0..<3).map { .power(deed: deed, events: events, seed: UInt64(events * 3 + $0)) }
    }
    return rounds
  }

  /// Returns the next round.
  mutating func next() -> Round {
    turn += 1
    // One crowd in two hundred rounds: it takes some seconds.
    if turn % 200 == 50, kinds.contains("crowd") { return .crowd(seed: dice.next() >> 32) }
    if turn % 200 == 100, kinds.contains("follow") { return follow() }
    switch turn % 10 {
    case 3 where kinds.contains("time"): return timed()
    case 5 where kinds.contains("flip"): return .flip(seed: dice.next() >> 32)
    case 8 where kinds.contains("extreme"): return .extreme(seed: dice.next() >> 32)
    default: break
    }
    guard !points.isEmpty else { return other() }
    defer { place += 1 }
    return points[place % points.count]
  }

  private mutating func follow() -> Round { .follow(writeCount: 500, seed: dice.next() >> 32) }

  private mutating func timed() -> Round {
    guard let (name, rehearsal) = deeds.randomElement(using: &dice) else {
      return .flip(seed: dice.next() >> 32)
    }
    return .time(deed: name, microseconds: Int.random(in: 0..<rehearsal.duration * 5 / 4, using: &dice))
  }

  /// A round of a run that disturbs no deed at chosen points.
  private mutating func other() -> Round {
    switch kinds.sorted().randomElement(using: &dice) {
    case "time": timed()
    case "extreme": .extreme(seed: dice.next() >> 32)
    case "crowd": .crowd(seed: dice.next() >> 32)
    case "follow": follow()
    default: .flip(seed: dice.next() >> 32)
    }
  }
}

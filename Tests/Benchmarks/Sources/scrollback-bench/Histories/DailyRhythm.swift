import MessageModel
import MessageSourceTesting
import TestSupport

/// Moments at which people write: in bursts, little at night and at the weekend, some at the same millisecond.
struct DailyRhythm: Sendable {
  private var milliseconds: Int64
  private let last: Int64
  /// The factor of each gap, in parts of ``usualPace``.
  private let pace: Int64

  private static let usualPace: Int64 = 1 << 20
  /// The average gap of a weekend at the usual pace; it is 18 seconds over a week.
  private static let roomForEach: Int64 = 24_000

  /// Begins at a moment; so many more lie before the end, as far apart as there is room for, at most as people write.
  init(start: Timestamp, end: Timestamp, count: Int) {
    (milliseconds, last) = (start.millisecondsSince1970, end.millisecondsSince1970 - 1)
    let room = (last - milliseconds) / Int64(max(count, 1))
    pace = min(Self.usualPace, Self.usualPace * min(room, Self.roomForEach) / Self.roomForEach)
  }

  /// Returns a moment at or after the last one: 18 seconds later on average at the usual pace.
  mutating func next(with random: inout SeededGenerator) -> Timestamp {
    if !random.oneIn(64) {
      milliseconds = min(milliseconds + gap(with: &random) * pace / Self.usualPace, last)
    }
    return Timestamp(millisecondsSince1970: milliseconds)
  }

  private func gap(with random: inout SeededGenerator) -> Int64 {
    let step = Self.steps[random.below(Self.steps.count)] * 1_000 + Int64(random.below(1_000))
    // Nine times out of ten the talk goes on; else it is silent for as long as the hour and the day make likely.
    guard random.oneIn(10) else { return step / 20 }
    let hour = milliseconds.floorDivided(by: 3_600_000)
    let day = hour.floorDivided(by: 24)
    let isWeekend = [2, 3].contains((day % 7 + 7) % 7)  // 1970-01-01 was a Thursday.
    return step * Self.silence[Int(hour - day * 24)] / (isWeekend ? 12 : 20)
  }

  /// The exponential distribution with a mean of 100, at 32 equally likely places.
  private static let steps: [Int64] = [
    2, 5, 8, 12, 15, 19, 23, 27, 31, 35, 40, 45, 50, 55, 61, 66, 73, 80, 87, 94, 103, 111, 121, 132, 144, 159,
    175,
    195, 220, 254, 306, 416,
  ]

  /// The part of each hour of the day that is silent, in twentieths.
  private static let silence: [Int64] = [
    40, 60, 90, 120, 140, 120, 80, 50, 30, 22, 18, 16, 16, 15, 14, 14, 15, 16, 16, 14, 12, 14, 18, 26,
  ]
}

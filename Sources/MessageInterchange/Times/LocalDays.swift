internal import Foundation
internal import MessageModel

/// Turns days and times of day of one zone into moments.
///
/// Nearly all days keep one offset from UTC, which is asked for once a day; only on the others the zone's rules are
/// asked for each time.
struct LocalDays {
  private var clock: WallClock
  private let isUTC: Bool
  private var knownDay = Int.min
  private var start: Int64 = 0
  private var end: Int64 = 0

  /// Creates an answerer for `zone`.
  init(zone: TimeZone) {
    clock = WallClock(zone: zone)
    isUTC =
      zone.secondsFromGMT() == 0 && zone.nextDaylightSavingTimeTransition == nil && zone.identifier == "GMT"
  }

  /// Returns the moment at which the clock shows `milliseconds` after the midnight with which a day begins.
  ///
  /// - Parameters:
  ///   - day: The day, counted from 1970-01-01.
  ///   - isSecondPass: Of a time that the clock shows twice, whether to take the later moment.
  mutating func moment(day: Int, milliseconds: Int64, isSecondPass: Bool = false) -> Timestamp {
    let asUTC = Timestamp(millisecondsSince1970: Int64(day) * 86_400_000 + milliseconds)
    if isUTC { return asUTC }
    learn(day)
    if start == end { return asUTC.advanced(byMilliseconds: -start) }
    let earlier = clock.moment(showing: asUTC.utc)
    guard isSecondPass, end < start else { return earlier }
    let later = earlier.advanced(byMilliseconds: start - end)
    return clock.civil(at: later) == asUTC.utc ? later : earlier
  }

  /// Returns how far the clock is set back on a day, in milliseconds; 0 on nearly all.
  mutating func setBack(on day: Int) -> Int64 {
    if isUTC { return 0 }
    learn(day)
    return max(0, start - end)
  }

  private mutating func learn(_ day: Int) {
    guard day != knownDay else { return }
    knownDay = day
    start = clock.offsetMilliseconds(at: moment(startOf: day))
    end = clock.offsetMilliseconds(at: moment(startOf: day + 1))
  }

  private mutating func moment(startOf day: Int) -> Timestamp {
    clock.moment(showing: CivilTime(daysSince1970: day))
  }
}

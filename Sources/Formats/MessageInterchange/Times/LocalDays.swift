internal import Foundation
internal import MessageModel

/// Turns the days and times of day of one source into moments, in the order in which they stand there.
///
/// A clock that is set back shows some times twice. Which of the two moments is meant, the order of the source decides: the first,
/// until time runs backwards. A source with the newest first is read the other way round. A time that a clock which is set
/// forward skips is as much later as the clock skips.
///
/// Nearly all days keep one offset from UTC, which is asked for once a day; only on the others the zone's rules are
/// asked for each time.
struct LocalDays {
  private var clock: WallClock
  private let isUTC: Bool
  /// Times of the source that run backwards by no more than this are out of order, in milliseconds.
  private var jitter: Int64
  private var knownDay = Int.min
  private var start: Int64 = 0
  private var end: Int64 = 0
  private var last: Timestamp?
  /// How many of the last times that a clock shows once were before the one before them.
  private var backwardCount = 0

  /// Creates an answerer for `zone`.
  ///
  /// - Parameter jitter: How far times of the source may be out of order, in milliseconds.
  init(zone: TimeZone, jitter: Int64 = 0) {
    clock = WallClock(zone: zone)
    isUTC =
      zone.secondsFromGMT() == 0 && zone.nextDaylightSavingTimeTransition == nil && zone.identifier == "GMT"
    self.jitter = jitter
  }

  /// Returns the moment at which the clock shows `milliseconds` after the midnight with which a day begins, behind those
  /// that were asked for before.
  ///
  /// - Parameter day: The day, counted from 1970-01-01.
  mutating func moment(day: Int, milliseconds: Int64) -> Timestamp {
    let asUTC = Timestamp(millisecondsSince1970: Int64(day) * 86_400_000 + milliseconds)
    if isUTC { return asUTC }
    learn(day)
    if start == end { return noted(asUTC.advanced(byMilliseconds: -start)) }
    let earlier = clock.moment(showing: asUTC.utc)
    let later = earlier.advanced(byMilliseconds: start - end)
    guard end < start, clock.civil(at: later) == asUTC.utc else { return noted(earlier) }
    let moment = isSecond(earlier, later) ? later : earlier
    last = moment
    return moment
  }

  /// The same for moments behind the last one, though the source may have the newest first.
  var behind: LocalDays {
    var days = self
    (days.backwardCount, days.jitter) = (0, 0)
    return days
  }

  /// Returns how far the clock is set back on a day, in milliseconds; 0 on nearly all.
  mutating func setBack(on day: Int) -> Int64 {
    if isUTC { return 0 }
    learn(day)
    return max(0, start - end)
  }

  /// Whether the later of the two moments of a time comes next in the source.
  private func isSecond(_ earlier: Timestamp, _ later: Timestamp) -> Bool {
    guard let last else { return false }
    let isNewestFirst = backwardCount > 1
    if isNewestFirst { return later <= last.advanced(byMilliseconds: jitter) }
    let least = last.advanced(byMilliseconds: -jitter)
    return earlier < least && later >= least
  }

  /// Notes a moment that the clock shows once.
  private mutating func noted(_ moment: Timestamp) -> Timestamp {
    if let last, moment != last { backwardCount = moment < last ? min(backwardCount + 1, 2) : 0 }
    last = moment
    return moment
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

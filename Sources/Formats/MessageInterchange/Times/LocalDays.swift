internal import Foundation
internal import MessageModel

/// Converts a source's local days and times to UTC, in the source's order. When clocks are set back, some
/// times occur twice: the first moment is meant until time in the source runs backwards; a source with the
/// newest first is read the other way round. A time skipped when clocks are set forward is moved forward as
/// much. Nearly all days have one offset from UTC, which is computed once; only on the others the zone's
/// rules are consulted for each time.
struct LocalDays {
  private var clock: WallClock
  private let isUTC: Bool
  /// In milliseconds: smaller steps backwards are disorder.
  private var jitter: Int64
  private var knownDay = Int.min
  private var start: Int64 = 0
  private var end: Int64 = 0
  private var last: Timestamp?
  /// How many of the last unambiguous times precede their predecessor; two mean that the newest comes first.
  private var backwardCount = 0

  /// `jitter` is how far times may be out of order, in milliseconds.
  init(zone: TimeZone, jitter: Int64 = 0) {
    clock = WallClock(zone: zone)
    isUTC =
      zone.secondsFromGMT() == 0 && zone.nextDaylightSavingTimeTransition == nil && zone.identifier == "GMT"
    self.jitter = jitter
  }

  /// The UTC time for `milliseconds` after midnight of `day` (days since 1970-01-01), after earlier calls.
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

  /// The same for times after the last one, even if the source has the newest first.
  var behind: LocalDays {
    var days = self
    (days.backwardCount, days.jitter) = (0, 0)
    return days
  }

  /// In milliseconds; 0 on nearly all days.
  mutating func setBack(on day: Int) -> Int64 {
    if isUTC { return 0 }
    learn(day)
    return max(0, start - end)
  }

  private func isSecond(_ earlier: Timestamp, _ later: Timestamp) -> Bool {
    guard let last else { return false }
    let isNewestFirst = backwardCount > 1
    if isNewestFirst { return later <= last.advanced(byMilliseconds: jitter) }
    let least = last.advanced(byMilliseconds: -jitter)
    return earlier < least && later >= least
  }

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

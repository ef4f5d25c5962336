package import Foundation

/// A clock on the wall of one time zone: turns moments into civil times and back.
///
/// It remembers the zone's offset until the next change of it, so that a run of neighbouring moments asks the
/// zone's rules once (a question to Foundation costs a microsecond and more, this addition nanoseconds).
package struct WallClock: Sendable {
  /// The zone whose rules apply.
  package let zone: TimeZone

  private var known: ClosedRange<Int64> = 0...0
  private var offset: Int64 = 0

  /// Creates a clock for `zone`.
  package init(zone: TimeZone) {
    self.zone = zone
    self.offset = lookUp(at: 0)
  }

  /// Creates a clock that shows UTC.
  package static var utc: WallClock { WallClock(zone: TimeZone(secondsFromGMT: 0) ?? .current) }

  /// Returns what the clock shows at `moment`.
  package mutating func civil(at moment: Timestamp) -> CivilTime {
    moment.advanced(byMilliseconds: offsetMilliseconds(at: moment)).utc
  }

  /// Returns what the clock shows at a moment that is known so exactly: a date without a time is the same in every zone.
  package mutating func civil(at moment: Timestamp, knownTo precision: TimePrecision) -> CivilTime {
    precision == .day ? moment.utc : civil(at: moment)
  }

  /// Returns the moment at which the clock shows `civil`.
  ///
  /// A time that the clock shows twice (when it is set back) is the earlier moment; one that it skips is moved
  /// forward by the length of the gap, as clocks that are set late show it.
  package mutating func moment(showing civil: CivilTime) -> Timestamp {
    let asUTC = Timestamp(utc: civil)
    let before = offsetMilliseconds(at: asUTC.advanced(byMilliseconds: -Self.day))
    let candidate = asUTC.advanced(byMilliseconds: -before)
    if offsetMilliseconds(at: candidate) == before { return candidate }
    let after = offsetMilliseconds(at: asUTC.advanced(byMilliseconds: Self.day))
    let later = asUTC.advanced(byMilliseconds: -after)
    return offsetMilliseconds(at: later) == after ? later : candidate
  }

  /// Returns how far the clock is ahead of UTC at `moment`, in milliseconds.
  package mutating func offsetMilliseconds(at moment: Timestamp) -> Int64 {
    let instant = moment.millisecondsSince1970
    if known.contains(instant) { return offset }
    // Zones change at whole quarters of an hour, and not twice within six hours.
    let start = instant.floorDivided(by: Self.sixHours) * Self.sixHours
    let span = start...(start + Self.sixHours - 1)
    offset = lookUp(at: span.lowerBound)
    if lookUp(at: span.upperBound) == offset {
      known = span
    } else {
      let start = instant.floorDivided(by: Self.quarter) * Self.quarter
      offset = lookUp(at: instant)
      known = start...(start + Self.quarter - 1)
    }
    return offset
  }

  private func lookUp(at instant: Int64) -> Int64 {
    Int64(zone.secondsFromGMT(for: Date(Timestamp(millisecondsSince1970: instant)))) * 1_000
  }

  private static let quarter: Int64 = 900_000
  private static let sixHours: Int64 = 21_600_000
  private static let day: Int64 = 86_400_000
}

package import Foundation

/// Converts moments to and from civil times in one time zone.
///
/// It caches the zone's offset until its next change, so that a run of neighbouring moments asks Foundation
/// once (a microsecond or more, against nanoseconds for the addition).
package struct WallClock: Sendable {
  package let zone: TimeZone

  private var known: ClosedRange<Int64> = 0...0
  private var offset: Int64 = 0

  package init(zone: TimeZone) {
    self.zone = zone
    self.offset = lookUp(at: 0)
  }

  package static var utc: WallClock { WallClock(zone: TimeZone(secondsFromGMT: 0) ?? .current) }

  package mutating func civil(at moment: Timestamp) -> CivilTime {
    moment.advanced(byMilliseconds: offsetMilliseconds(at: moment)).utc
  }

  /// Returns the civil time of a moment with a precision: a date without a time is the same in every zone.
  package mutating func civil(at moment: Timestamp, knownTo precision: TimePrecision) -> CivilTime {
    precision == .day ? moment.utc : civil(at: moment)
  }

  /// Returns the moment at which the clock shows `civil`.
  ///
  /// A time shown twice, when clocks are set back, is the earlier moment. A skipped time is moved forward by
  /// the length of the gap.
  package mutating func moment(showing civil: CivilTime) -> Timestamp {
    let asUTC = Timestamp(utc: civil)
    let before = offsetMilliseconds(at: asUTC.advanced(byMilliseconds: -Self.day))
    let candidate = asUTC.advanced(byMilliseconds: -before)
    if offsetMilliseconds(at: candidate) == before { return candidate }
    let after = offsetMilliseconds(at: asUTC.advanced(byMilliseconds: Self.day))
    let later = asUTC.advanced(byMilliseconds: -after)
    return offsetMilliseconds(at: later) == after ? later : candidate
  }

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

extension TimeZone {
  /// Finds a zone by name (`Europe/Berlin`, `UTC`, `CET`) or offset (`+05:30`, `-0800`, `+2`).
  package init?(named name: String) {
    if let zone = TimeZone(identifier: name) ?? TimeZone(abbreviation: name) {
      self = zone
      return
    }
    guard let sign = name.first, sign == "+" || sign == "-" else { return nil }
    let digits = name.dropFirst().filter { $0 != ":" }
    guard (1...4).contains(digits.count), let number = Int(digits), digits.allSatisfy(\.isASCII) else {
      return nil
    }
    let (hours, minutes) = digits.count > 2 ? (number / 100, number % 100) : (number, 0)
    guard hours <= 18, minutes < 60 else { return nil }
    self.init(secondsFromGMT: (sign == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60))
  }
}

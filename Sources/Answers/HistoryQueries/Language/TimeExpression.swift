package import MessageModel

/// A moment as people write it: `2024-05-01 14:30`, `1 May 2024`, `14:30`, `yesterday`, `3 days ago`, `-2h`.
///
/// It is kept as written, because its meaning depends on the clock, the zone and, for `14:30` and
/// `-2h`, on the reader's place.
package struct TimeExpression: Hashable, Sendable {
  /// A unit of time. Up to hours, it is a duration; from days on, a calendar step: a day later is the same
  /// time of day even if the clocks changed meanwhile.
  enum Unit: Hashable, Sendable {
    case second, minute, hour, day, week, month, year
  }

  enum Meaning: Hashable, Sendable {
    /// A local date and time with a precision.
    case local(CivilTime, Unit)
    /// A time with its zone.
    case absolute(Timestamp)
    /// This time on a day that is given otherwise.
    case timeOfDay(CivilTime)
    /// A number of days from today, at a time or at midnight.
    case today(days: Int, CivilTime?)
    /// The last such day before today, with 0 for Sunday, at a time or at midnight.
    case weekday(Int, CivilTime?)
    /// A month, or a day in it, of the year in view, else the latest up to today; with `isLast`, one that is
    /// over.
    case yearless(month: Int, day: Int?, CivilTime?, isLast: Bool)
    /// The beginning of a week, month or year, by its distance from the present one.
    case period(Int, Unit)
    case now
    /// A distance from now: `3 days ago`.
    case fromNow(Int, Unit)
    /// A distance from the place in view: `-2h`, `+7d`.
    case fromPlace(Int, Unit)
  }

  let meaning: Meaning

  /// Whether this is a step back or forward from the place in view; `nil` if it is no step.
  package var isStepBack: Bool? {
    guard case .fromPlace(let count, _) = meaning, count != 0 else { return nil }
    return count < 0
  }

  /// The time, if it depends on nothing because its zone was given.
  var absolute: Timestamp? {
    guard case .absolute(let moment) = meaning else { return nil }
    return moment
  }

  /// Returns the time that is meant.
  ///
  /// - Parameters:
  ///   - place: The reader's place; `nil` for now.
  ///   - clock: The clock for local times.
  package func moment(now: Timestamp, place: Timestamp? = nil, clock: inout WallClock) -> Timestamp {
    switch meaning {
    case .local(let civil, _): return clock.moment(showing: civil)
    case .absolute(let moment): return moment
    case .timeOfDay(let time): return clock.moment(showing: clock.civil(at: place ?? now).at(time))
    case .today(let days, let time):
      let today = clock.civil(at: now).daysSince1970
      return clock.moment(showing: CivilTime(daysSince1970: today + days).at(time ?? .midnight))
    case .weekday(let weekday, let time):
      let today = clock.civil(at: now)
      let days = today.daysSince1970 - 1 - (today.weekday + 6 - weekday) % 7
      return clock.moment(showing: CivilTime(daysSince1970: days).at(time ?? .midnight))
    case .yearless(let month, let day, let time, let isLast):
      let base = clock.civil(at: place ?? now)
      let civil = Self.civil(month, day, near: base, mayBeLater: place != nil, isLast: isLast)
      return clock.moment(showing: civil.at(time ?? .midnight))
    case .period(let count, let unit):
      let start = clock.civil(at: now).beginning(of: unit)
      return clock.moment(showing: start).advanced(by: count, unit, &clock)
    case .now: return now
    case .fromNow(let count, let unit): return now.advanced(by: count, unit, &clock)
    case .fromPlace(let count, let unit): return (place ?? now).advanced(by: count, unit, &clock)
    }
  }

  /// A date without a year: in the year of a date, else the latest before that.
  private static func civil(
    _ month: Int, _ day: Int?, near base: CivilTime, mayBeLater: Bool, isLast: Bool
  ) -> CivilTime {
    // A 29 February occurs at least every eight years.
    for year in (base.year - 8...base.year).reversed() {
      let civil = CivilTime(year: year, month: month, day: day ?? 1)
      guard civil.isValid, mayBeLater || civil.daysSince1970 <= base.daysSince1970 else { continue }
      if isLast, year == base.year, month == base.month { continue }
      return civil
    }
    return CivilTime(year: base.year, month: month, day: 1)
  }

  static func refusal(of text: String) -> String {
    "'\(VisibleText.of(String(text.prefix(60))))' is not a time; one is \(examples)"
  }

  /// The examples in errors.
  package static let examples = "2024-05-01, '2024-05-01 14:30', 'march 2019', yesterday, '3 days ago', -2h"
}

extension TimeExpression {
  /// Returns the period that is meant; `end` is exclusive. `2012` is a year, `14:30` a minute, `3 weeks ago`
  /// a moment.
  package func period(
    now: Timestamp, place: Timestamp? = nil, clock: inout WallClock
  ) -> (start: Timestamp, end: Timestamp) {
    let start = moment(now: now, place: place, clock: &clock)
    guard let unit else { return (start, start.advanced(byMilliseconds: 1)) }
    return (start, start.advanced(by: 1, unit, &clock))
  }

  /// Returns the period; for a moment given by its distance in days or more, its day.
  package func day(now: Timestamp, clock: inout WallClock) -> (start: Timestamp, end: Timestamp) {
    guard case .fromNow(_, let unit) = meaning, unit.isCalendrical else {
      return period(now: now, clock: &clock)
    }
    let day = clock.civil(at: moment(now: now, clock: &clock)).daysSince1970
    let start = clock.moment(showing: CivilTime(daysSince1970: day))
    return (start, clock.moment(showing: CivilTime(daysSince1970: day + 1)))
  }

  /// Whether it names a time of day, as `yesterday 2pm` does.
  package var namesTimeOfDay: Bool {
    guard let unit, !unit.isCalendrical else { return false }
    switch meaning {
    case .local, .absolute, .today, .weekday, .yearless: return true
    case .timeOfDay, .period, .now, .fromNow, .fromPlace: return false
    }
  }

  /// Its precision; `nil` for a moment.
  private var unit: Unit? {
    switch meaning {
    case .local(_, let unit): unit
    case .absolute, .timeOfDay: .minute
    case .today(_, let time), .weekday(_, let time): time == nil ? .day : .minute
    case .yearless(_, let day, let time, _): time != nil ? .minute : day == nil ? .month : .day
    case .period(_, let unit): unit
    case .now, .fromNow, .fromPlace: nil
    }
  }

  /// The first and the last day, counted from 1970; `nil` for less than a day.
  package func days(
    now: Timestamp, place: Timestamp?, clock: inout WallClock
  ) -> ClosedRange<Int>? {
    guard let unit, unit.isCalendrical else { return nil }
    let period = period(now: now, place: place, clock: &clock)
    let first = clock.civil(at: period.start).daysSince1970
    return first...max(first, clock.civil(at: period.end.advanced(byMilliseconds: -1)).daysSince1970)
  }
}

extension TimeExpression.Unit {
  fileprivate var isCalendrical: Bool {
    switch self {
    case .second, .minute, .hour: false
    case .day, .week, .month, .year: true
    }
  }
}

extension CivilTime {
  static let midnight = CivilTime(year: 1970, month: 1, day: 1)

  fileprivate func beginning(of unit: TimeExpression.Unit) -> CivilTime {
    switch unit {
    case .week: CivilTime(daysSince1970: daysSince1970 - (weekday + 6) % 7)
    case .month: CivilTime(year: year, month: month, day: 1)
    case .year: CivilTime(year: year, month: 1, day: 1)
    default: at(.midnight)
    }
  }

  func at(_ time: CivilTime) -> CivilTime {
    CivilTime(
      year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second,
      millisecond: time.millisecond)
  }
}

extension Timestamp {
  fileprivate func advanced(
    by count: Int, _ unit: TimeExpression.Unit, _ clock: inout WallClock
  ) -> Timestamp {
    switch unit {
    case .second: advanced(byMilliseconds: Int64(count) * 1_000)
    case .minute: advanced(byMilliseconds: Int64(count) * 60_000)
    case .hour: advanced(byMilliseconds: Int64(count) * 3_600_000)
    case .day: advanced(byDays: count, &clock)
    case .week: advanced(byDays: count * 7, &clock)
    case .month: advanced(byMonths: count, &clock)
    case .year: advanced(byMonths: count * 12, &clock)
    }
  }

  private func advanced(byDays days: Int, _ clock: inout WallClock) -> Timestamp {
    let civil = clock.civil(at: self)
    return clock.moment(showing: CivilTime(daysSince1970: civil.daysSince1970 + days).at(civil))
  }

  /// Beyond the end of a month, its last day.
  private func advanced(byMonths months: Int, _ clock: inout WallClock) -> Timestamp {
    var civil = clock.civil(at: self)
    let month = civil.year * 12 + civil.month - 1 + months
    let year = month >= 0 ? month / 12 : (month - 11) / 12
    civil.month = month - year * 12 + 1
    civil.year = min(max(-70_000, year), 70_000)
    civil.day = min(civil.day, CivilTime.days(inMonth: civil.month, of: civil.year))
    return clock.moment(showing: civil)
  }
}

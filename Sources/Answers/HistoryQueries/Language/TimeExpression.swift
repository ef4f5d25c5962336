package import MessageModel

/// A moment as people write it: `2024-05-01 14:30`, `1 May 2024`, `14:30`, `yesterday`, `3 days ago`, `-2h`.
///
/// What was written is kept as written, because what it means depends on the clock, the zone and, for `14:30` and
/// `-2h`, on where the reader is.
package struct TimeExpression: Hashable, Sendable {
  /// A unit that people count time in. Hours and less are lengths; days and more are steps of the calendar, so that
  /// a day later is the same time of day, also when clocks were changed meanwhile.
  enum Unit: Hashable, Sendable {
    case second, minute, hour, day, week, month, year
  }

  enum Meaning: Hashable, Sendable {
    /// That date and time on the wall, known to a unit.
    case local(CivilTime, Unit)
    /// That moment, given with its zone.
    case absolute(Timestamp)
    /// That time of a day given otherwise.
    case timeOfDay(CivilTime)
    /// So many days from today, at a time or at midnight.
    case today(days: Int, CivilTime?)
    /// The last such day before today, 0 for Sunday, at a time or at midnight.
    case weekday(Int, CivilTime?)
    /// A month or a day of one in the year in view, else the last one up to today; `isLast`: that is over.
    case yearless(month: Int, day: Int?, CivilTime?, isLast: Bool)
    /// The beginning of a week, month or year, by its distance from the present one.
    case period(Int, Unit)
    case now
    /// So much from now: `3 days ago`.
    case fromNow(Int, Unit)
    /// So much from the place in view: `-2h`, `+7d`.
    case fromPlace(Int, Unit)
  }

  let meaning: Meaning

  /// Whether this is a step back from the place in view, or one forward; `nil` if it is no step.
  package var isStepBack: Bool? {
    guard case .fromPlace(let count, _) = meaning, count != 0 else { return nil }
    return count < 0
  }

  /// The moment that was meant, if that depends on nothing: it was written with its zone.
  var absolute: Timestamp? {
    guard case .absolute(let moment) = meaning else { return nil }
    return moment
  }

  /// Returns the moment that was meant.
  ///
  /// - Parameters:
  ///   - now: The time now.
  ///   - place: Where the reader is; `nil` takes now instead.
  ///   - clock: The clock on the wall by which local times are understood.
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

  /// A day without a year: in the year of a date, else in the nearest one before that has it.
  private static func civil(
    _ month: Int, _ day: Int?, near base: CivilTime, mayBeLater: Bool, isLast: Bool
  ) -> CivilTime {
    // In eight years there is one with a 29th of February.
    for year in (base.year - 8...base.year).reversed() {
      let civil = CivilTime(year: year, month: month, day: day ?? 1)
      guard civil.isValid, mayBeLater || civil.daysSince1970 <= base.daysSince1970 else { continue }
      if isLast, year == base.year, month == base.month { continue }
      return civil
    }
    return CivilTime(year: base.year, month: month, day: 1)
  }

  /// Returns the sentence that says that a text is no time, and what one looks like.
  static func refusal(of text: String) -> String {
    "'\(VisibleText.of(String(text.prefix(60))))' is not a time; one is \(examples)"
  }

  /// Examples of times, for an error.
  package static let examples = "2024-05-01, '2024-05-01 14:30', 'march 2019', yesterday, '3 days ago', -2h"
}

// MARK: Periods

extension TimeExpression {
  /// Returns the time that was meant, from its beginning to what follows it: `2012` is a year, `14:30` a minute,
  /// `3 weeks ago` a moment.
  package func period(
    now: Timestamp, place: Timestamp? = nil, clock: inout WallClock
  ) -> (start: Timestamp, end: Timestamp) {
    let start = moment(now: now, place: place, clock: &clock)
    guard let unit else { return (start, start.advanced(byMilliseconds: 1)) }
    return (start, start.advanced(by: 1, unit, &clock))
  }

  /// Returns the period that was meant; the day of a moment that is told by its distance in days or more.
  package func day(now: Timestamp, clock: inout WallClock) -> (start: Timestamp, end: Timestamp) {
    guard case .fromNow(_, let unit) = meaning, unit.isCalendrical else {
      return period(now: now, clock: &clock)
    }
    let day = clock.civil(at: moment(now: now, clock: &clock)).daysSince1970
    let start = clock.moment(showing: CivilTime(daysSince1970: day))
    return (start, clock.moment(showing: CivilTime(daysSince1970: day + 1)))
  }

  /// Whether it is a time of a day that it names: `yesterday 2pm`.
  package var namesTimeOfDay: Bool {
    guard let unit, !unit.isCalendrical else { return false }
    switch meaning {
    case .local, .absolute, .today, .weekday, .yearless: return true
    case .timeOfDay, .period, .now, .fromNow, .fromPlace: return false
    }
  }

  /// The unit to which it is known; `nil` for a moment.
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

  /// The first and the last day that were meant, since 1970; `nil` if less than a day was meant.
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

  /// The midnight with which the week, month or year begins.
  fileprivate func beginning(of unit: TimeExpression.Unit) -> CivilTime {
    switch unit {
    case .week: CivilTime(daysSince1970: daysSince1970 - (weekday + 6) % 7)
    case .month: CivilTime(year: year, month: month, day: 1)
    case .year: CivilTime(year: year, month: 1, day: 1)
    default: at(.midnight)
    }
  }

  /// The same date at another time of day.
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

  /// A day that the month does not have becomes its last.
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

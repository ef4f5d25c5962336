internal import Foundation
internal import MessageModel

/// Works out on which day the times of a log lie that tell only the time of day.
///
/// The day begins as path, option or a marker says. Time that runs backwards by more than a few minutes means that
/// midnight has passed or, on the day on which the clock is set back, that an hour comes a second time.
struct LogCalendar {
  private var local: LocalDays
  private let mayUseTwelveHours: Bool
  /// The day, counted from 1970-01-01.
  private var day: Int?
  /// What to add to the time as written, in milliseconds: half a day or more once midnight has passed.
  private var shift: Int64 = 0
  private var lastOfDay: Int64?
  private var lastDay: Int?
  private var isSecondPass = false
  private var lastReading: (day: Int, ofDay: Int64, time: Timestamp)?

  /// Creates a calendar that begins with `day`.
  init(day: Int?, zone: TimeZone, mayUseTwelveHours: Bool = false) {
    self.day = day
    self.mayUseTwelveHours = mayUseTwelveHours
    local = LocalDays(zone: zone)
  }

  /// Begins another day, as a marker in the log says.
  mutating func begin(day: Int) {
    self.day = day
    shift = 0
    lastOfDay = nil
    lastDay = nil
    isSecondPass = false
  }

  /// The day as such; `nil` if nothing told it.
  var startOfDay: Timestamp? {
    day.map { Timestamp(utc: CivilTime(daysSince1970: $0)) }
  }

  /// Returns the moment of a time that was read; `nil` if there is no such day or nothing tells it.
  mutating func moment(_ reading: ClockPattern.Reading, isUTC: Bool) -> Timestamp? {
    let ofDay = reading.millisecondOfDay
    if reading.day != nil {
      guard let own = reading.daysSince1970 ?? yearlessDay(reading) else { return nil }
      if isUTC { return Timestamp(millisecondsSince1970: Int64(own) * 86_400_000 + ofDay) }
      if own != lastDay { (lastDay, lastOfDay, isSecondPass) = (own, nil, false) }
      return moment(onDay: own, ofDay)
    }
    guard let day else { return nil }
    return moment(onDay: day, ofDay)
  }

  private mutating func moment(onDay day: Int, _ ofDay: Int64) -> Timestamp {
    if let lastReading, lastReading.ofDay == ofDay, lastReading.day == day, lastOfDay == ofDay {
      return lastReading.time
    }
    if let lastOfDay, ofDay < lastOfDay - Self.tolerance {
      passBackwards(from: lastOfDay, to: ofDay, on: day)
    }
    lastOfDay = ofDay
    let time = local.moment(day: day, milliseconds: ofDay + shift, isSecondPass: isSecondPass)
    lastReading = (day, ofDay, time)
    return time
  }

  private mutating func passBackwards(from last: Int64, to ofDay: Int64, on day: Int) {
    let step = last - ofDay
    if mayUseTwelveHours, last < 13 * Self.hour,
      (-Self.tolerance...2 * Self.hour).contains(12 * Self.hour - step)
    {
      shift += 12 * Self.hour
    } else if !isSecondPass, step <= local.setBack(on: day) + Self.tolerance, local.setBack(on: day) > 0 {
      isSecondPass = true
    } else if self.day == day, lastDay == nil {
      shift += 24 * Self.hour
    }
  }

  /// The day of a date without a year: the first of that name from the day that was told last.
  private mutating func yearlessDay(_ reading: ClockPattern.Reading) -> Int? {
    guard reading.year == nil, let day else { return nil }
    let year = CivilTime(daysSince1970: day).year
    // Leap days come every eight years at worst.
    let found = (year - 1...year + 8).lazy
      .compactMap { year in
        var dated = reading
        dated.year = year
        return dated.daysSince1970
      }
      .first { $0 >= day - 2 }
    self.day = found ?? day
    return found
  }

  private static let hour: Int64 = 3_600_000
  private static let tolerance: Int64 = 300_000
}

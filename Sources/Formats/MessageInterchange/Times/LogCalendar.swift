internal import Foundation
internal import MessageModel

/// The days of a log whose lines tell only the time of day, worked out from line to line.
///
/// A day that the log or its place tells is kept, however its times run: clocks are set back, by summer's end and by
/// hand. Only where the beginning alone is told does time that runs backwards mean that midnight has passed, unless that is the
/// day on which the clock is set back (``LocalDays``).
struct LogCalendar {
  /// The extent of a log that a day is told for.
  enum Extent {
    /// All that follows, until another day is told: the name of a file, a line that begins a day.
    case all
    /// The beginning of a session, which may go on past midnight: time decides, unless it runs backwards by less than a
    /// night.
    case session
    /// The first line, and nothing of those behind it: time alone decides.
    case firstLine
  }

  private var local: LocalDays
  private var extent: Extent
  private let mayUseTwelveHours: Bool
  /// The day, counted from 1970-01-01.
  private var day: Int?
  /// The milliseconds to add to the time as written: half a day or more once midnight has passed.
  private var shift: Int64 = 0
  private var lastOfDay: Int64?
  private var lastDay: Int?
  private var lastReading: (day: Int, ofDay: Int64, time: Timestamp)?

  /// Creates a calendar that begins with `day`, which is told for as much of the log as `extent` says.
  init(day: Int?, for extent: Extent = .firstLine, zone: TimeZone, mayUseTwelveHours: Bool = false) {
    self.day = day
    self.extent = extent
    self.mayUseTwelveHours = mayUseTwelveHours
    local = LocalDays(zone: zone, jitter: Self.tolerance)
  }

  /// Begins another day, as a marker in the log says.
  mutating func begin(day: Int, for extent: Extent) {
    self.day = day
    self.extent = extent
    shift = 0
    lastOfDay = nil
    lastDay = nil
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
      if own != lastDay { (lastDay, lastOfDay) = (own, nil) }
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
    let time = local.moment(day: day, milliseconds: ofDay + shift)
    lastReading = (day, ofDay, time)
    return time
  }

  private mutating func passBackwards(from last: Int64, to ofDay: Int64, on day: Int) {
    let step = last - ofDay
    let setBack = local.setBack(on: day)
    if mayUseTwelveHours, last < 13 * Self.hour,
      (-Self.tolerance...2 * Self.hour).contains(12 * Self.hour - step)
    {
      shift += 12 * Self.hour
    } else if self.day == day, lastDay == nil, step > leastNight,
      setBack == 0 || step > setBack + Self.tolerance
    {
      shift += 24 * Self.hour
    }
  }

  /// Time that runs backwards by more than this has passed midnight.
  private var leastNight: Int64 {
    switch extent {
    case .all: .max
    case .session: 2 * Self.hour
    case .firstLine: 0
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

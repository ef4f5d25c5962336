internal import Foundation
internal import MessageModel

/// The days of a log whose lines only have times of day. A day that the log or its path states holds even if
/// times run backwards, since clocks are set back. Only if just the beginning is dated does time running
/// backwards mean midnight, except on the day clocks are set back (``LocalDays``).
struct LogCalendar {
  /// How much of a log a stated day holds for.
  enum Extent {
    /// Everything until another day is stated: a file's name, or a line that begins a day.
    case all
    /// The beginning of a session, which may pass midnight: time running backwards decides, unless by less
    /// than a night.
    case session
    /// Only the first line: time alone decides after it.
    case firstLine
  }

  private var local: LocalDays
  private var extent: Extent
  private let mayUseTwelveHours: Bool
  /// In days since 1970-01-01.
  private var day: Int?
  /// Added to written times, in milliseconds: half a day or more after midnight has passed.
  private var shift: Int64 = 0
  private var lastOfDay: Int64?
  private var lastDay: Int?
  private var lastReading: (day: Int, ofDay: Int64, time: Timestamp)?

  init(day: Int?, for extent: Extent = .firstLine, zone: TimeZone, mayUseTwelveHours: Bool = false) {
    self.day = day
    self.extent = extent
    self.mayUseTwelveHours = mayUseTwelveHours
    local = LocalDays(zone: zone, jitter: Self.tolerance)
  }

  mutating func begin(day: Int, for extent: Extent) {
    self.day = day
    self.extent = extent
    shift = 0
    lastOfDay = nil
    lastDay = nil
  }

  /// Midnight UTC of the day; `nil` if no day is known.
  var startOfDay: Timestamp? {
    day.map { Timestamp(utc: CivilTime(daysSince1970: $0)) }
  }

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

  /// Time running backwards by more than this means midnight.
  private var leastNight: Int64 {
    switch extent {
    case .all: .max
    case .session: 2 * Self.hour
    case .firstLine: 0
    }
  }

  private mutating func yearlessDay(_ reading: ClockPattern.Reading) -> Int? {
    guard reading.year == nil, let day else { return nil }
    let year = CivilTime(daysSince1970: day).year
    // Leap days are at most eight years apart.
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

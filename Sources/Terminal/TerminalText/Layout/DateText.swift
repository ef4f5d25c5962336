package import MessageModel

/// Dates as the shell writes them.
package enum DateText {
  package static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  /// Returns the date: `2024-05-01`; years have at least four digits.
  package static func date(_ civil: CivilTime) -> String {
    let year = String(civil.year.magnitude)
    let zeros = String(repeating: "0", count: max(0, 4 - year.count))
    let sign = civil.year < 0 ? "-" : ""
    return "\(sign)\(zeros)\(year)-\(NumberText.twoDigits(civil.month))-\(NumberText.twoDigits(civil.day))"
  }

  /// Returns date and time as exactly as they are known: `2024-05-01 12:34`.
  package static func dateAndTime(_ civil: CivilTime, precision: TimePrecision) -> String {
    guard precision != .day else { return date(civil) }
    let minute = "\(date(civil)) \(NumberText.twoDigits(civil.hour)):\(NumberText.twoDigits(civil.minute))"
    return precision == .minute ? minute : "\(minute):\(NumberText.twoDigits(civil.second))"
  }

  /// Returns a moment to the minute, `2024-05-01 12:34`, and to the day where no more is known of it.
  package static func minute(of time: Timestamp, _ precision: TimePrecision?, _ clock: inout WallClock)
    -> String
  {
    let precision: TimePrecision = precision == .day ? .day : .minute
    return dateAndTime(clock.civil(at: time, knownTo: precision), precision: precision)
  }
}

package import MessageModel

package enum DateText {
  package static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  /// `2024-05-01`; years have at least four digits.
  package static func date(_ civil: CivilTime) -> String {
    let year = String(civil.year.magnitude)
    let zeros = String(repeating: "0", count: max(0, 4 - year.count))
    let sign = civil.year < 0 ? "-" : ""
    return "\(sign)\(zeros)\(year)-\(NumberText.twoDigits(civil.month))-\(NumberText.twoDigits(civil.day))"
  }

  /// `2024-05-01 12:34:56`, as exactly as the time is known.
  package static func dateAndTime(_ civil: CivilTime, precision: TimePrecision) -> String {
    guard precision != .day else { return date(civil) }
    let minute = "\(date(civil)) \(NumberText.twoDigits(civil.hour)):\(NumberText.twoDigits(civil.minute))"
    return precision == .minute ? minute : "\(minute):\(NumberText.twoDigits(civil.second))"
  }

  /// `2024-05-01 12:34`, or the date alone if no more is known.
  package static func minute(of time: Timestamp, _ precision: TimePrecision?, _ clock: inout WallClock)
    -> String
  {
    let precision: TimePrecision = precision == .day ? .day : .minute
    return dateAndTime(clock.civil(at: time, knownTo: precision), precision: precision)
  }
}

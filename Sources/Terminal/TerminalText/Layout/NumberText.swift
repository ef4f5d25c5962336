package import MessageModel

package enum NumberText {
  /// `4,812,333`
  package static func grouped(_ number: Int) -> String {
    var digits = Array(String(number.magnitude))
    var position = digits.count - 3
    while position > 0 {
      digits.insert(",", at: position)
      position -= 3
    }
    return (number < 0 ? "-" : "") + String(digits)
  }

  /// `1 message`, `2,000 messages`
  package static func counted(_ number: Int, _ noun: String, plural: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// In units of 1,000: `812 bytes`, `4.2 KB`, `13 MB`.
  package static func bytes(_ count: Int) -> String {
    count < 1_000 ? counted(count, "byte") : scaled(count, [" KB", " MB", " GB", " TB"])
  }

  /// At most four digits and a unit: `812`, `34k`, `1.2M`.
  package static func short(_ count: Int) -> String {
    count < 10_000 ? "\(count)" : scaled(count, ["k", "M", "G", "T"])
  }

  private static func scaled(_ count: Int, _ units: [String]) -> String {
    var tenths = count / 100
    for unit in units.dropLast() {
      if tenths < 100 { return "\(tenths / 10).\(tenths % 10)\(unit)" }
      if tenths < 10_000 { return "\(tenths / 10)\(unit)" }
      tenths /= 1_000
    }
    return grouped(tenths / 10) + units[units.count - 1]
  }

  package static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

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

import MessageModel

extension CivilTime {
  /// The date as `2026-01-31`.
  var dateText: String { "\(year)-\(Self.padded(month))-\(Self.padded(day))" }

  /// The time of the day as `23:59:01`.
  var clockText: String { "\(Self.padded(hour)):\(Self.padded(minute)):\(Self.padded(second))" }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

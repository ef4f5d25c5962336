public import Foundation

extension Timestamp {
  /// Creates the moment of a date, rounded to the millisecond and clamped to ``supported``. NaN becomes the
  /// earliest moment.
  public init(_ date: Date) {
    let milliseconds = (date.timeIntervalSinceReferenceDate * 1_000).rounded()
    let reference = Int64(exactly: milliseconds) ?? (milliseconds > 0 ? .max : .min)
    self = Self.referenceDate.advanced(byMilliseconds: reference)
  }

  /// 2001-01-01 00:00 UTC, Foundation's reference date.
  fileprivate static let referenceDate = Timestamp(millisecondsSince1970: 978_307_200_000)
}

extension Date {
  /// Creates the date of a moment, which converts back to the same moment.
  public init(_ moment: Timestamp) {
    let reference = Timestamp.referenceDate.millisecondsSince1970
    self.init(timeIntervalSinceReferenceDate: Double(moment.millisecondsSince1970 - reference) / 1_000)
  }
}

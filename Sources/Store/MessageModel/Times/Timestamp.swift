public import Foundation

/// A moment in milliseconds since 1970-01-01 00:00 UTC, without leap seconds (POSIX time).
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01 00:00 UTC; negative before.
  public var millisecondsSince1970: Int64

  /// Creates a moment from milliseconds since 1970, clamped to ``supported``.
  public init(millisecondsSince1970: Int64) {
    self.millisecondsSince1970 = min(max(millisecondsSince1970, Self.lowest), Self.highest)
  }

  private static let lowest: Int64 = -(1 << 51)
  private static let highest: Int64 = (1 << 51) - 1

  /// The moments that a ``Message/ID`` can represent: about 71,000 years on either side of 1970.
  public static let supported =
    Timestamp(millisecondsSince1970: lowest)...Timestamp(millisecondsSince1970: highest)

  public static func < (a: Timestamp, b: Timestamp) -> Bool {
    a.millisecondsSince1970 < b.millisecondsSince1970
  }

  /// Returns the moment `milliseconds` later, or earlier if negative, clamped to ``supported``.
  public func advanced(byMilliseconds milliseconds: Int64) -> Timestamp {
    let (sum, overflow) = millisecondsSince1970.addingReportingOverflow(milliseconds)
    return Timestamp(millisecondsSince1970: overflow ? (milliseconds < 0 ? .min : .max) : sum)
  }

  /// Returns the start of the interval of `precision` that contains this moment, in UTC.
  package func rounded(to precision: TimePrecision) -> Timestamp {
    let unit = precision.milliseconds
    return Timestamp(millisecondsSince1970: millisecondsSince1970.floorDivided(by: unit) * unit)
  }
}

/// The precision of a message's time.
///
/// The raw values are stored: 0 and 1 take no byte in SQLite, since the row's header encodes them
/// (<https://sqlite.org/fileformat2.html#record_format>).
public enum TimePrecision: Int, Hashable, Sendable, CaseIterable {
  /// Milliseconds.
  case millisecond = 0
  /// Minutes.
  case minute = 1
  /// Seconds.
  case second = 2
  /// Only the date is known. It is the same in every zone, and is stored as that day in UTC.
  case day = 3

  /// The length of the interval in which the message was written, in milliseconds.
  package var milliseconds: Int64 {
    switch self {
    case .millisecond: 1
    case .second: 1_000
    case .minute: 60_000
    case .day: 86_400_000
    }
  }

  /// The word for it in JSON Lines.
  public var name: String {
    switch self {
    case .millisecond: "millisecond"
    case .second: "second"
    case .minute: "minute"
    case .day: "day"
    }
  }

  /// The precision with this ``name``, if there is one.
  package init?(name: some StringProtocol) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }
}

extension Int64 {
  /// Divides by a positive divisor, rounding towards minus infinity (`/` rounds towards zero).
  package func floorDivided(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

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

extension Duration {
  /// The whole milliseconds, clamped to `Int64`.
  package var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000)
    // The fraction of a second has the sign of the seconds.
    let (sum, isBeyond) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return isTooLong || isBeyond ? (seconds < 0 ? .min : .max) : sum
  }
}

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
  public func rounded(to precision: TimePrecision) -> Timestamp {
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
  public var milliseconds: Int64 {
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
  public init?(name: some StringProtocol) {
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

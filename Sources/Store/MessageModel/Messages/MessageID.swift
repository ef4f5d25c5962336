extension Message {
  /// The identity of a message, its place in the order of all messages and its time, in one number.
  ///
  /// It is milliseconds since 1970 × 4096 + a place within that millisecond. One comparison orders any two
  /// messages, and a range of dates is a range of ids. An id is unique in its store, never changed and never used
  /// again.
  public struct ID: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number, as it is stored.
    public var rawValue: Int64

    /// Creates an id from its number.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Creates the id at a place within a millisecond, 0 to 4095.
    public init(time: Timestamp, place: Int = 0) {
      precondition((0..<Self.placesPerMillisecond).contains(place), "A millisecond has 4096 places.")
      self.rawValue = time.millisecondsSince1970 << 12 | Int64(place)
    }

    /// The number of messages that fit into one millisecond.
    ///
    /// Twelve bits and not twenty: FTS5 delta-codes row ids, and twenty bits made its index a fifth larger.
    public static let placesPerMillisecond = 4_096

    /// The smallest id there can be.
    public static let lowest = ID(rawValue: .min)
    /// The greatest id there can be.
    public static let highest = ID(rawValue: .max)

    /// The millisecond it lies in.
    public var time: Timestamp { Timestamp(millisecondsSince1970: rawValue >> 12) }

    /// The ids that a message written at `time`, known to `precision`, may have.
    public static func range(of time: Timestamp, precision: TimePrecision) -> ClosedRange<ID> {
      let start = time.rounded(to: precision)
      let last = start.advanced(byMilliseconds: precision.milliseconds - 1)
      return ID(time: start)...ID(time: last, place: placesPerMillisecond - 1)
    }

    /// The next greater id; the greatest is its own successor.
    public var successor: ID { rawValue == .max ? self : ID(rawValue: rawValue + 1) }
    /// The next smaller id; the smallest is its own predecessor.
    public var predecessor: ID { rawValue == .min ? self : ID(rawValue: rawValue - 1) }

    public static func < (a: ID, b: ID) -> Bool { a.rawValue < b.rawValue }
  }
}

extension Message.ID: CustomStringConvertible, LosslessStringConvertible {
  /// The number in decimal digits, as `show`, JSON Lines and `/goto #` take it.
  public var description: String { String(rawValue) }

  /// The id with these decimal digits, or `nil` if they are none.
  public init?(_ description: String) {
    guard let rawValue = Int64(description) else { return nil }
    self.init(rawValue: rawValue)
  }
}

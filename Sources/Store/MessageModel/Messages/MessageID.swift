extension Message {
  /// The identity of a message and its position in the order of all messages, in one number.
  ///
  /// It is the milliseconds since 1970 × 4096 + a serial number within the millisecond, its place. One
  /// comparison orders any two messages. An id is unique in its store, never changed and never reused.
  ///
  /// The millisecond is the time of the message, unless its conversation already had a message with a later
  /// time: then the message gets the next id after that one, and keeps its own ``Message/time``.
  public struct ID: RawRepresentable, Hashable, Comparable, Sendable {
    /// The stored number.
    public var rawValue: Int64

    /// Creates an id from its number.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Creates the id at a place within a millisecond, 0 to 4095.
    public init(time: Timestamp, place: Int = 0) {
      precondition((0..<Self.placesPerMillisecond).contains(place), "A millisecond has 4096 places.")
      self.rawValue = time.millisecondsSince1970 << 12 | Int64(place)
    }

    /// The number of places in a millisecond.
    ///
    /// Twelve bits rather than twenty: FTS5 delta-codes row ids, and with twenty bits its index was a fifth
    /// larger.
    package static let placesPerMillisecond = 4_096

    /// The least possible id.
    public static let lowest = ID(rawValue: .min)
    /// The greatest possible id.
    public static let highest = ID(rawValue: .max)

    /// The millisecond of the id: the time of its message, unless that has its own (``Message/writtenAt``).
    package var placeTime: Timestamp { Timestamp(millisecondsSince1970: rawValue >> 12) }

    /// The places of messages written within a range of time, except those with other times.
    package static func places(of times: ClosedRange<Timestamp>) -> ClosedRange<ID> {
      ID(time: times.lowerBound)...ID(time: times.upperBound, place: placesPerMillisecond - 1)
    }

    /// The ids that a message written at `time`, known to `precision`, may have.
    package static func range(of time: Timestamp, precision: TimePrecision) -> ClosedRange<ID> {
      let start = time.rounded(to: precision)
      let last = start.advanced(byMilliseconds: precision.milliseconds - 1)
      return places(of: start...last)
    }

    /// The next greater id; the greatest is its own successor.
    public var successor: ID { rawValue == .max ? self : ID(rawValue: rawValue + 1) }
    /// The next smaller id; the smallest is its own predecessor.
    public var predecessor: ID { rawValue == .min ? self : ID(rawValue: rawValue - 1) }

    public static func < (a: ID, b: ID) -> Bool { a.rawValue < b.rawValue }
  }
}

extension Message.ID: CustomStringConvertible, LosslessStringConvertible {
  /// The number in decimal digits, as in `show`, JSON Lines and `/goto #`.
  public var description: String { String(rawValue) }

  /// Parses decimal digits.
  public init?(_ description: String) {
    guard let rawValue = Int64(description) else { return nil }
    self.init(rawValue: rawValue)
  }
}

/// The time of a message that differs from the millisecond of its id.
package struct OwnTime: Hashable, Sendable {
  package var id: Message.ID
  package var time: Timestamp
  package var precision: TimePrecision

  package init(id: Message.ID, time: Timestamp, precision: TimePrecision) {
    (self.id, self.time, self.precision) = (id, time, precision)
  }
}

/// The messages of one day of the calendar, the latest year first.
public struct AnniversariesAnswer: Codable, Hashable, Sendable {
  /// The years that have messages on that day.
  public var years: [AnniversaryAnswer]
}

/// The messages of one day of the calendar in one year.
public struct AnniversaryAnswer: Codable, Hashable, Sendable {
  /// The date: `2014-05-01`.
  public var day: String
  /// The number of its messages.
  public var total: Int
  /// The first of them.
  public var messages: [MessageAnswer]
}

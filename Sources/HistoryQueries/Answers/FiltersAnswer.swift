internal import MessageStorage

/// Saved filters by name.
public struct FiltersAnswer: Codable, Hashable, Sendable {
  /// The filters, by name.
  public var filters: [FilterAnswer]
  /// The name after which to go on; `nil` at the end.
  public var next: String?
}

/// A filter that was saved by name.
public struct FilterAnswer: Codable, Hashable, Sendable {
  /// The name that it was saved by.
  public var name: String
  /// How many messages of the whole store it lets through.
  public var messages: Int
  /// Whether that is exact.
  public var exact: Bool
  /// How it was put.
  public var filter: String
  /// How much of what was there before has been counted, in percent; `nil` if all has.
  public var countedPercent: Int?

  init(_ filter: SavedFilter) {
    name = filter.name
    messages = filter.total
    exact = filter.isExact
    self.filter = filter.words
    countedPercent = filter.countedPart < 1 ? Int(max(filter.countedPart, 0) * 100) : nil
  }
}

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
  /// The number of messages of the whole store that it lets through.
  public var messages: Int
  /// Whether that is exact.
  public var exact: Bool
  /// The filter as it was typed.
  public var filter: String
  /// The part of the earlier messages that has been counted, in percent; `nil` if all has.
  public var countedPercent: Int?

  init(_ filter: SavedFilter) {
    name = filter.name
    messages = filter.total
    exact = filter.isExact
    self.filter = filter.words
    countedPercent = filter.countedPart < 1 ? Int(max(filter.countedPart, 0) * 100) : nil
  }
}

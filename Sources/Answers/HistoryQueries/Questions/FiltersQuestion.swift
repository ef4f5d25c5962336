public import MessageModel
internal import MessageStorage

/// Asks for the saved filters.
public struct FiltersQuestion: HistoryQuestion, ListQuestion {
  /// Its word in JSON.
  public static let word = "filters"

  /// The name after which to begin.
  public var after: String?
  /// The most filters; `nil` for the usual limit.
  public var limit: Int?

  /// Creates a question.
  public init(after: String? = nil, limit: Int? = nil) {
    self.after = after
    self.limit = limit
  }
}

extension FiltersQuestion {
  /// Returns the filters.
  public func answer(by queries: QuestionAnswerer) throws(StoreError) -> FiltersAnswer {
    try queries.filters(after: after, limit: QuestionAnswerer.limit(limit))
  }
}

/// Saved filters by name.
public struct FiltersAnswer: HistoryAnswer, ServedAnswer {
  /// The filters, by name.
  public var filters: [FilterAnswer]
  /// The name after which to continue; `nil` at the end.
  public var next: String?

  package var count: Int { filters.count }
}

/// A saved filter.
public struct FilterAnswer: Codable, Hashable, Sendable {
  /// Its name.
  public var name: String
  /// The number of messages in the store that match it.
  public var messages: Int
  /// Whether ``messages`` is exact.
  public var exact: Bool
  /// The filter as typed.
  public var filter: String
  /// The percentage of earlier messages counted so far; `nil` when all are.
  public var countedPercent: Int?

  init(_ filter: SavedFilter) {
    name = filter.name
    messages = filter.total
    exact = filter.isExact
    self.filter = filter.words
    countedPercent = filter.countedPart < 1 ? Int(max(filter.countedPart, 0) * 100) : nil
  }
}

extension QuestionAnswerer {
  /// Returns saved filters by name, with their counts.
  public func filters(after name: String? = nil, limit: Int = .max) throws(StoreError) -> FiltersAnswer {
    let portion = try Portion(limit: limit) { limit throws(StoreError) in
      try store.savedFilters(after: name, limit: limit)
    }
    return FiltersAnswer(filters: portion.shown.map { FilterAnswer($0) }, next: portion.last?.name)
  }
}

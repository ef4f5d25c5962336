public import MessageModel

/// The reason why a query means nothing, and where.
public struct QueryError: ExplainedError, Hashable {
  /// The error, also one of the store that could not be read.
  public var reason: StoreError
  /// The part of the query that is not understood, or names nobody; `nil` if it is not one part.
  public var range: Range<String.Index>?

  init(_ reason: StoreError, at range: Range<String.Index>? = nil) {
    self.reason = reason
    self.range = range
  }

  public var summary: String { reason.summary }
  public var cause: String? { reason.cause }
  public var remedy: Remedy? { reason.remedy }
}

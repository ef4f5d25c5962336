public import MessageModel

/// Why a query is invalid, and where.
public struct QueryError: ExplainedError, Hashable {
  /// The error; it may also be the store's, if that cannot be read.
  public var reason: StoreError
  /// The part of the query that is invalid or names no known person; `nil` if it is not a single part.
  public var range: Range<String.Index>?

  init(_ reason: StoreError, at range: Range<String.Index>? = nil) {
    self.reason = reason
    self.range = range
  }

  public var summary: String { reason.summary }
  public var cause: String? { reason.cause }
  public var remedy: Remedy? { reason.remedy }
}

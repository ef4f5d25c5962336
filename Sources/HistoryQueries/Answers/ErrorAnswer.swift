public import MessageModel

/// Why a question has no answer.
public struct ErrorAnswer: Codable, Hashable, Sendable {
  /// What programs may branch on.
  public var kind: StoreError.Kind
  /// What could not be done, and to what, for people.
  public var summary: String
  /// Why it could not be done, if that is known.
  public var cause: String?
  /// What to do, if something helps.
  public var remedy: String?

  /// Creates an answer.
  public init(_ error: StoreError) {
    kind = error.kind
    summary = error.summary
    cause = error.cause
    remedy = error.remedy
  }
}

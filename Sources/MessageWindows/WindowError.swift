public import MessageModel

/// Why a window cannot be made as it was asked for.
public struct WindowError: ExplainedError, Hashable {
  /// What code may branch on; the texts are for people.
  public enum Kind: Hashable, Sendable {
    /// No window can keep all of these limits at once.
    case impossibleLimits
  }

  public var kind: Kind
  public var summary: String
  public var cause: String?
  public var remedy: String?

  /// Creates an error.
  public init(_ kind: Kind, _ summary: String, cause: String? = nil, remedy: String? = nil) {
    self.kind = kind
    self.summary = summary
    self.cause = cause
    self.remedy = remedy
  }
}

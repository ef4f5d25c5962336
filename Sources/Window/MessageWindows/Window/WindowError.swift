public import MessageModel

/// An error in the limits of a window.
public struct WindowError: ExplainedError, Hashable {
  /// A kind of error, for code; the texts are for people.
  public enum Kind: Hashable, Sendable {
    /// The limits conflict.
    case impossibleLimits
  }

  /// The kind, for code to branch on.
  public var kind: Kind
  /// What failed, and to what.
  public var summary: String
  /// Why, if known.
  public var cause: String?
  /// The way out, if there is one.
  public var remedy: Remedy?

  /// Creates an error.
  public init(_ kind: Kind, _ summary: String, cause: String? = nil, remedy: Remedy? = nil) {
    self.kind = kind
    self.summary = summary
    self.cause = cause
    self.remedy = remedy
  }
}

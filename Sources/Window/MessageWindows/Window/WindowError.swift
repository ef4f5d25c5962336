public import MessageModel

/// An error in the limits that a window was to be made with.
public struct WindowError: ExplainedError, Hashable {
  /// A kind of error, for code to branch on; the texts are for people.
  public enum Kind: Hashable, Sendable {
    /// No window can keep all of these limits at once.
    case impossibleLimits
  }

  /// The kind, for code to branch on.
  public var kind: Kind
  /// The action that could not be done, and its object.
  public var summary: String
  /// Why, if that is known.
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

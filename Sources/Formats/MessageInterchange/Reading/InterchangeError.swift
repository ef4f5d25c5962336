public import MessageModel

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// An error in reading or writing a whole history.
public struct InterchangeError: ExplainedError, Hashable {
  /// The kind of an error, to branch on; the texts are for people.
  public enum Kind: Hashable, Sendable {
    /// The path does not exist.
    case noSuchFile
    /// The user may not read the file.
    case notPermitted
    /// The file is damaged, or is not what it claims to be.
    case unreadable
    /// The format's name is unknown.
    case unknownFormat
    /// An option is invalid.
    case invalidOption
    /// A read or write failed.
    case inputOutput
  }

  /// The kind, to branch on.
  public var kind: Kind
  /// What failed, and to what, in one clause.
  public var summary: String
  /// The reason, if known.
  public var cause: String?
  /// The way out, if any.
  public var remedy: Remedy?

  /// Creates an error.
  public init(_ kind: Kind, _ summary: String, cause: String? = nil, remedy: Remedy? = nil) {
    self.kind = kind
    self.summary = PathBytes.shown(summary)
    self.cause = cause
    self.remedy = remedy
  }
}

extension InterchangeError {
  init(errno code: Int32, reading path: String) {
    let kind: Kind =
      switch code {
      case ENOENT, ENOTDIR: .noSuchFile
      case EACCES, EPERM: .notPermitted
      default: .inputOutput
      }
    self.init(kind, "cannot read '\(path)'", cause: String(cString: strerror(code)))
  }
}

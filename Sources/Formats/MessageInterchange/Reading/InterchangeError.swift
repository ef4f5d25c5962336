public import MessageModel

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// An error in reading or writing a history as a whole.
public struct InterchangeError: ExplainedError, Hashable {
  /// A kind of error, for code to branch on; the texts are for people.
  public enum Kind: Hashable, Sendable {
    /// There is no file at the path.
    case noSuchFile
    /// The file may not be read by this user.
    case notPermitted
    /// The file is damaged, or is not what it was said to be.
    case unreadable
    /// No format of that name is known.
    case unknownFormat
    /// An option makes no sense.
    case invalidOption
    /// A read or write failed.
    case inputOutput
  }

  /// The kind, for code to branch on.
  public var kind: Kind
  /// The failure in one clause: the action and its object.
  public var summary: String
  /// Why, if that is known.
  public var cause: String?
  /// The way out, if there is one.
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
  /// Creates the error that a system call left in `errno`.
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

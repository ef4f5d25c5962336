public import MessageModel

/// Why the shell could not do what was typed.
public struct ShellError: ExplainedError, Hashable {
  /// What code may branch on, with the exit code that scripts see.
  public enum Kind: Int32, Hashable, Sendable {
    /// What was asked for is not there.
    case nothingFound = 1
    /// There is no such command, or its arguments make no sense.
    case usage = 64
    /// What was named does not exist.
    case noSuchThing = 66
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

/// The exit codes of errors, as the README lists them.
public enum ExitCodes {
  /// Returns the code with which the program ends because of `error`.
  public static func code(for error: any Error) -> Int32 {
    switch error {
    case let error as ShellError: error.kind.rawValue
    case let error as StoreError: code(for: error.kind)
    default: 74
    }
  }

  private static func code(for kind: StoreError.Kind) -> Int32 {
    switch kind {
    case .noSuchStore, .notFound: 66
    case .notAStore, .damaged: 65
    case .notPermitted, .readOnly: 77
    case .busy: 75
    case .inputOutput: 74
    case .cannotCreate, .alreadyExists: 73
    case .invalidRequest: 64
    case .cancelled: 130
    }
  }
}

public import MessageModel

/// A command was asked for something that makes no sense.
public struct UsageError: ExplainedError, Hashable {
  public var summary: String
  public var cause: String?
  public var remedy: String?
  public var status: ExitStatus

  /// Creates an error.
  public init(
    _ summary: String, cause: String? = nil, remedy: String? = nil, status: ExitStatus = .wrongUsage
  ) {
    self.summary = summary
    self.cause = cause
    self.remedy = remedy
    self.status = status
  }

  /// Creates an error that tells what another one tells.
  init(_ error: any Error) {
    let explained = error as? any ExplainedError
    self.init(
      explained?.summary ?? "\(error)", cause: explained?.cause, remedy: explained?.remedy,
      status: ExitStatus(error))
  }
}

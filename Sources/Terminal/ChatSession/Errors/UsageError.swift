package import MessageModel

package struct UsageError: ExplainedError, Hashable {
  package var summary: String
  package var cause: String?
  package var remedy: Remedy?
  package var status: ExitStatus

  package init(
    _ summary: String, cause: String? = nil, remedy: Remedy? = nil, status: ExitStatus = .wrongUsage
  ) {
    self.summary = summary
    self.cause = cause
    self.remedy = remedy
    self.status = status
  }

  init(_ error: any Error) {
    let explained = error as? any ExplainedError
    self.init(
      explained?.summary ?? "\(error)", cause: explained?.cause, remedy: explained?.remedy,
      status: ExitStatus(error))
  }
}

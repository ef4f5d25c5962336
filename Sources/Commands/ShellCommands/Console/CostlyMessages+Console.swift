internal import ChatSession
internal import MessageStorage

extension CostlyMessages {
  /// Names those that a command passed over, and returns the status it ends with: otherwise `status`.
  static func tell(of store: SynchronousMessageStore, _ console: Console, else status: ExitStatus)
    -> ExitStatus
  {
    guard let error = error(store.takeCostlyMessages()) else { return status }
    console.complain("scrollback: \(error.typed)")
    return error.status
  }
}

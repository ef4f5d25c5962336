internal import ChatSession
internal import MessageStorage

extension CostlyMessages {
  /// Reports skipped messages and returns the exit status; `status` if there are none.
  static func tell(of store: SynchronousMessageStore, _ console: Console, else status: ExitStatus)
    -> ExitStatus
  {
    guard let error = error(store.takeCostlyMessages()) else { return status }
    console.complain("scrollback: \(error.typed)")
    return error.status
  }
}

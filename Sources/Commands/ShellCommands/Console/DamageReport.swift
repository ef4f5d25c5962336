internal import ChatSession
internal import MessageStorage
internal import TerminalText

/// The report at the end of a command of the damage that it has come upon.
enum DamageReport {
  /// Complains about the first damage that was seen while the store was read.
  ///
  /// - Returns: `status`, or ``ExitStatus/incomplete`` in place of ``ExitStatus/done`` if there was any.
  static func status(
    _ status: ExitStatus = .done, after store: SynchronousMessageStore, _ console: Console
  ) -> ExitStatus {
    let (count, first) = store.damageSeen
    guard count > 0, let example = first.first else { return status }
    let error = UsageError(
      "the store is damaged, and not all of it could be read",
      cause: count == 1 ? example : "\(example), and \(NumberText.grouped(count - 1)) more",
      remedy: "scrollback check")
    console.complain("scrollback: \(error.typed)")
    return status == .done ? .incomplete : status
  }
}

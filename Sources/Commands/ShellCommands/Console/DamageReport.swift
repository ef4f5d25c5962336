internal import ChatSession
internal import MessageStorage
internal import TerminalText

enum DamageReport {
  /// Reports the first damage met while the store was read; ``ExitStatus/done`` then becomes
  /// ``ExitStatus/incomplete``.
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

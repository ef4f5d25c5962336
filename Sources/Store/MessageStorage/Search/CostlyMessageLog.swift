package import MessageModel
internal import Synchronization

/// Messages on which a regular expression exceeded its limit, since the last ``take()``.
///
/// Such a message does not end the search; it is skipped, and the caller reports it.
final class CostlyMessageLog: Sendable {
  private let ids = Mutex<Set<Int64>>([])

  func note(_ id: Int64) { ids.withLock { _ = $0.insert(id) } }

  func take() -> [Message.ID] {
    ids.withLock { ids in
      defer { ids = [] }
      return ids.sorted().map { Message.ID(rawValue: $0) }
    }
  }
}

struct TooCostly: Error {}

extension SynchronousMessageStore {
  /// Returns the messages skipped since the last call, because a regular expression exceeded its limit on
  /// them.
  package func takeCostlyMessages() -> [Message.ID] { costlyMessages.take() }
}

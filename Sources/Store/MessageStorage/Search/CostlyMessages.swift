package import MessageModel
internal import Synchronization

/// The messages on which a regular expression took too long since somebody asked last.
///
/// One of them must not end a search through all the others: it is passed over, and whoever searched names it.
final class CostlyMessages: Sendable {
  private let ids = Mutex<Set<Int64>>([])

  func note(_ id: Int64) { ids.withLock { _ = $0.insert(id) } }

  func take() -> [Message.ID] {
    ids.withLock { ids in
      defer { ids = [] }
      return ids.sorted().map { Message.ID(rawValue: $0) }
    }
  }
}

/// A text takes more work than is allowed to match it.
struct TooCostly: Error {}

extension SynchronousMessageStore {
  /// Returns the messages that were passed over since this was asked last, because a regular expression took too long on
  /// them: it counts as not matching there.
  package func takeCostlyMessages() -> [Message.ID] { costlyMessages.take() }
}

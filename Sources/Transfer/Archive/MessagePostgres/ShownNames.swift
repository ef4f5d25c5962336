internal import MessageModel
internal import Synchronization

/// The names of conversations as pages have shown them last: who shows a message wants the name of its conversation, too, and
/// would ask for each.
final class ShownNames: Sendable {
  private let names = Mutex<[Conversation.ID: String]>([:])

  /// More are not kept at once.
  private static let limit = 20_000

  /// Notes a name that stands in a row.
  func note(_ rows: PostgresRows, _ row: Int, _ column: Int, _ id: Conversation.ID) {
    guard let name = rows.optionalText(row, column) else { return }
    names.withLock { names in
      if names[id] == name { return }
      if names.count >= Self.limit { names.removeAll(keepingCapacity: true) }
      names[id] = name
    }
  }

  /// The name that a conversation was shown by last; `nil` if it was not.
  subscript(id: Conversation.ID) -> String? { names.withLock { $0[id] } }
}

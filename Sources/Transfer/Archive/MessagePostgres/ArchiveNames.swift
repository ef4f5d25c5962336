internal import MessageModel
internal import Synchronization

/// The conversation names of recent pages: showing messages needs them, and this saves a query each.
final class ArchiveNames: Sendable {
  private let names = Mutex<[Conversation.ID: String]>([:])

  private static let limit = 20_000

  func note(_ rows: PostgresRows, _ row: Int, _ column: Int, _ id: Conversation.ID) {
    guard let name = rows.optionalText(row, column) else { return }
    names.withLock { names in
      if names[id] == name { return }
      if names.count >= Self.limit { names.removeAll(keepingCapacity: true) }
      names[id] = name
    }
  }

  subscript(id: Conversation.ID) -> String? { names.withLock { $0[id] } }
}

internal import GRDB
package import MessageModel

/// What became of a conversation that a window, a page or an app has open.
package enum ConversationFate: Hashable, Sendable {
  /// It exists, perhaps under another name.
  case present(Conversation)
  /// Its messages are in another conversation now.
  case merged(into: Conversation)
  /// It was deleted with its messages.
  case deleted
}

extension SynchronousMessageStore {
  /// Returns what became of a conversation.
  ///
  /// A message of it leads to its present conversation: merges keep message ids, and moves record the new
  /// ones. Otherwise its name does, also as a former name. The id alone does not suffice, since the store may
  /// reuse that of a deleted conversation.
  ///
  /// - Parameters:
  ///   - id: The conversation.
  ///   - name: Its name when it was read.
  ///   - message: A message that was in it, if one is known.
  /// - Complexity: O(log *n*).
  package func fate(
    of id: Conversation.ID, named name: String, holding message: Message.ID?
  ) throws(StoreError) -> ConversationFate {
    try reading(
      "cannot look up a conversation in '\(path)'", archived: { try $0.fate(of: id, holding: message) }
    ) { db in
      let present = try Self.conversation(id, in: db)
      if let present, present.name == name { return .present(present) }
      guard let successor = try Self.conversation(with: message, formerlyNamed: name, in: db) else {
        return .deleted
      }
      return successor == present ? .present(successor) : .merged(into: successor)
    }
  }

  private static func conversation(
    with message: Message.ID?, formerlyNamed name: String, in db: Database
  ) throws -> Conversation? {
    let holding = try message.flatMap { try FormerIDs(db: db).present($0) }.flatMap { id in
      try RawStatement.number(db, "SELECT conversation FROM message WHERE id = ?", id.rawValue)
    }
    let id =
      try holding
      ?? RawStatement(db, "SELECT conversation FROM former_name WHERE name = ?", name).first { $0.int(0) }
    return try id.flatMap { try conversation(Conversation.ID(rawValue: $0), in: db) }
  }
}

extension HistoryArchive {
  /// An archive never reuses ids of conversations.
  fileprivate func fate(
    of id: Conversation.ID, holding message: Message.ID?
  ) throws(StoreError) -> ConversationFate {
    if let present = try conversations(.id(id)).first { return .present(present) }
    guard let message, let found = try records(of: [message])[message]?.message,
      let successor = try conversations(.id(found.conversation)).first
    else { return .deleted }
    return .merged(into: successor)
  }
}

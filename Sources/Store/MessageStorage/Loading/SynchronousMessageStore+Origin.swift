package import MessageModel

extension SynchronousMessageStore {
  /// Returns how many messages of a conversation no import brought: they were written here, and no import can bring them
  /// back.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  /// - Complexity: A look at each message of the conversation.
  package func countWrittenHere(in conversation: Conversation.ID) throws(StoreError) -> Int {
    try reading("cannot count the messages of conversation \(conversation.rawValue)") { db in
      return try RawStatement(
        db, "SELECT count(*) FROM message WHERE conversation = ? AND batch IS NULL", conversation.rawValue
      ).first { row in row.count(0) } ?? 0
    }
  }
}

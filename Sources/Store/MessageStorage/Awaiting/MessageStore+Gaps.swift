public import MessageModel

extension MessageStore {
  /// Notes that something may be missing between two messages of a conversation, or beyond one at an end; see
  /// ``SynchronousMessageStore/setGap(in:after:before:token:size:)``.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such conversation, `invalidRequest` if it would end before it
  ///   begins or lack fewer than no messages, `readOnly`, `busy`, `inputOutput`. Nothing is changed then.
  public nonisolated(nonsending) func setGap(
    in conversation: Conversation.ID, after: Message.ID? = nil, before: Message.ID? = nil,
    token: String? = nil, size: Int? = nil
  ) async throws {
    try await write { store in
      try store.setGap(in: conversation, after: after, before: before, token: token, size: size)
    }
  }

  /// Writes what was loaded of a gap, and what is missing still, in one transaction; see
  /// ``SynchronousMessageStore/fillGap(_:_:with:token:size:)``.
  ///
  /// - Throws: What ``append(_:to:reading:)`` throws, and `invalidRequest` for a negative size. Nothing is written then.
  @discardableResult
  public nonisolated(nonsending) func fillGap(
    _ gap: MessageGap, _ part: MessageGap.Part, with messages: [NewMessage], token: String? = nil,
    size: Int? = nil
  ) async throws -> [Message.ID] {
    try await write { store in
      try store.fillGap(gap, part, with: messages, token: token, size: size)
    }
  }

  /// Notes that nothing is missing between two messages of a conversation any more, or beyond one at an end.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such conversation, `readOnly`, `busy`, `inputOutput`.
  public nonisolated(nonsending) func removeGaps(
    in conversation: Conversation.ID, after: Message.ID? = nil, before: Message.ID? = nil
  ) async throws {
    try await write { store in
      try store.removeGaps(in: conversation, after: after, before: before)
    }
  }

  /// Returns the gaps of a conversation as they were noted, oldest first; see
  /// ``SynchronousMessageStore/gaps(of:after:limit:)``.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func gaps(
    of conversation: Conversation.ID, after id: Message.ID? = nil, limit: Int = 100
  ) async throws -> [MessageGap] {
    try await read { try $0.gaps(of: conversation, after: id, limit: limit) }
  }
}

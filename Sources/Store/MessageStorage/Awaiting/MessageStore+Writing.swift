public import MessageModel

extension MessageStore {
  /// Appends messages to a conversation in one transaction, on disk when it returns, and returns their ids; see
  /// ``SynchronousMessageStore/append(_:to:reading:)``.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` for an unknown conversation or a reply to a message that is not there, what
  ///   ``attach(_:to:)`` throws for files, `readOnly`, `busy`, `inputOutput`; nothing is written then.
  @discardableResult
  public nonisolated(nonsending) func append(
    _ messages: [NewMessage], to conversation: Conversation.ID, reading positions: ReadPositions? = nil
  ) async throws -> [Message.ID] {
    try await write { store in
      try store.append(messages, to: conversation, reading: positions)
    }
  }

  /// Gives a message another text, and returns whether there was anything to change.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message, `readOnly`, `busy`, `inputOutput`; nothing is
  ///   changed then.
  @discardableResult
  public nonisolated(nonsending) func edit(_ id: Message.ID, text: String) async throws -> Bool {
    try await write { try $0.edit(id, text: text) }
  }

  /// Deletes messages, and returns what brings them back.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if one of them is not there, `readOnly`, `busy`, `inputOutput`; nothing is
  ///   deleted then.
  @discardableResult
  public nonisolated(nonsending) func delete(_ ids: [Message.ID]) async throws -> DeletedMessages {
    try await write { try $0.delete(ids) }
  }

  /// Brings deleted messages back.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if their conversation is gone, `readOnly`, `busy`, `inputOutput`.
  public nonisolated(nonsending) func restore(_ deleted: DeletedMessages) async throws {
    try await write { try $0.restore(deleted) }
  }

  /// Adds a reaction, and returns whether it is new.
  ///
  /// - Throws: As ``react(_:to:by:)-(_,_,SenderKey)``.
  @discardableResult
  public nonisolated(nonsending) func react(
    _ emoji: String, to id: Message.ID, by sender: String
  ) async throws -> Bool {
    try await write { try $0.react(emoji, to: id, by: sender) }
  }

  /// Takes a reaction back, and returns whether it was there.
  ///
  /// - Throws: As ``withdraw(_:from:by:)-(_,_,SenderKey)``.
  @discardableResult
  public nonisolated(nonsending) func withdraw(
    _ emoji: String, from id: Message.ID, by sender: String
  ) async throws -> Bool {
    try await write { try $0.withdraw(emoji, from: id, by: sender) }
  }

  /// Gives messages a star, and returns those that had none.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if one of them is not there, `readOnly`, `busy`, `inputOutput`; no message is
  ///   changed then.
  @discardableResult
  public nonisolated(nonsending) func star(
    _ ids: [Message.ID], at time: Timestamp? = nil
  ) async throws -> [Message.ID] {
    try await write { try $0.star(ids, at: time) }
  }

  /// Takes the stars of messages away, and returns those that had one.
  ///
  /// - Throws: As ``star(_:at:)``.
  @discardableResult
  public nonisolated(nonsending) func unstar(_ ids: [Message.ID]) async throws -> [Message.ID] {
    try await write { try $0.unstar(ids) }
  }

  /// Says up to which messages conversations have been read; no position moves back.
  ///
  /// - Throws: ``StoreError`` of kind `readOnly`, `busy`, `inputOutput`; nothing is written then.
  public nonisolated(nonsending) func markRead(_ positions: ReadPositions) async throws {
    try await write { try $0.markRead(positions) }
  }

  /// Says up to which message a conversation has been read; the mark never moves back.
  ///
  /// - Throws: ``StoreError`` of kind `readOnly`, `busy`, `inputOutput`; nothing is written then.
  public nonisolated(nonsending) func markRead(
    _ conversation: Conversation.ID, upTo id: Message.ID
  ) async throws {
    try await write { try $0.markRead(conversation, upTo: id) }
  }

  /// Sets a mark; one of the same name moves there.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` if the name is empty, `readOnly`, `busy`, `inputOutput`.
  public nonisolated(nonsending) func setMark(_ mark: NamedMark) async throws {
    try await write { try $0.setMark(mark) }
  }

  /// Removes a mark, and returns whether there was one of that name.
  ///
  /// - Throws: ``StoreError`` of kind `readOnly`, `busy`, `inputOutput`; the mark stays then.
  @discardableResult
  public nonisolated(nonsending) func removeMark(named name: String) async throws -> Bool {
    try await write { try $0.removeMark(named: name) }
  }

  /// Attaches files to a message and returns them as they are attached.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message, `noSuchFile`, `notPermitted`, `invalidRequest`
  ///   for what is no file, `inputOutput` also for a file that changes while it is read, `readOnly`, `busy`.
  @discardableResult
  public nonisolated(nonsending) func attach(
    _ files: [NewAttachment], to id: Message.ID
  ) async throws -> [Message.Attachment] {
    try await write { try $0.attach(files, to: id) }
  }

  /// Keeps bytes with a message that mean nothing to the store; `nil` takes them away.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message, `readOnly`, `busy`, `inputOutput`; nothing is
  ///   changed then.
  public nonisolated(nonsending) func setPayload(
    _ payload: [UInt8]?, of id: Message.ID
  ) async throws {
    try await write { try $0.setPayload(payload, of: id) }
  }

  /// Says how far an app has come with sending a message; `nil` says nothing any more.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message, `readOnly`, `busy`, `inputOutput`; nothing is
  ///   changed then.
  public nonisolated(nonsending) func setSendingState(
    _ state: Message.SendingState?, of id: Message.ID
  ) async throws {
    try await write { try $0.setSendingState(state, of: id) }
  }
}

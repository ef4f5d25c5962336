public import MessageModel

/// A writable source, which a check changes in step with the naive model.
///
/// Each call is one commit, which is complete when it returns. A call that throws changes nothing.
public protocol MutableMessageSource: MessageSource {
  /// Creates an empty conversation and returns its id.
  ///
  /// - Throws: An error if it cannot be created.
  func makeConversation(named name: String) async throws -> Conversation.ID

  /// Adds a message after the newest one of its conversation and returns its id.
  ///
  /// - Throws: An error if it cannot be written.
  func append(_ text: String, to conversation: Conversation.ID) async throws -> Message.ID

  /// Adds a message at a time, wherever that puts it, and returns its id, which lies within that millisecond.
  ///
  /// - Throws: An error if it cannot be written, for example because the millisecond is full.
  func insert(_ text: String, at time: Timestamp, in conversation: Conversation.ID) async throws
    -> Message.ID

  /// Deletes messages, all of which exist.
  ///
  /// - Throws: An error if they cannot be deleted; none of them is then.
  func delete(_ ids: [Message.ID]) async throws

  /// Changes the text of a message that exists: its revision increases by one, and it counts as edited.
  ///
  /// - Throws: An error if it cannot be written.
  func edit(_ id: Message.ID, text: String) async throws
}

/// A source with read marks, so that a check can ask for the first unread message.
public protocol ReadMarkingSource: MutableMessageSource {
  /// Marks a conversation as read up to and including a message. A mark never moves back.
  ///
  /// Versions stay the same, since no message changes.
  ///
  /// - Throws: An error if it cannot be written.
  func markRead(_ conversation: Conversation.ID, upTo id: Message.ID) async throws
}

extension ReferenceSource: ReadMarkingSource {
  public func markRead(_ conversation: Conversation.ID, upTo id: Message.ID) {
    moveReadMark(id, of: conversation)
  }
}

extension ReferenceSource: MutableMessageSource {
  public func makeConversation(named name: String) -> Conversation.ID { newConversation() }

  /// Adds a message in the first unused place of a millisecond and returns its id.
  ///
  /// - Throws: `StoreError` of kind `invalidRequest` if the millisecond is full; nothing is changed then.
  public func insert(
    _ text: String, at time: Timestamp, in conversation: Conversation.ID
  ) throws(StoreError) -> Message.ID {
    guard let id = insertIfThereIsRoom(text, at: time, in: conversation) else {
      throw StoreError(.invalidRequest, "cannot add a message: the millisecond is full")
    }
    return id
  }

  public func delete(_ ids: [Message.ID]) { delete(AnySequence(ids)) }
}

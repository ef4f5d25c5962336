public import MessageModel

/// A source that can be written to, so that a check can change it in step with the naive model.
///
/// Each call is one commit and is finished when it returns.
public protocol MutableMessageSource: MessageSource {
  /// Makes an empty conversation and returns its id.
  ///
  /// - Throws: An error if it cannot be made; nothing is changed then.
  func makeConversation(named name: String) async throws -> Conversation.ID

  /// Adds a message after the newest of its conversation and returns its id.
  ///
  /// - Throws: An error if it cannot be written; nothing is changed then.
  func append(_ text: String, to conversation: Conversation.ID) async throws -> Message.ID

  /// Adds a message at a moment, whatever is there already, and returns its id, which lies within that millisecond.
  ///
  /// - Throws: An error if it cannot be written, as when the millisecond is full; nothing is changed then.
  func insert(_ text: String, at time: Timestamp, in conversation: Conversation.ID) async throws
    -> Message.ID

  /// Deletes messages, all of which are there.
  ///
  /// - Throws: An error if they cannot be deleted; none of them is then.
  func delete(_ ids: [Message.ID]) async throws

  /// Gives a message that is there another text: its revision is one more, and it counts as edited.
  ///
  /// - Throws: An error if it cannot be written; the message is as it was then.
  func edit(_ id: Message.ID, text: String) async throws
}

/// A source that notes up to where its conversations were read, so that a check can ask for the first unread message.
public protocol ReadMarkingSource: MutableMessageSource {
  /// Marks a conversation as read up to a message, that one included. A mark never moves back.
  ///
  /// It is no change of a message: versions stay as they are.
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

  /// Adds a message at a moment, at the first place of its millisecond that no message ever had, and returns its id.
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

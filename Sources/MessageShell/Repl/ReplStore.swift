public import MessageModel
public import MessageStorage

/// What the REPL needs of a store, besides pages.
public protocol ReplStore: SynchronousMessageSource {
  /// Returns all conversations by name.
  func conversations() throws(StoreError) -> [Conversation]
  /// Returns the conversation with a name, or `nil` if there is none.
  func conversation(named name: String) throws(StoreError) -> Conversation?
  /// Appends a message that somebody writes now and returns its id.
  func append(
    _ text: String, from sender: String, replyTo: Message.ID?, to conversation: Conversation.ID
  ) throws(StoreError) -> Message.ID
  /// Returns the whole text of a message, or `nil` if it is not there.
  func text(of id: Message.ID) throws(StoreError) -> String?
  /// Says up to which message a conversation has been read; the mark never moves back.
  func markRead(_ conversation: Conversation.ID, upTo id: Message.ID) throws(StoreError)
  /// Returns counts and sizes, a line per figure.
  func figures() throws -> String
}

extension MessageStore: ReplStore {
  public func append(
    _ text: String, from sender: String, replyTo: Message.ID?, to conversation: Conversation.ID
  ) throws(StoreError) -> Message.ID {
    let ids = try append([NewMessage(text, from: sender, replyTo: replyTo)], to: conversation)
    guard let id = ids.first else { throw StoreError(.damaged, "the message has no id") }
    return id
  }

  public func figures() throws -> String { try StatsCommand.text(self) }
}

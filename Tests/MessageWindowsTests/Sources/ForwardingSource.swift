import MessageModel
import MessageSourceTesting

/// A source that hands all that is written on to a reference, and reads from it in a way of its own.
protocol ForwardingSource: MutableMessageSource {
  /// The source that holds the messages.
  var base: ReferenceSource { get }
}

extension ForwardingSource {
  func changes() -> AsyncStream<Void> { base.changes() }

  func makeConversation(named name: String) -> Conversation.ID { base.makeConversation(named: name) }

  func append(_ text: String, to conversation: Conversation.ID) -> Message.ID {
    base.append(text, to: conversation)
  }

  func insert(_ text: String, at time: Timestamp, in conversation: Conversation.ID) throws(StoreError)
    -> Message.ID
  {
    try base.insert(text, at: time, in: conversation)
  }

  func delete(_ ids: [Message.ID]) { base.delete(ids) }

  func edit(_ id: Message.ID, text: String) { base.edit(id, text: text) }
}

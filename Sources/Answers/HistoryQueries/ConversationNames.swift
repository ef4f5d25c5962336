package import MessageModel
package import MessageStorage

/// The names of conversations by their ids, each looked up once.
package struct ConversationNames {
  private let store: SynchronousMessageStore
  private var names: [Conversation.ID: String] = [:]
  /// The last one: most often that of the next message, too.
  private var last: (id: Conversation.ID, name: String)?

  /// More are not kept at once.
  private static let limit = 4_096

  /// Creates names that are looked up in a store.
  package init(_ store: SynchronousMessageStore) { self.store = store }

  /// Returns the name of a conversation; the empty string if it is gone.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  package mutating func name(of id: Conversation.ID) throws(StoreError) -> String {
    if let last, last.id == id { return last.name }
    let known = names[id]
    let name = if let known { known } else { try store.conversationName(id) ?? "" }
    last = (id, name)
    if names.count >= Self.limit { names.removeAll(keepingCapacity: true) }
    names[id] = name
    return name
  }
}

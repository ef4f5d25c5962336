internal import MessageModel
internal import MessageShell
internal import MessageStorage

/// Which conversation `open` opens.
enum OpenChoice {
  /// Returns the conversation named or, without a name, the only one there is, else the one that was last open, else
  /// the one with the newest message. A store without any gets one called `notes`.
  ///
  /// - Throws: ``UsageError`` if there is none of that name, ``StoreError`` if the store cannot be read.
  static func conversation(
    named name: String?, lastOpen: String?, in store: MessageStore
  ) throws -> Conversation {
    if let name { return try ConversationChoice.named(name, in: store) }
    if let lastOpen, let last = try store.conversation(named: lastOpen) { return last }
    if let newest = try store.newestConversation() { return newest }
    if let first = try store.conversationNames(limit: 1).first,
      let empty = try store.conversation(named: first)
    {
      return empty
    }
    return try store.makeConversation(named: "notes")
  }
}

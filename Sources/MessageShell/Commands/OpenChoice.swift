public import MessageModel
public import MessageStorage

/// Which conversation `open` opens.
public enum OpenChoice {
  /// Returns the conversation named or, without a name, the only one there is, else the one that was last open, else
  /// the one with the newest message. A store without any gets one called `notes`.
  ///
  /// - Throws: ``UsageError`` if there is none of that name, ``StoreError`` if the store cannot be read.
  public static func conversation(
    named name: String?, lastOpen: String?, in store: MessageStore
  ) throws -> Conversation {
    if let name { return try ConversationChoice.named(name, in: store) }
    let all = try store.conversations()
    if let last = all.first(where: { $0.name == lastOpen }) { return last }
    if let newest = all.max(by: { ($0.newest ?? .lowest) < ($1.newest ?? .lowest) }) { return newest }
    return try store.makeConversation(named: "notes")
  }
}

package import MessageModel
package import MessageStorage

/// A store as the language of queries needs it: who and what there is by name, and whether words are found.
package protocol QueriedStore: Sendable {
  /// Returns the conversation with an id, or `nil` if there is none.
  func conversation(_ id: Conversation.ID) throws(StoreError) -> Conversation?
  /// Returns the conversation with a name, or `nil` if there is none.
  func conversation(named name: String) throws(StoreError) -> Conversation?
  /// Returns the names of all conversations in their order.
  func conversationNames() throws(StoreError) -> [String]
  /// Returns all who wrote.
  func senders() throws(StoreError) -> [SenderSummary]
  /// Returns those who bear a name, with their aliases; none if nobody does.
  func senderIDs(named name: String) throws(StoreError) -> Set<Sender.ID>
  /// Returns the saved filter with a name; `nil` if there is none.
  func savedFilter(named name: String) throws(StoreError) -> SavedFilter?
  /// Returns all saved filters by name.
  func savedFilters() throws(StoreError) -> [SavedFilter]
  /// Returns words near to one that find something in a selection, the nearest first.
  func words(near word: String, in selection: Selection) throws(StoreError) -> [String]
  /// Whether a search finds something, as far as one read looks.
  func finds(_ pattern: SearchPattern, in selection: Selection) throws(StoreError) -> Bool
  /// Returns the newest messages that a search finds in all conversations, as far as one read looks.
  func newestHits(_ pattern: SearchPattern, limit: Int) throws(StoreError) -> [Message]
}

extension QueriedStore {
  package func words(near word: String, in selection: Selection) throws(StoreError) -> [String] { [] }
  package func finds(_ pattern: SearchPattern, in selection: Selection) throws(StoreError) -> Bool { false }
  package func newestHits(_ pattern: SearchPattern, limit: Int) throws(StoreError) -> [Message] { [] }
}

extension SynchronousMessageStore: QueriedStore {
  package func newestHits(_ pattern: SearchPattern, limit: Int) throws(StoreError) -> [Message] {
    try hits(pattern, limit: limit, isCancelled: { false }).hits.map(\.message)
  }
}

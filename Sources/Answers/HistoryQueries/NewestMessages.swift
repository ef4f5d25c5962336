package import MessageModel
package import MessageStorage

extension SynchronousMessageStore {
  /// Returns the newest message of each conversation as a list shows it, its text without the signs that mark it.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  package func newestShown(
    of conversations: [Conversation]
  ) throws(StoreError) -> [Conversation.ID: ConversationAnswer.Newest] {
    var dialects = ConversationDialects(self)
    var shown: [Conversation.ID: ConversationAnswer.Newest] = [:]
    // A few at a time: the messages themselves are in memory together.
    var rest = conversations[...]
    while !rest.isEmpty {
      for (id, message) in try newestMessages(of: Array(rest.prefix(100)), \.self) {
        let dialect = message.hasSigns ? try dialects.dialect(of: id) : .plain
        shown[id] = ConversationAnswer.Newest(message, as: dialect)
      }
      rest = rest.dropFirst(100)
    }
    return shown
  }
}

extension Message {
  /// Whether anything in its text may be a sign that marks it, in whatever manner: most texts have letters, spaces and stops alone.
  fileprivate var hasSigns: Bool {
    text.utf8.contains { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...: false
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: "."):
        false
      default: true
      }
    }
  }
}

package import MessageMarkup
package import MessageModel
package import MessageStorage

/// The manners in which the texts of conversations are marked, each looked up once.
package struct ConversationDialects {
  private let store: SynchronousMessageStore
  private var dialects: [Conversation.ID: MarkupDialect] = [:]
  private var ids: [String: Conversation.ID?] = [:]

  /// More are not kept at once.
  private static let limit = 4_096

  /// Creates dialects that are looked up in a store.
  package init(_ store: SynchronousMessageStore) { self.store = store }

  /// Returns the dialect of a conversation.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  package mutating func dialect(of id: Conversation.ID) throws(StoreError) -> MarkupDialect {
    if let known = dialects[id] { return known }
    let dialect = MarkupDialect(platform: try store.platform(of: id))
    if dialects.count >= Self.limit { dialects.removeAll(keepingCapacity: true) }
    dialects[id] = dialect
    return dialect
  }

  /// Returns the dialect of a message: that of its conversation, unless it is of a kind without marks.
  mutating func dialect(of message: Message) throws(StoreError) -> MarkupDialect {
    message.kind.mayBeMarked ? try dialect(of: message.conversation) : .plain
  }

  /// Returns the dialect of the conversation with a name; that without marks if there is none by now.
  mutating func dialect(ofNamed name: String) throws(StoreError) -> MarkupDialect {
    let found: Conversation.ID?
    if let known = ids[name] {
      found = known
    } else {
      found = try store.conversation(named: name)?.id
      if ids.count >= Self.limit { ids.removeAll(keepingCapacity: true) }
      ids[name] = .some(found)
    }
    guard let found else { return .plain }
    return try dialect(of: found)
  }
}

extension QuestionAnswerer {
  /// The most characters of a text that are read for a line of it without the signs that mark it.
  static let readLength = 8_192

  /// Gives messages the marks of their texts, and reactions what is shown for their names.
  func mark(_ messages: inout [MessageAnswer]) throws(StoreError) {
    var dialects = ConversationDialects(store)
    for index in messages.indices { try Self.mark(&messages[index], &dialects) }
  }

  func mark(_ message: inout MessageAnswer) throws(StoreError) {
    var dialects = ConversationDialects(store)
    try Self.mark(&message, &dialects)
  }

  func mark(_ hits: inout [HitAnswer]) throws(StoreError) {
    var dialects = ConversationDialects(store)
    for index in hits.indices {
      try Self.mark(&hits[index].message, &dialects)
      for key in [\HitAnswer.Found.before, \.after] {
        guard var messages = hits[index].found[keyPath: key] else { continue }
        for place in messages.indices { try Self.mark(&messages[place], &dialects) }
        hits[index].found[keyPath: key] = messages
      }
    }
  }

  private static func mark(
    _ message: inout MessageAnswer, _ dialects: inout ConversationDialects
  ) throws(StoreError) {
    if let text = message.text {
      let dialect = message.kind.mayBeMarked ? try dialects.dialect(ofNamed: message.conversation) : .plain
      // Who gets an empty list need not look for links.
      message.marks = MarkAnswer.marks(of: text, as: dialect, isCut: message.textBytes != nil) ?? []
    }
    for index in message.reactions?.indices ?? 0..<0 {
      let name = message.reactions?[index].emoji ?? ""
      let shown = EmojiTable.shown(name)
      if shown != name { message.reactions?[index].shown = shown }
    }
  }
}

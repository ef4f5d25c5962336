internal import HistoryQueries
internal import MessageModel

extension QuestionParameters {
  /// Reads the value of a key of a question as addresses have it: most are one word, some have a form of their own.
  mutating func value<Value: Decodable>(_ type: Value.Type, _ name: String) throws(StoreError) -> Value? {
    let value: Any? =
      switch type {
      case is String.Type: try text(name)
      case is Bool.Type: try flag(name)
      case is Int.Type: try number(name, as: Int.self)
      case is Message.ID.Type: try id(name)
      case is PageStart.Type: try place(name)
      case is SenderPlace.Type: try object(name, as: SenderPlace.self)
      case is ConversationReference.Type: try conversation(name)
      case is [ConversationReference].Type: try conversations(name)
      case is [Message.ID].Type: try ids(name)
      case is [String].Type: texts(name)
      case is [Message.Kind].Type: try words(name, as: Message.Kind.self)
      case is [MessagePredicate.Feature].Type: try words(name, as: MessagePredicate.Feature.self)
      default: try word(name, as: type)
      }
    return value as? Value
  }

  /// One conversation, by name or by number.
  private mutating func conversation(_ key: String) throws(StoreError) -> ConversationReference? {
    let (name, number) = (try text(key), try self.number("conversationID", as: Int64.self))
    switch (name, number) {
    case (nil, nil): return nil
    case (let name?, nil): return .named(name)
    case (nil, let number?): return .id(Conversation.ID(rawValue: number))
    case (.some, .some):
      throw Self.error("one conversation is wanted", remedy: "conversation or conversationID")
    }
  }

  private mutating func conversations(_ key: String) throws(StoreError) -> [ConversationReference]? {
    let named = texts(key)
    let numbered = texts("conversationID")
    guard named != nil || numbered != nil else { return nil }
    var references = (named ?? []).map { ConversationReference.named($0) }
    for text in numbered ?? [] {
      guard let number = Int64(text) else { throw Self.error("'conversationID' is not a number") }
      references.append(.id(Conversation.ID(rawValue: number)))
    }
    return references
  }

  /// A place: a word, or a key and its value with a colon between them.
  private mutating func place(_ key: String) throws(StoreError) -> PageStart? {
    guard let text = try text(key) else { return nil }
    guard let colon = text.firstIndex(of: ":") else { return try Self.word(text, key) }
    let value = text[text.index(after: colon)...]
    switch text[..<colon] {
    case "before": return PageStart(.before(try Self.id(value, key)))
    case "after": return PageStart(.after(try Self.id(value, key)))
    case "around": return PageStart(.around(try Self.id(value, key)))
    case "time": return try Self.value(#"{"time":\#(try Self.quoted(String(value), key))}"#, key)
    case "number":
      guard let number = Int(value) else { throw Self.error("'\(key)': a number of a message is wanted") }
      return PageStart(.ordinal(number.adding(-1)))
    case "percent":
      guard let percent = Double(value), percent.isFinite else {
        throw Self.error("'\(key)': a percentage is wanted")
      }
      return PageStart(.percent(percent))
    default:
      throw Self.error(
        "'\(key)' is not understood",
        remedy: "newest, oldest, unread, before:ID, after:ID, around:ID, time:TIME, number:N or percent:P")
    }
  }

  private mutating func ids(_ key: String) throws(StoreError) -> [Message.ID]? {
    guard let texts = texts(key) else { return nil }
    var ids: [Message.ID] = []
    for text in texts {
      for part in text.split(separator: ",") { ids.append(try Self.id(part, key)) }
    }
    return ids
  }
}

internal import HistoryQueries
internal import MessageModel

extension HistoryQuestion {
  /// Reads a question whose keys are the parameters of an address (docs/json.md).
  init(_ name: ServerRoute.QuestionName, _ parameters: consuming QuestionParameters) throws(StoreError) {
    var given = parameters
    switch name {
    case .conversations:
      self = .conversations(
        ConversationsQuestion(
          after: try given.text("after"), limit: try given.number("limit"), unread: try given.flag("unread"),
          newest: try given.flag("newest"), named: try given.text("named")))
    case .conversation:
      let (reference, newest) = (try given.conversation(), try given.flag("newest"))
      try given.checkAllKnown()
      guard let reference else {
        throw QuestionParameters.error("no 'conversation' is there", remedy: "conversation or conversationID")
      }
      self = .conversation(ConversationQuestion(conversation: reference, newest: newest))
    case .page:
      self = .page(
        PageQuestion(
          conversations: try given.conversations(), filter: try given.filter(), at: try given.place(),
          order: try given.word("order"), limit: try given.number("limit"),
          offset: try given.number("offset"), older: try given.number("older"),
          counts: try given.flag("counts"), detail: try given.word("detail"),
          timeZone: try given.text("timeZone")))
    case .message:
      let (id, platform) = (try given.id("id"), try given.text("platform"))
      let platformID = try given.text("platformID")
      try given.checkAllKnown()
      switch (id, platform, platformID) {
      case (let id?, nil, nil): self = .message(MessageQuestion(id: id))
      case (nil, let platform?, let platformID?):
        self = .message(MessageQuestion(platform: platform, platformID: platformID))
      default:
        throw QuestionParameters.error(
          "it does not tell which message is meant", remedy: "id, or platform and platformID")
      }
    case .messages: self = .messages(MessagesQuestion(ids: try given.ids()))
    case .hits:
      self = .hits(
        HitsQuestion(
          words: try given.text("words"), regex: try given.text("regex"),
          conversations: try given.conversations(), filter: try given.filter(), at: try given.place(),
          limit: try given.number("limit"), context: try given.number("context"),
          detail: try given.word("detail"), counts: try given.flag("counts"),
          timeZone: try given.text("timeZone")))
    case .senders:
      self = .senders(
        SendersQuestion(
          conversations: try given.conversations(), after: try given.object("after"),
          limit: try given.number("limit"), named: try given.text("named")))
    case .days:
      self = .days(
        DaysQuestion(
          conversation: try given.conversation(), by: try given.word("by"),
          timeZone: try given.text("timeZone"), from: try given.id("from"), limit: try given.number("limit")))
    case .statistics:
      self = .statistics(
        StatisticsQuestion(conversations: try given.conversations(), sizes: try given.flag("sizes")))
    case .filters:
      self = .filters(FiltersQuestion(after: try given.text("after"), limit: try given.number("limit")))
    }
    try given.checkAllKnown()
  }
}

extension QuestionParameters {
  /// One conversation, by name or by number.
  fileprivate mutating func conversation() throws(StoreError) -> ConversationReference? {
    let (name, number) = (try text("conversation"), try self.number("conversationID", as: Int64.self))
    switch (name, number) {
    case (nil, nil): return nil
    case (let name?, nil): return .named(name)
    case (nil, let number?): return .id(Conversation.ID(rawValue: number))
    case (.some, .some):
      throw Self.error("one conversation is wanted", remedy: "conversation or conversationID")
    }
  }

  fileprivate mutating func conversations() throws(StoreError) -> [ConversationReference]? {
    let named = texts("conversations")
    let numbered = texts("conversationID")
    guard named != nil || numbered != nil else { return nil }
    var references = (named ?? []).map { ConversationReference.named($0) }
    for text in numbered ?? [] {
      guard let number = Int64(text) else { throw Self.error("'conversationID' is no number") }
      references.append(.id(Conversation.ID(rawValue: number)))
    }
    return references
  }

  fileprivate mutating func filter() throws(StoreError) -> HistoryFilter? {
    var filter = HistoryFilter()
    filter.senders = texts("filter.senders")
    filter.kinds = try words("filter.kinds")
    filter.textOnly = try flag("filter.textOnly")
    filter.has = try words("filter.has")
    filter.since = try text("filter.since")
    filter.until = try text("filter.until")
    filter.thread = try id("filter.thread")
    filter.matching = try text("filter.matching")
    filter.regex = try text("filter.regex")
    filter.saved = texts("filter.saved")
    return filter == HistoryFilter() ? nil : filter
  }

  /// A place: a word, or a key and its value with a colon between them.
  fileprivate mutating func place() throws(StoreError) -> PageStart? {
    guard let text = try text("at") else { return nil }
    guard let colon = text.firstIndex(of: ":") else { return try Self.word(text, "at") }
    let value = text[text.index(after: colon)...]
    switch text[..<colon] {
    case "before": return PageStart(.before(try Self.id(value, "at")))
    case "after": return PageStart(.after(try Self.id(value, "at")))
    case "around": return PageStart(.around(try Self.id(value, "at")))
    case "time": return try Self.value(#"{"time":\#(try Self.quoted(String(value), "at"))}"#, "at")
    case "number":
      guard let number = Int(value) else { throw Self.error("'at': a number of a message is wanted") }
      return PageStart(.ordinal(number.adding(-1)))
    case "percent":
      guard let percent = Double(value), percent.isFinite else {
        throw Self.error("'at': a percentage is wanted")
      }
      return PageStart(.percent(percent))
    default:
      throw Self.error(
        "'at' is not understood",
        remedy: "newest, oldest, unread, before:ID, after:ID, around:ID, time:TIME, number:N or percent:P")
    }
  }

  fileprivate mutating func ids() throws(StoreError) -> [Message.ID] {
    guard let texts = texts("ids") else { throw Self.error("no 'ids' are there") }
    var ids: [Message.ID] = []
    for text in texts {
      for part in text.split(separator: ",") { ids.append(try Self.id(part, "ids")) }
    }
    return ids
  }
}

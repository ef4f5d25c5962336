public import MessageModel

/// The sort of things that people share in conversations.
public enum SharedSort: String, Codable, Hashable, Sendable, CaseIterable {
  /// Web addresses in texts.
  case links
  /// Files attached to messages.
  case files
  /// Those of them that are pictures.
  case pictures

  /// Reads its word.
  ///
  /// - Throws: `DecodingError` if it is another word, or none.
  public init(from decoder: any Decoder) throws { self = try decoder.wordOfSeveral() }

  /// The feature of messages that have something of the sort.
  var feature: MessagePredicate.Feature {
    switch self {
    case .links: .link
    case .files, .pictures: .attachment
    }
  }
}

/// Asks for links, files or pictures, newest first.
public struct SharedQuestion: Codable, Hashable, Sendable {
  /// The sort; `nil` for links.
  public var sort: SharedSort?
  /// Of which conversations; `nil` for all.
  public var conversations: [ConversationReference]?
  /// The name of a person, for everything between them and you alone: docs/json.md. `nil` for all.
  public var person: String?
  /// The condition that must hold for the messages; `nil` for all.
  public var filter: HistoryFilter?
  /// The message before which to begin; `nil` for the newest end.
  public var before: Message.ID?
  /// The number of things after which to end; `nil` for the usual limit.
  public var limit: Int?
  /// The zone of times that name none; `nil` for UTC.
  public var timeZone: String?

  /// Creates a question.
  public init(
    sort: SharedSort? = nil, conversations: [ConversationReference]? = nil, person: String? = nil,
    filter: HistoryFilter? = nil,
    before: Message.ID? = nil, limit: Int? = nil, timeZone: String? = nil
  ) {
    self.sort = sort
    self.conversations = conversations
    self.person = person
    self.filter = filter
    self.before = before
    self.limit = limit
    self.timeZone = timeZone
  }
}

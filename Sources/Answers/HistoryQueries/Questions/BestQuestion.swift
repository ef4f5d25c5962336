public import WordForms

/// Asks for the exchanges that answer a question best.
public struct BestQuestion: Codable, Hashable, Sendable {
  /// The question, a sentence or some words; terms such as `from:ann` narrow where it is looked for.
  public var words: String
  /// Of which conversations; `nil` for all.
  public var conversations: [ConversationReference]?
  /// The condition that must hold for what is found; `nil` for all. Messages around it may be any.
  public var filter: HistoryFilter?
  /// The language of the question; `nil` for the one that its common words are of.
  public var language: WordLanguage?
  /// The most exchanges to return; `nil` for ten.
  public var limit: Int?
  /// The zone of times that name none; `nil` for UTC.
  public var timeZone: String?

  /// Creates a question.
  public init(
    words: String, conversations: [ConversationReference]? = nil, filter: HistoryFilter? = nil,
    language: WordLanguage? = nil, limit: Int? = nil, timeZone: String? = nil
  ) {
    self.words = words
    self.conversations = conversations
    self.filter = filter
    self.language = language
    self.limit = limit
    self.timeZone = timeZone
  }
}

public import WordForms

/// The exchanges that answer a question, the best first.
public struct BestAnswer: Codable, Hashable, Sendable {
  /// The exchanges.
  public var exchanges: [ExchangeAnswer]
  /// The language that the question was taken to be of.
  public var language: WordLanguage
  /// The number of entries of the search index that were looked at.
  public var candidates: Int
  /// Whether these were all; if not, the best were found among the newest messages with the common ones of the words.
  public var whole: Bool
}

/// A hit with its neighbours in the conversation.
public struct ExchangeAnswer: Codable, Hashable, Sendable {
  /// The line that has most of the question.
  public var best: HitAnswer
  /// All messages of the exchange, oldest first.
  public var messages: [MessageAnswer]
  /// The score, greater for a better answer to the same question.
  public var score: Double
}

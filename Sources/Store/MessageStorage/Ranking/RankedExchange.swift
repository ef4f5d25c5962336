public import MessageModel
public import WordForms

/// The answers to a question, the best first.
public struct RankedAnswer: Hashable, Sendable {
  /// The exchanges, none of which shares its middle with another.
  public var exchanges: [RankedExchange]
  /// The language that the question was taken to be of.
  public var language: WordLanguage
  /// The words that were looked for, and all of the store that share a stem with one: a query for any of them.
  public var words: String
  /// The number of rows of the search index that were looked at.
  public var candidateCount: Int
  /// Whether these are all; the newest of common words are, if not.
  public var isWhole: Bool
}

/// A hit with its neighbours: the smallest part of a conversation that answers something.
public struct RankedExchange: Identifiable, Hashable, Sendable {
  /// The line that has most of the question, with what was found in it.
  public var best: SearchHit
  /// The messages, oldest first: three at least where the conversation has them, what the candidate answers and what began
  /// its thread included.
  public var messages: [Message]
  /// The score: greater is better, and nothing else is said by it.
  public var score: Double

  public var id: Message.ID { best.id }
}

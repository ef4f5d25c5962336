public import MessageModel
public import WordForms

/// The answers to a question, the best first.
public struct RankedAnswer: Hashable, Sendable {
  /// The exchanges; no two share their middle.
  public var exchanges: [RankedExchange]
  /// The language of the question, as recognised.
  public var language: WordLanguage
  /// A query for the question's words and all words of the store with the same stems.
  public var words: String
  /// The number of rows of the search index that were read.
  public var candidateCount: Int
  /// Whether all messages with the words were considered; otherwise the newest ones of common words.
  public var isWhole: Bool
}

/// A hit with its neighbours: the smallest part of a conversation that can answer a question.
public struct RankedExchange: Identifiable, Hashable, Sendable {
  /// The message with most of the question, and its matches.
  public var best: SearchHit
  /// The messages, oldest first: at least three if the conversation has them, with the one replied to and the
  /// start of the thread.
  public var messages: [Message]
  /// The score, for comparison only: greater is better.
  public var score: Double

  public var id: Message.ID { best.id }
}

public import MessageModel

/// A question about a store. In JSON its keys stand beside `"question"`, which has its word: ``AnyHistoryQuestion``.
///
/// What it asks for is bounded, however large the store, and its answer says how to go on.
public protocol HistoryQuestion: Codable, Hashable, Sendable {
  /// The answer to it.
  associatedtype Answer: HistoryAnswer

  /// The word that names the question in JSON.
  static var word: String { get }

  /// Returns the word that names an answer in JSON: that of the question, unless its answers have several forms.
  static func word(of answer: Answer) -> String

  /// Returns the answer.
  ///
  /// - Throws: ``StoreError`` as ``QuestionAnswerer/answer(_:isCancelled:)``.
  func answer(by queries: QuestionAnswerer) throws(StoreError) -> Answer
}

extension HistoryQuestion {
  /// Returns the word of the question.
  public static func word(of answer: Answer) -> String { word }
}

/// An answer to a ``HistoryQuestion``. In JSON its keys stand behind `"answer"`, which has its word: ``AnyHistoryAnswer``.
public protocol HistoryAnswer: Codable, Hashable, Sendable {}

/// All questions that can be asked.
package enum HistoryQuestions {
  /// Their types, in the order in which they are listed.
  package static let all: [any ServedQuestion.Type] = [
    ConversationsQuestion.self, ConversationQuestion.self, PageQuestion.self, MessageQuestion.self,
    MessagesQuestion.self, HitsQuestion.self, BestQuestion.self, SharedQuestion.self, SendersQuestion.self,
    DaysQuestion.self, GroupsQuestion.self, AnniversariesQuestion.self, StatisticsQuestion.self,
    FiltersQuestion.self, ImportsQuestion.self, PeopleQuestion.self, ThreadsQuestion.self,
    SessionsQuestion.self,
  ]

  /// Returns the question with a word; `nil` if there is none.
  package static func named(_ word: String) -> (any ServedQuestion.Type)? { all.first { $0.word == word } }

  /// Returns the type of the answers that a word names; `nil` if there is none.
  static func answer(named word: String) -> (any HistoryAnswer.Type)? {
    word == ErrorAnswer.word
      ? ErrorAnswer.self : all.lazy.compactMap { $0.answers[word] }.first
  }
}

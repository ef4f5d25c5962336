public import MessageModel

/// A question about a store. In JSON it has its word under `"question"`, beside its keys:
/// ``AnyHistoryQuestion``.
///
/// The answer is bounded however large the store is, and says how to continue.
public protocol HistoryQuestion: Codable, Hashable, Sendable {
  /// What answers it.
  associatedtype Answer: HistoryAnswer

  /// Its word in JSON.
  static var word: String { get }

  /// Returns the word of an answer in JSON: that of the question, unless it has answers of several forms.
  static func word(of answer: Answer) -> String

  /// Returns the answer.
  ///
  /// - Throws: ``StoreError`` as `answer(_:isCancelled:)` of ``QuestionAnswerer``.
  func answer(by queries: QuestionAnswerer) throws(StoreError) -> Answer
}

extension HistoryQuestion {
  /// Returns the word of the question.
  public static func word(of answer: Answer) -> String { word }
}

/// An answer to a ``HistoryQuestion``. In JSON it has its word under `"answer"`, before its keys:
/// ``AnyHistoryAnswer``.
public protocol HistoryAnswer: Codable, Hashable, Sendable {}

package enum HistoryQuestions {
  /// The types of all questions, in the order in which they are listed.
  package static let all: [any ServedQuestion.Type] = [
    ConversationsQuestion.self, ConversationQuestion.self, PageQuestion.self, MessageQuestion.self,
    MessagesQuestion.self, HitsQuestion.self, BestQuestion.self, SharedQuestion.self, SendersQuestion.self,
    DaysQuestion.self, GroupsQuestion.self, AnniversariesQuestion.self, StatisticsQuestion.self,
    FiltersQuestion.self, ImportsQuestion.self, PeopleQuestion.self, ThreadsQuestion.self,
    SessionsQuestion.self, FileChangesQuestion.self, FailuresQuestion.self, UsageQuestion.self,
  ]

  /// Returns the question with a word; `nil` if there is none.
  package static func named(_ word: String) -> (any ServedQuestion.Type)? { all.first { $0.word == word } }

  /// Returns the type of answers with a word; `nil` if there is none.
  static func answer(named word: String) -> (any HistoryAnswer.Type)? {
    word == ErrorAnswer.word
      ? ErrorAnswer.self : all.lazy.compactMap { $0.answers[word] }.first
  }
}

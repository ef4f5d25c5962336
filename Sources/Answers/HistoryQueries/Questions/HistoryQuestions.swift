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

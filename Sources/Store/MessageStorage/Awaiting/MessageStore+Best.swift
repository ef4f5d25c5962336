public import MessageModel
public import WordForms

extension MessageStore {
  /// Returns the exchanges that answer a question best; see
  /// ``SynchronousMessageStore/exchanges(answering:in:limit:language:isCancelled:)``.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` if there is no word in the question.
  public nonisolated(nonsending) func exchanges(
    answering question: String, in selection: Selection = .everything, limit: Int = 10,
    language: WordLanguage? = nil
  ) async throws -> RankedAnswer {
    try await read { store in
      try store.exchanges(answering: question, in: selection, limit: limit, language: language)
    }
  }
}

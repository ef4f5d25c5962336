public import MessageModel
internal import MessageStorage

extension QuestionAnswerer {
  /// Returns counts and sizes of the store.
  ///
  /// - Parameter withSizes: Whether to tell what each part takes on disk, which reads all of it.
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public func statistics(withSizes: Bool = false) throws(StoreError) -> StatisticsAnswer {
    StatisticsAnswer(
      store: StoreFigures(try store.statistics(), store.processMemory(), path: store.path),
      memory: MemoryFigures(store.memory()), sizes: withSizes ? SizeFigures(try store.sizes()) : nil)
  }

  /// Returns counts of some conversations.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public func statistics(
    of conversations: Selection.Conversations
  ) throws(StoreError) -> SelectionStatisticsAnswer {
    func count(_ predicate: MessagePredicate) throws(StoreError) -> Int {
      let request = PageRequest(Selection(conversations, where: predicate), fetchLimit: 0)
      return try store.page(request).counts?.total ?? 0
    }
    return SelectionStatisticsAnswer(
      messages: try count(.everything), senders: try store.senders(in: conversations).count,
      withAttachments: try count(.has(.attachment)), withLinks: try count(.has(.link)),
      replies: try count(.has(.reply)), edited: try count(.has(.edit)))
  }

  func answer(_ question: StatisticsQuestion) throws(StoreError) -> HistoryAnswer {
    guard question.conversations != nil else {
      return .statistics(try statistics(withSizes: question.sizes ?? false))
    }
    return .selectionStatistics(try statistics(of: selection(question.conversations).conversations))
  }
}

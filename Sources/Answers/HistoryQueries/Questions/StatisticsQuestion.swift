public import MessageModel
internal import MessageStorage

/// Asks for counts and sizes, of the store or of some conversations.
public struct StatisticsQuestion: HistoryQuestion, ServedQuestion {
  /// Its word in JSON.
  public static let word = "statistics"

  /// `nil` for the whole store.
  public var conversations: [ConversationReference]?
  /// Whether to include the sizes of the store's parts on disk, which reads all of it.
  public var sizes: Bool?

  /// Creates a question.
  public init(conversations: [ConversationReference]? = nil, sizes: Bool? = nil) {
    self.conversations = conversations
    self.sizes = sizes
  }
}

extension StatisticsQuestion {
  /// Figures of the store, or of some conversations.
  public enum Answer: HistoryAnswer, ServedAnswer {
    /// Figures of the store.
    case store(StatisticsAnswer)
    /// Counts for some conversations.
    case selection(SelectionStatisticsAnswer)

    /// Reads figures of the store or, without these, counts.
    ///
    /// - Throws: `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
      if let figures = try? StatisticsAnswer(from: decoder) {
        self = .store(figures)
      } else {
        self = .selection(try SelectionStatisticsAnswer(from: decoder))
      }
    }

    /// Writes the figures.
    public func encode(to encoder: any Encoder) throws {
      switch self {
      case .store(let figures): try figures.encode(to: encoder)
      case .selection(let counts): try counts.encode(to: encoder)
      }
    }
  }

  private static let wordOfSelections = "selectionStatistics"

  /// Returns the word of the question, or that of counts for conversations.
  public static func word(of answer: Answer) -> String {
    switch answer {
    case .store: word
    case .selection: wordOfSelections
    }
  }

  /// Returns the figures.
  public func answer(by queries: QuestionAnswerer) throws(StoreError) -> Answer {
    guard conversations != nil else { return .store(try queries.statistics(withSizes: sizes ?? false)) }
    return .selection(try queries.statistics(of: queries.selection(conversations).conversations))
  }

  package static var answers: [String: any HistoryAnswer.Type] {
    [word: StatisticsAnswer.self, wordOfSelections: SelectionStatisticsAnswer.self]
  }
  package var isSearch: Bool { true }
}

/// Counts for some conversations.
public struct SelectionStatisticsAnswer: HistoryAnswer {
  /// The number of messages.
  public var messages: Int
  /// The number of sender names.
  public var senders: Int
  /// The number of messages with attachments.
  public var withAttachments: Int
  /// The number of messages with a link in their text.
  public var withLinks: Int
  /// The number of replies.
  public var replies: Int
  /// The number of edited messages.
  public var edited: Int

  package init<Failure: Error>(
    senders: Int, counting count: (MessagePredicate) throws(Failure) -> Int
  ) throws(Failure) {
    messages = try count(.everything)
    self.senders = senders
    withAttachments = try count(.has(.attachment))
    withLinks = try count(.has(.link))
    replies = try count(.has(.reply))
    edited = try count(.has(.edit))
  }
}

extension QuestionAnswerer {
  /// Returns counts and sizes of the store.
  ///
  /// - Parameter withSizes: Whether to include the sizes of its parts on disk, which reads all of it.
  public func statistics(withSizes: Bool = false) throws(StoreError) -> StatisticsAnswer {
    StatisticsAnswer(
      store: StoreFigures(try store.statistics(), store.processMemory(), path: store.path),
      memory: MemoryFigures(store.memory()), sizes: withSizes ? SizeFigures(try store.sizes()) : nil)
  }

  /// Returns counts for some conversations.
  public func statistics(
    of conversations: Selection.Conversations
  ) throws(StoreError) -> SelectionStatisticsAnswer {
    try SelectionStatisticsAnswer(senders: store.senders(in: conversations).count) {
      predicate throws(StoreError) in
      let request = PageRequest(Selection(conversations, where: predicate), fetchLimit: 0)
      return try store.page(request).counts?.total ?? 0
    }
  }
}

/// An answer to a ``HistoryQuestion``: in JSON the keys of the answer behind `"answer"`, which names its sort.
public enum HistoryAnswer: Hashable, Sendable {
  /// Conversations.
  case conversations(ConversationsAnswer)
  /// One conversation.
  case conversation(ConversationAnswer)
  /// A page of messages.
  case page(PageAnswer)
  /// One whole message.
  case message(MessageAnswer)
  /// Whole messages.
  case messages(MessagesAnswer)
  /// The hits of a search.
  case hits(HitsAnswer)
  /// The exchanges that answer a question best.
  case best(BestAnswer)
  /// Links, files or pictures.
  case shared(SharedAnswer)
  /// Threads.
  case threads(ThreadsAnswer)
  /// Sessions of assistants.
  case sessions(SessionsAnswer)
  /// The senders.
  case senders(SendersAnswer)
  /// People.
  case people(PeopleAnswer)
  /// Days or months with their messages counted.
  case days(DaysAnswer)
  /// Messages counted by a property.
  case groups(GroupsAnswer)
  /// One day of the calendar in earlier years.
  case anniversaries(AnniversariesAnswer)
  /// Figures of the store.
  case statistics(StatisticsAnswer)
  /// Counts of some conversations.
  case selectionStatistics(SelectionStatisticsAnswer)
  /// Filters that were saved.
  case filters(FiltersAnswer)
  /// Imports.
  case imports(ImportsAnswer)
  /// The error because of which there is no answer.
  case error(ErrorAnswer)
}

extension HistoryAnswer: Codable {
  private enum Key: CodingKey {
    case answer
  }

  private enum Word: String, Codable {
    case conversations, conversation, page, message, messages, hits, best, shared, senders, days
    case groups, anniversaries, statistics, selectionStatistics, filters, imports, people, threads, sessions
    case error
  }

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` if it is something else, or a part of it is.
  public init(from decoder: any Decoder) throws {
    switch try decoder.container(keyedBy: Key.self).decode(Word.self, forKey: .answer) {
    case .conversations: self = .conversations(try ConversationsAnswer(from: decoder))
    case .conversation: self = .conversation(try ConversationAnswer(from: decoder))
    case .page: self = .page(try PageAnswer(from: decoder))
    case .message: self = .message(try MessageAnswer(from: decoder))
    case .messages: self = .messages(try MessagesAnswer(from: decoder))
    case .hits: self = .hits(try HitsAnswer(from: decoder))
    case .best: self = .best(try BestAnswer(from: decoder))
    case .shared: self = .shared(try SharedAnswer(from: decoder))
    case .threads: self = .threads(try ThreadsAnswer(from: decoder))
    case .sessions: self = .sessions(try SessionsAnswer(from: decoder))
    case .senders: self = .senders(try SendersAnswer(from: decoder))
    case .people: self = .people(try PeopleAnswer(from: decoder))
    case .days: self = .days(try DaysAnswer(from: decoder))
    case .groups: self = .groups(try GroupsAnswer(from: decoder))
    case .anniversaries: self = .anniversaries(try AnniversariesAnswer(from: decoder))
    case .statistics: self = .statistics(try StatisticsAnswer(from: decoder))
    case .selectionStatistics: self = .selectionStatistics(try SelectionStatisticsAnswer(from: decoder))
    case .filters: self = .filters(try FiltersAnswer(from: decoder))
    case .imports: self = .imports(try ImportsAnswer(from: decoder))
    case .error: self = .error(try ErrorAnswer(from: decoder))
    }
  }

  /// Writes it as docs/json.md tells.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    let (word, content) = parts
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(word.rawValue, forKey: .answer)
    try content.encode(to: encoder)
  }

  private var parts: (Word, any Encodable) {
    switch self {
    case .conversations(let answer): (.conversations, answer)
    case .conversation(let answer): (.conversation, answer)
    case .page(let answer): (.page, answer)
    case .message(let answer): (.message, answer)
    case .messages(let answer): (.messages, answer)
    case .hits(let answer): (.hits, answer)
    case .best(let answer): (.best, answer)
    case .shared(let answer): (.shared, answer)
    case .threads(let answer): (.threads, answer)
    case .sessions(let answer): (.sessions, answer)
    case .senders(let answer): (.senders, answer)
    case .people(let answer): (.people, answer)
    case .days(let answer): (.days, answer)
    case .groups(let answer): (.groups, answer)
    case .anniversaries(let answer): (.anniversaries, answer)
    case .statistics(let answer): (.statistics, answer)
    case .selectionStatistics(let answer): (.selectionStatistics, answer)
    case .filters(let answer): (.filters, answer)
    case .imports(let answer): (.imports, answer)
    case .error(let answer): (.error, answer)
    }
  }
}

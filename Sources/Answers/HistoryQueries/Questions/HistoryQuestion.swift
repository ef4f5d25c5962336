/// A question about a store: in JSON the keys of the question beside `"question"`, which names its sort.
public enum HistoryQuestion: Hashable, Sendable {
  /// Asks for conversations by name.
  case conversations(ConversationsQuestion)
  /// Asks for one conversation.
  case conversation(ConversationQuestion)
  /// Asks for a page of messages.
  case page(PageQuestion)
  /// Asks for one whole message.
  case message(MessageQuestion)
  /// Asks for whole messages.
  case messages(MessagesQuestion)
  /// Searches.
  case hits(HitsQuestion)
  /// Asks for the exchanges that answer a question best.
  case best(BestQuestion)
  /// Asks for links, files or pictures.
  case shared(SharedQuestion)
  /// Asks for threads.
  case threads(ThreadsQuestion)
  /// Asks for sessions of assistants.
  case sessions(SessionsQuestion)
  /// Asks who wrote.
  case senders(SendersQuestion)
  /// Asks for people.
  case people(PeopleQuestion)
  /// Asks for days or months with their messages counted.
  case days(DaysQuestion)
  /// Asks for messages counted by a property.
  case groups(GroupsQuestion)
  /// Asks for one day of the calendar in earlier years.
  case anniversaries(AnniversariesQuestion)
  /// Asks for figures of the store, or of some conversations.
  case statistics(StatisticsQuestion)
  /// Asks for the filters that were saved.
  case filters(FiltersQuestion)
  /// Asks for imports.
  case imports(ImportsQuestion)
}

extension HistoryQuestion {
  /// Returns the question for at most so many elements; `nil` if its answer is no list that can be asked for in parts.
  package func limited(to limit: Int) -> HistoryQuestion? {
    switch self {
    case .conversations(let question): .conversations(Self.setting(\.limit, of: question, to: limit))
    case .page(let question): .page(Self.setting(\.limit, of: question, to: limit))
    case .hits(let question): .hits(Self.setting(\.limit, of: question, to: limit))
    case .best(let question): .best(Self.setting(\.limit, of: question, to: limit))
    case .shared(let question): .shared(Self.setting(\.limit, of: question, to: limit))
    case .threads(let question): .threads(Self.setting(\.limit, of: question, to: limit))
    case .sessions(let question): .sessions(Self.setting(\.limit, of: question, to: limit))
    case .senders(let question): .senders(Self.setting(\.limit, of: question, to: limit))
    case .people(let question): .people(Self.setting(\.limit, of: question, to: limit))
    case .days(let question): .days(Self.setting(\.limit, of: question, to: limit))
    case .groups(let question): .groups(Self.setting(\.limit, of: question, to: limit))
    case .filters(let question): .filters(Self.setting(\.limit, of: question, to: limit))
    case .imports(let question): .imports(Self.setting(\.limit, of: question, to: limit))
    case .anniversaries(let question): .anniversaries(Self.setting(\.limit, of: question, to: limit))
    case .conversation, .message, .messages, .statistics: nil
    }
  }

  private static func setting<Question>(
    _ key: WritableKeyPath<Question, Int?>, of question: Question, to limit: Int
  ) -> Question {
    var question = question
    question[keyPath: key] = limit
    return question
  }
}

extension HistoryQuestion: Codable {
  private enum Key: CodingKey {
    case question
  }

  private enum Word: String, Codable, CaseIterable {
    case conversations, conversation, page, message, messages, hits, best, shared, senders, days, groups
    case anniversaries, statistics, filters, imports, people, threads, sessions
  }

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` if it is something else, or a part of it is.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let name = try container.decode(String.self, forKey: .question)
    guard let word = Word(rawValue: name) else {
      throw DecodingError.told(
        "there are " + Word.allCases.map(\.rawValue).joined(separator: ", "),
        at: container.codingPath + [Key.question])
    }
    switch word {
    case .conversations: self = .conversations(try ConversationsQuestion(from: decoder))
    case .conversation: self = .conversation(try ConversationQuestion(from: decoder))
    case .page: self = .page(try PageQuestion(from: decoder))
    case .message: self = .message(try MessageQuestion(from: decoder))
    case .messages: self = .messages(try MessagesQuestion(from: decoder))
    case .hits: self = .hits(try HitsQuestion(from: decoder))
    case .best: self = .best(try BestQuestion(from: decoder))
    case .shared: self = .shared(try SharedQuestion(from: decoder))
    case .threads: self = .threads(try ThreadsQuestion(from: decoder))
    case .sessions: self = .sessions(try SessionsQuestion(from: decoder))
    case .senders: self = .senders(try SendersQuestion(from: decoder))
    case .people: self = .people(try PeopleQuestion(from: decoder))
    case .days: self = .days(try DaysQuestion(from: decoder))
    case .groups: self = .groups(try GroupsQuestion(from: decoder))
    case .anniversaries: self = .anniversaries(try AnniversariesQuestion(from: decoder))
    case .statistics: self = .statistics(try StatisticsQuestion(from: decoder))
    case .filters: self = .filters(try FiltersQuestion(from: decoder))
    case .imports: self = .imports(try ImportsQuestion(from: decoder))
    }
  }

  /// Writes it as docs/json.md tells.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    let (word, content) = parts
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(word.rawValue, forKey: .question)
    try content.encode(to: encoder)
  }

  private var parts: (Word, any Encodable) {
    switch self {
    case .conversations(let question): (.conversations, question)
    case .conversation(let question): (.conversation, question)
    case .page(let question): (.page, question)
    case .message(let question): (.message, question)
    case .messages(let question): (.messages, question)
    case .hits(let question): (.hits, question)
    case .best(let question): (.best, question)
    case .shared(let question): (.shared, question)
    case .threads(let question): (.threads, question)
    case .sessions(let question): (.sessions, question)
    case .senders(let question): (.senders, question)
    case .people(let question): (.people, question)
    case .days(let question): (.days, question)
    case .groups(let question): (.groups, question)
    case .anniversaries(let question): (.anniversaries, question)
    case .statistics(let question): (.statistics, question)
    case .filters(let question): (.filters, question)
    case .imports(let question): (.imports, question)
    }
  }
}

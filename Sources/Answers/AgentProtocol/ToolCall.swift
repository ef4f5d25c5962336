internal import Foundation
internal import HistoryQueries
internal import MessageModel

/// The call of a tool: a question, with the limits of an agent.
struct ToolCall {
  private(set) var question: HistoryQuestion
  /// The byte of a message's text to begin at; 0 for its beginning.
  private(set) var textStart = 0
  /// The attachment that is asked for, if one is.
  private(set) var attachment: AttachmentPlace?
  /// The bytes that the text of an answer may have, as far as its elements are small enough; `nil` for the most of all.
  private(set) var byteCount: Int?
  /// The number of exchanges to pass over.
  private(set) var skippedCount = 0

  init(_ question: HistoryQuestion) { self.question = question }

  /// How much is answered, beside what a question says.
  private struct Portion: Decodable {
    var bytes: Int?
    var skip: Int?
  }

  private struct MessagePart: Decodable {
    var id: Message.ID
    var textFrom: Int?
  }

  /// Reads what a tool was given.
  ///
  /// - Parameter line: The request that calls it.
  /// - Throws: ``StoreError`` of kind `invalidRequest` that says what is wrong, and where.
  init(_ tool: AgentTool, of line: Data) throws(StoreError) {
    do {
      try Self.checkKeys(tool, line)
      switch tool {
      case .listConversations: question = .conversations(try Self.read(line) ?? ConversationsQuestion())
      case .listSenders: question = .senders(try Self.read(line) ?? SendersQuestion())
      case .listPeople: question = .people(try Self.read(line) ?? PeopleQuestion())
      case .answerQuestion:
        guard let best: BestQuestion = try Self.read(line) else { throw Self.error("no 'words' are there") }
        question = .best(best)
        try takePortion(line)
      case .searchMessages:
        var hits: HitsQuestion = try Self.read(line) ?? HitsQuestion()
        hits.limit = hits.limit ?? 10
        hits.context = hits.context ?? 2
        hits.counts = hits.counts ?? true
        question = .hits(hits)
        try takePortion(line)
      case .readMessages:
        question = .page(try Self.read(line) ?? PageQuestion())
        try takePortion(line)
      case .readMessage:
        guard let part: MessagePart = try Self.read(line) else { throw Self.error("no 'id' is there") }
        question = .message(MessageQuestion(id: part.id))
        textStart = part.textFrom ?? 0
      case .readAttachment:
        guard let place: AttachmentPlace = try Self.read(line) else { throw Self.error("no 'id' is there") }
        question = .message(MessageQuestion(id: place.id))
        attachment = place
      case .listDays: question = .days(try Self.read(line) ?? DaysQuestion())
      case .listShared: question = .shared(try Self.read(line) ?? SharedQuestion())
      case .listThreads: question = .threads(try Self.read(line) ?? ThreadsQuestion())
      case .listSessions: question = .sessions(try Self.read(line) ?? SessionsQuestion())
      case .readAnniversaries: question = .anniversaries(try Self.read(line) ?? AnniversariesQuestion())
      case .countMessages: question = .groups(try Self.read(line) ?? GroupsQuestion())
      case .getStatistics: question = .statistics(try Self.read(line) ?? StatisticsQuestion())
      }
    } catch let error as DecodingError {
      throw Self.error(HistoryQuestion.cause(of: error, below: ["params", "arguments"]))
    } catch let error as StoreError {
      throw error
    } catch {
      throw Self.error("it is not JSON")
    }
  }

  private mutating func takePortion(_ line: Data) throws {
    let portion: Portion? = try Self.read(line)
    byteCount = max(portion?.bytes ?? AgentAnswers.usualByteCount, 1)
    skippedCount = max(portion?.skip ?? 0, 0)
  }

  /// The content of `arguments`, which may be missing.
  private struct Arguments<Content: Decodable>: Decodable {
    var arguments: Content?
  }

  private static func read<Content: Decodable>(_ line: Data) throws -> Content? {
    try JSONDecoder().decode(Parameters<Arguments<Content>>.self, from: line).params.arguments
  }

  /// The keys of an object, and those of the objects in it.
  private struct Keys: Decodable {
    let inner: [(name: String, keys: Keys?)]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: NamedKey.self)
      inner = container.allKeys.map { ($0.stringValue, try? container.decode(Keys.self, forKey: $0)) }
    }
  }

  /// A key that is misspelt would be passed over, and the answer would be one to another question.
  private static func checkKeys(_ tool: AgentTool, _ line: Data) throws {
    if let keys: Keys = try read(line) { try check(keys, tool.schema, in: tool.rawValue) }
  }

  private static func check(_ keys: Keys, _ schema: Schema, in place: String) throws(StoreError) {
    let known = schema.properties
    guard !known.isEmpty else { return }
    for (name, inner) in keys.inner.sorted(by: { $0.name < $1.name }) {
      guard let property = known.first(where: { $0.name == name }) else {
        throw error(
          "'\(VisibleText.of(name))' is not a key of \(place)",
          remedy: .words(schema.keys.joined(separator: ", ")))
      }
      if let inner { try check(inner, property.schema, in: name) }
    }
  }

  private static func error(_ cause: String, remedy: Remedy? = nil) -> StoreError {
    StoreError(.invalidRequest, "cannot read what the tool was given", cause: cause, remedy: remedy)
  }

  /// Whether messages are wanted with all that is known of them.
  var isWhole: Bool {
    switch question {
    case .page(let question): question.detail == .whole
    case .hits(let question): question.detail == .whole
    case .conversations, .conversation, .message, .messages, .best, .shared, .threads, .sessions, .senders,
      .people,
      .days, .groups, .anniversaries, .statistics, .filters, .imports:
      false
    }
  }

  // MARK: Asking for less

  /// Asks for fewer elements than were answered, so that they are about a part of the bytes; of a single hit for less of
  /// what is around it. `nil` if there is nothing less to ask for.
  ///
  /// - Parameters:
  ///   - count: How many were answered.
  ///   - part: The part wanted, 0 to 1.
  func reduced(from count: Int, to part: Double) -> ToolCall? {
    guard count > 1 else { return withLessContext() }
    let limit = max(1, min(count - 1, Int(Double(count) * part)))
    return question.limited(to: limit).map { asking($0) }
  }

  /// The same call with another question.
  private func asking(_ question: HistoryQuestion) -> ToolCall {
    var call = self
    call.question = question
    return call
  }

  private func withLessContext() -> ToolCall? {
    guard case .hits(var question) = question else { return nil }
    let context = min(question.context ?? 0, QuestionAnswerer.maxContext)
    guard context > 0 else { return nil }
    question.context = context / 2
    return asking(.hits(question))
  }
}

public import Foundation
internal import MessageMarkup
public import MessageModel
internal import MessageStorage

/// Asks for sessions of assistants, by newest message, latest first.
public struct SessionsQuestion: HistoryQuestion, ListQuestion {
  /// Its word in JSON.
  public static let word = "sessions"

  /// A typed query (docs/sessions.md): words of titles, `project:tea`, `model:opus`, `tool:Bash`, `is:failed` …;
  /// `nil` for all.
  public var words: String?
  /// The message before which to begin; `nil` for the newest end.
  public var before: Message.ID?
  /// The most sessions; `nil` for the usual limit.
  public var limit: Int?
  /// The time zone of times without one; `nil` for UTC.
  public var timeZone: String?

  /// Creates a question.
  public init(
    words: String? = nil, before: Message.ID? = nil, limit: Int? = nil, timeZone: String? = nil
  ) {
    (self.words, self.before, self.limit, self.timeZone) = (words, before, limit, timeZone)
  }
}

extension SessionsQuestion {
  /// Returns the sessions.
  public func answer(by queries: QuestionAnswerer) throws(StoreError) -> SessionsAnswer {
    try queries.sessions(
      matching: words, before: before, limit: QuestionAnswerer.limit(limit),
      timeZone: QuestionAnswerer.zone(timeZone))
  }

  package var isSearch: Bool { true }
}

/// Sessions of assistants, by newest message, latest first.
public struct SessionsAnswer: HistoryAnswer, ServedAnswer {
  /// The sessions.
  public var sessions: [SessionAnswer]
  /// The message before which to continue; `nil` at the end.
  public var next: Message.ID?

  package var count: Int { sessions.count }
  package var continuations: [Continuation] { [Continuation](next: next.map { .beforeMessage($0) }) }
  package var shortened: SessionsAnswer {
    var short = self
    short.sessions = sessions.map(\.shortened)
    return short
  }
}

/// A session of an assistant.
public struct SessionAnswer: Codable, Hashable, Sendable {
  /// A tool or file with its number of calls.
  public struct Use: Codable, Hashable, Sendable {
    /// Its name or path.
    public var name: String
    /// The number of calls.
    public var calls: Int
  }

  /// The name of its conversation.
  public var conversation: String
  /// The program, by the platform of its sessions as `import --format` names it.
  public var program: String
  /// Its id in the program.
  public var session: String
  /// The path of the working folder; `nil` if unknown.
  public var project: String?
  /// The last git branch; `nil` if unknown.
  public var branch: String?
  /// The ids of models, by number of messages, most first.
  public var models: [String]
  /// The first line of the first question; `nil` if there is none.
  public var question: String?
  /// The id of the first question.
  public var questionID: Message.ID?
  /// The number of messages.
  public var messages: Int
  /// The id of the first message.
  public var oldest: Message.ID
  /// The time of the first message.
  public var oldestTime: Timestamp
  /// The precision of that time; `nil` for milliseconds.
  public var oldestPrecision: TimePrecision?
  /// The id of the newest message.
  public var newest: Message.ID
  /// The time of the newest message.
  public var newestTime: Timestamp
  /// The precision of that time; `nil` for milliseconds.
  public var newestPrecision: TimePrecision?
  /// The seconds from the first message to the newest.
  public var seconds: Int
  /// The tokens sent to models, including cached ones; `nil` if unknown.
  public var tokensSent: Int64?
  /// The cached tokens among them; `nil` if unknown.
  public var tokensCached: Int64?
  /// The tokens received from models; `nil` if unknown.
  public var tokensReceived: Int64?
  /// The cost in US dollars; `nil` if unknown.
  public var dollars: Double?
  /// The number of results and notes that report a failure; `nil` for none.
  public var failed: Int?
  /// The called tools, by number of calls, most first.
  public var tools: [Use]
  /// The files named in calls, by number of calls, most first; at most 50.
  public var files: [Use]
  /// The number of files if more than those listed; else `nil`.
  public var fileCount: Int?

  /// The session with its most frequent tools and files.
  fileprivate var shortened: SessionAnswer {
    var short = self
    if files.count > Self.shortCount { short.fileCount = fileCount ?? files.count }
    short.files = Array(files.prefix(Self.shortCount))
    short.tools = Array(tools.prefix(Self.shortCount))
    short.models = Array(models.prefix(Self.shortCount))
    return short
  }

  private static let shortCount = 5

  /// The newest title in ``conversation``, without the working folder's name; the whole first question if the
  /// title is cut from it, or only an id.
  package var title: String {
    let folder = project?.split { $0 == "/" || $0 == "\\" }.last
    let place = folder.map { "\($0) > " } ?? ""
    let title = conversation.dropFirst(conversation.hasPrefix(place) ? place.count : 0)
    let isCut = title.hasSuffix("…") && question?.hasPrefix(title.dropLast()) == true
    return isCut || title == "\(program) \(session.prefix(8))" ? question ?? String(title) : String(title)
  }

  init(_ session: AssistantSession) {
    conversation = session.name
    program = session.identity.platform
    self.session = session.identity.key
    project = session.note.folder
    branch = session.note.branch
    models = session.models.map(\.name)
    question = session.question.map {
      Markup.beginning(of: $0, as: MarkupDialect(platform: session.identity.platform), length: $0.utf8.count)
    }
    questionID = session.questionID
    messages = session.messageCount
    oldest = session.oldest
    oldestTime = session.oldestTime
    oldestPrecision = session.oldestPrecision.unlessMillisecond
    newest = session.newest
    newestTime = session.newestTime
    newestPrecision = session.newestPrecision.unlessMillisecond
    let milliseconds = newestTime.millisecondsSince1970 - oldestTime.millisecondsSince1970
    seconds = Int(max(milliseconds, 0) / 1_000)
    tokensSent = session.note.sentTokens
    tokensCached = session.note.cachedTokens
    tokensReceived = session.note.receivedTokens
    dollars = session.note.cost.map { Double($0) / 1e6 }
    failed = session.failureCount > 0 ? session.failureCount : nil
    tools = session.tools.map { Use(name: $0.name, calls: $0.count) }
    files = session.files.map { Use(name: $0.name, calls: $0.count) }
    fileCount = session.fileCount > session.files.count ? session.fileCount : nil
  }
}

extension QuestionAnswerer {
  /// Returns sessions of assistants, by newest message, latest first.
  ///
  /// - Parameters:
  ///   - query: A typed query (docs/sessions.md); `nil` or an empty one for all.
  ///   - id: The message before which to begin; `nil` for the newest end.
  ///   - limit: The most sessions.
  ///   - zone: The time zone of times without one.
  /// - Complexity: O(sessions), and O(messages) of those changed since the last import.
  public func sessions(
    matching query: String? = nil, before id: Message.ID? = nil, limit: Int = QuestionAnswerer.usualLimit,
    timeZone zone: TimeZone = .gmt
  ) throws(StoreError) -> SessionsAnswer {
    var predicate = SessionPredicate.everything
    if let query, let read = try MessageQuery(reading: query) {
      var compiler = QueryCompiler(store, now: now(), clock: WallClock(zone: zone))
      predicate = try compiler.sessions(read)
    }
    let page = try store.sessions(where: predicate, before: id, limit: limit)
    return SessionsAnswer(sessions: page.sessions.map(SessionAnswer.init), next: page.next)
  }
}

public import Foundation
internal import MessageMarkup
public import MessageModel
internal import MessageStorage

/// Asks for sessions of assistants, those with the newest messages first.
public struct SessionsQuestion: HistoryQuestion, ListQuestion {
  /// Its word in JSON.
  public static let word = "sessions"

  /// A typed query (docs/sessions.md): words of titles, `project:tea`, `model:opus`, `tool:Bash`, `is:failed` …;
  /// `nil` for all.
  public var words: String?
  /// The message before which the newest ones of the sessions lie; `nil` for the newest end.
  public var before: Message.ID?
  /// The most sessions; `nil` for the usual limit.
  public var limit: Int?
  /// The zone of times that name none; `nil` for UTC.
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

/// Sessions of assistants, those with the newest messages first.
public struct SessionsAnswer: HistoryAnswer, ServedAnswer {
  /// The sessions.
  public var sessions: [SessionAnswer]
  /// The message before which to go on; `nil` if there are no others.
  public var next: Message.ID?

  package var count: Int { sessions.count }
  package var continuations: [Continuation] { [Continuation](next: next.map { .beforeMessage($0) }) }
  package var shortened: SessionsAnswer {
    var short = self
    short.sessions = sessions.map(\.shortened)
    return short
  }
}

/// A session of an assistant, and what is known of it.
public struct SessionAnswer: Codable, Hashable, Sendable {
  /// A tool or a file, and how often it was called or named.
  public struct Use: Codable, Hashable, Sendable {
    /// Its name or path.
    public var name: String
    /// The number of calls that have it.
    public var calls: Int
  }

  /// The name of its conversation.
  public var conversation: String
  /// The program, as `import --format` names its sessions' platform.
  public var program: String
  /// The id that the program gave it.
  public var session: String
  /// The path of the folder that the assistant worked in; `nil` if that is not known.
  public var project: String?
  /// The branch of git that it worked on at last; `nil` if that is not known.
  public var branch: String?
  /// The ids of models, those with the most messages first.
  public var models: [String]
  /// The first line of the first question; `nil` if nothing was asked.
  public var question: String?
  /// The id of the message that asks it.
  public var questionID: Message.ID?
  /// The number of messages.
  public var messages: Int
  /// The id of the first message.
  public var oldest: Message.ID
  /// When that was written.
  public var oldestTime: Timestamp
  /// The precision of that time; `nil` to the millisecond.
  public var oldestPrecision: TimePrecision?
  /// The id of the newest message.
  public var newest: Message.ID
  /// When that was written.
  public var newestTime: Timestamp
  /// The precision of that time; `nil` to the millisecond.
  public var newestPrecision: TimePrecision?
  /// The seconds from the first message to the newest.
  public var seconds: Int
  /// The tokens that models were given, with those that they had kept; `nil` if nothing says it.
  public var tokensSent: Int64?
  /// Those among them that they had kept; `nil` if nothing says it.
  public var tokensCached: Int64?
  /// The tokens that models gave; `nil` if nothing says it.
  public var tokensReceived: Int64?
  /// The cost in US dollars; `nil` if nothing says it.
  public var dollars: Double?
  /// The number of results and notes that say that something failed; `nil` for none.
  public var failed: Int?
  /// The tools that were called, those with the most calls first.
  public var tools: [Use]
  /// The files that calls name, those with the most calls first; at most 50.
  public var files: [Use]
  /// The number of files if there are more than those listed; else `nil`.
  public var fileCount: Int?

  /// The session with its first tools and files.
  fileprivate var shortened: SessionAnswer {
    var short = self
    if files.count > Self.shortCount { short.fileCount = fileCount ?? files.count }
    short.files = Array(files.prefix(Self.shortCount))
    short.tools = Array(tools.prefix(Self.shortCount))
    short.models = Array(models.prefix(Self.shortCount))
    return short
  }

  private static let shortCount = 5

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
  /// Returns sessions of assistants, those with the newest messages first.
  ///
  /// - Parameters:
  ///   - query: A typed query (docs/sessions.md); `nil` or an empty one for all sessions.
  ///   - id: The message before which the newest ones of the sessions lie; `nil` for the newest end.
  ///   - limit: The most sessions.
  ///   - zone: The zone of times that name none.
  /// - Throws: ``StoreError`` of kind `invalidRequest` that names what is not understood, else what reading threw.
  /// - Complexity: O(sessions), and O(messages) of those that were changed since the last import.
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

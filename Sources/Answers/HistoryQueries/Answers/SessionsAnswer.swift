internal import MessageMarkup
public import MessageModel
internal import MessageStorage

/// Sessions of assistants, those with the newest messages first.
public struct SessionsAnswer: Codable, Hashable, Sendable {
  /// The sessions.
  public var sessions: [SessionAnswer]
  /// The message before which to go on; `nil` if there are no others.
  public var next: Message.ID?
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

  /// Leaves out what may be of any size: all but the first tools and files.
  package mutating func shorten() {
    if files.count > Self.shortCount { fileCount = fileCount ?? files.count }
    files = Array(files.prefix(Self.shortCount))
    tools = Array(tools.prefix(Self.shortCount))
    models = Array(models.prefix(Self.shortCount))
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

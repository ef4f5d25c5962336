internal import MessageMarkup
public import MessageModel
internal import MessageStorage

/// Asks for threads, newest replies first.
public struct ThreadsQuestion: HistoryQuestion, ListQuestion {
  /// Its word in JSON.
  public static let word = "threads"

  /// The conversations; `nil` for all.
  public var conversations: [ConversationReference]?
  /// Asks only for threads whose newest reply is older than this message; `nil` for all.
  public var before: Message.ID?
  /// The most threads; `nil` for the usual limit.
  public var limit: Int?
  /// The first messages of the wanted threads. The answer has the same order; `nil` for all threads.
  public var begunBy: [Message.ID]?

  /// Creates a question.
  public init(
    conversations: [ConversationReference]? = nil, before: Message.ID? = nil, limit: Int? = nil,
    begunBy: [Message.ID]? = nil
  ) {
    (self.conversations, self.before, self.limit, self.begunBy) = (conversations, before, limit, begunBy)
  }
}

extension ThreadsQuestion {
  /// Returns the threads.
  public func answer(by queries: QuestionAnswerer) throws(StoreError) -> ThreadsAnswer {
    let places = try queries.selection(conversations).conversations
    if let begunBy { return try queries.threads(begunBy: begunBy, in: places) }
    return try queries.threads(
      in: places, before: before, limit: QuestionAnswerer.limit(limit),
      rounds: QuestionAnswerer.threadRounds, queries.isCancelled)
  }

  package var isSearch: Bool { true }
}

/// Threads, newest replies first.
public struct ThreadsAnswer: HistoryAnswer, ServedAnswer {
  /// The threads.
  public var threads: [ThreadAnswer]
  /// The message before which to continue; `nil` at the end.
  public var next: Message.ID?

  package var count: Int { threads.count }
  package var continuations: [Continuation] { [Continuation](next: next.map { .beforeMessage($0) }) }
}

/// A thread: the message that began it, and counts of its replies.
public struct ThreadAnswer: Codable, Hashable, Sendable {
  /// The id of the message that began it.
  public var id: Message.ID
  /// The name of its conversation.
  public var conversation: String
  /// When it was written.
  public var time: Timestamp
  /// The precision of that time; `nil` for milliseconds.
  public var precision: TimePrecision?
  /// The name of its sender; `nil` if it has none.
  public var sender: String?
  /// The first line of its text, or that its contents were deleted and by whom; `nil` if that is empty.
  public var text: String?
  /// `true` if the first message does not exist (any more); else `nil`.
  public var missing: Bool?
  /// The number of replies.
  public var answers: Int
  /// `false` if there are more replies than were counted; else `nil`.
  public var exact: Bool?
  /// The number of unread replies; `nil` for none.
  public var unread: Int?
  /// The id of the newest reply.
  public var newest: Message.ID
  /// The time of the newest reply.
  public var newestTime: Timestamp
  /// The precision of that time; `nil` for milliseconds.
  public var newestPrecision: TimePrecision?
  /// The sender of the newest reply; `nil` if it has none.
  public var newestSender: String?

  init(_ thread: ThreadSummary, conversation: String, text: String?) {
    self.init(
      thread.id, first: thread.first, newest: thread.newest, conversation: conversation, text: text,
      AnswerCount(total: thread.answerCount, unread: thread.unreadCount, isMore: !thread.isExact))
  }

  init(
    _ id: Message.ID, first: Message?, newest: Message, conversation: String, text: String?,
    _ count: AnswerCount
  ) {
    self.id = id
    self.conversation = conversation
    time = first?.time ?? id.placeTime
    precision = first?.precision.unlessMillisecond
    sender = first?.sender?.name
    self.text = text
    missing = first == nil ? true : nil
    answers = count.total
    exact = count.isMore ? false : nil
    unread = count.unread > 0 ? count.unread : nil
    self.newest = newest.id
    newestTime = newest.time
    newestPrecision = newest.precision.unlessMillisecond
    newestSender = newest.sender?.name
  }
}

extension QuestionAnswerer {
  private static let threadTextLimit = 200
  /// The maximum number of bounded reads per answer. Reading ends earlier when enough threads were found.
  fileprivate static let threadRounds = 4

  /// Returns the threads of conversations by newest reply, latest first; each thread occurs once.
  ///
  /// - Parameters:
  ///   - conversations: The conversations; a thread is listed by its newest reply in them.
  ///   - id: Returns only threads whose newest reply is older than this message; `nil` for all.
  ///   - limit: The most threads.
  ///   - isCancelled: Called between bounded reads.
  /// - Complexity: That of ``StoreReading/threads(in:before:limit:)``, repeated as needed.
  public func threads(
    in conversations: Selection.Conversations = .all, before id: Message.ID? = nil,
    limit: Int = QuestionAnswerer.usualLimit,
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) throws(StoreError) -> ThreadsAnswer {
    try threads(in: conversations, before: id, limit: limit, rounds: .max, isCancelled)
  }

  fileprivate func threads(
    in conversations: Selection.Conversations, before id: Message.ID?, limit: Int, rounds: Int,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> ThreadsAnswer {
    var names = ConversationNames(store)
    var dialects = ConversationDialects(store)
    var answer = ThreadsAnswer(threads: [], next: id)
    var roundsLeft = rounds
    repeat {
      if isCancelled() { throw StoreError(.cancelled, "cannot list threads") }
      let list = try store.threads(
        in: conversations, before: answer.next, limit: limit - answer.threads.count)
      for thread in list.threads {
        let name = try names.name(of: thread.first?.conversation ?? thread.newest.conversation)
        answer.threads.append(
          ThreadAnswer(thread, conversation: name, text: try firstLine(of: thread.first, &dialects)))
      }
      answer.next = list.next
      roundsLeft -= 1
    } while answer.next != nil && answer.threads.count < limit && roundsLeft > 0
    return answer
  }

  /// Returns the threads that begin with some messages, in the order of the messages. A message without
  /// replies has no thread.
  ///
  /// At most a thousand replies of a thread are counted.
  ///
  /// - Parameters:
  ///   - ids: The messages, at most a hundred.
  ///   - conversations: Where they and their replies are.
  /// - Complexity: O(messages + replies) index lookups.
  public func threads(
    begunBy ids: [Message.ID], in conversations: Selection.Conversations = .all
  ) throws(StoreError) -> ThreadsAnswer {
    guard ids.count <= Self.mostBeginnings else {
      throw StoreError(
        .invalidRequest, "cannot look for the threads of \(ids.count) messages at once",
        remedy: "at most \(Self.mostBeginnings)")
    }
    var names = ConversationNames(store)
    var dialects = ConversationDialects(store)
    var answer = ThreadsAnswer(threads: [])
    for from in stride(from: 0, to: ids.count, by: AnswerCount.mostAsked) {
      let part = Array(ids[from..<min(ids.count, from + AnswerCount.mostAsked)])
      let counts = try store.answerCounts(of: part, in: conversations, unreadAfter: nil) ?? [:]
      for id in part {
        guard let count = counts[id] else { continue }
        let members = Selection(conversations, where: .thread(id))
        guard let newest = try end(.newest, of: members), let oldest = try end(.oldest, of: members),
          newest.id != id
        else { continue }
        let first = oldest.id == id ? oldest : nil
        let name = try names.name(of: oldest.conversation)
        answer.threads.append(
          ThreadAnswer(
            id, first: first, newest: newest, conversation: name, text: try firstLine(of: first, &dialects),
            count))
      }
    }
    return answer
  }

  private static let mostBeginnings = 100

  private func end(_ anchor: PageAnchor, of selection: Selection) throws(StoreError) -> Message? {
    try store.page(PageRequest(selection, anchor: anchor, fetchLimit: 1, wantsCounts: false)).messages.first
  }

  /// Returns the first line of a message without markup, or that it was deleted; `nil` if there is no message.
  private func firstLine(
    of message: Message?, _ dialects: inout ConversationDialects
  ) throws(StoreError) -> String? {
    guard let message else { return nil }
    if let deletion = message.deletion { return deletion.line.inOneLine(limit: Self.threadTextLimit) }
    let shown = Markup.beginning(
      of: message.text, as: try dialects.dialect(of: message), length: Self.readLength)
    return shown.prefix { !$0.isNewline }.inOneLine(limit: Self.threadTextLimit)
  }
}

internal import MessageMarkup
public import MessageModel
internal import MessageStorage

extension QuestionAnswerer {
  /// The most characters of the first line of a thread.
  private static let threadTextLimit = 200
  /// The most bounded reads for an answer to a question: it goes on where they found less than was asked for.
  private static let threadRounds = 4

  /// Returns the threads of some conversations, each once, those with the newest answers first.
  ///
  /// - Parameters:
  ///   - conversations: The conversations; a thread is listed by its newest answer in them.
  ///   - id: The message before which the newest answers lie; `nil` for the newest end.
  ///   - limit: The most threads.
  ///   - isCancelled: Asked between bounded reads whether to stop.
  /// - Throws: ``StoreError`` of kind `cancelled`, else what reading threw.
  /// - Complexity: That of ``SynchronousMessageStore/threads(in:before:limit:)``, as often as it takes.
  public func threads(
    in conversations: Selection.Conversations = .all, before id: Message.ID? = nil,
    limit: Int = QuestionAnswerer.usualLimit,
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) throws(StoreError) -> ThreadsAnswer {
    try threads(in: conversations, before: id, limit: limit, rounds: .max, isCancelled)
  }

  private func threads(
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

  /// Returns the threads that some messages began, in the order of the messages; of those that nobody answered, nothing.
  ///
  /// More than a thousand answers of a thread are not counted.
  ///
  /// - Parameters:
  ///   - ids: The messages, at most a hundred.
  ///   - conversations: Where they are, and their answers.
  /// - Throws: ``StoreError`` of kind `invalidRequest` for more messages than that, else what reading threw.
  /// - Complexity: O(messages + answers of their threads) looks into indexes.
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

  /// The most messages whose threads are looked for at once.
  private static let mostBeginnings = 100

  /// Returns the message at an end of a selection; `nil` of an empty one.
  private func end(_ anchor: PageAnchor, of selection: Selection) throws(StoreError) -> Message? {
    try store.page(PageRequest(selection, anchor: anchor, fetchLimit: 1, wantsCounts: false)).messages.first
  }

  /// Returns what is shown of the first line of a message, without the signs that mark it; `nil` if it is not there.
  private func firstLine(
    of message: Message?, _ dialects: inout ConversationDialects
  ) throws(StoreError) -> String? {
    guard let message else { return nil }
    let shown = Markup.beginning(
      of: message.text, as: try dialects.dialect(of: message), length: Self.readLength)
    return shown.prefix { !$0.isNewline }.inOneLine(limit: Self.threadTextLimit)
  }

  func answer(
    _ question: ThreadsQuestion, isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> ThreadsAnswer {
    if let ids = question.begunBy {
      return try threads(begunBy: ids, in: selection(question.conversations).conversations)
    }
    return try threads(
      in: selection(question.conversations).conversations, before: question.before,
      limit: Self.limit(question.limit), rounds: Self.threadRounds, isCancelled)
  }
}

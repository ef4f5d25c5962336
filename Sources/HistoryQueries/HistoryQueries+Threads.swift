public import MessageModel
internal import MessageStorage

extension HistoryQueries {
  /// The most characters of the first line of a thread.
  private static let threadTextLimit = 200
  /// How often an answer to a question goes on where a bounded read found less than was asked for.
  private static let threadRounds = 4

  /// Returns the threads of some conversations, each once, those with the newest answers first.
  ///
  /// - Parameters:
  ///   - conversations: The conversations; a thread is listed by its newest answer in them.
  ///   - id: The message before which the newest answers lie; `nil` for the newest end.
  ///   - limit: The most threads.
  ///   - isCancelled: Asked between bounded reads whether to stop.
  /// - Throws: ``StoreError`` of kind `cancelled`, else what reading threw.
  /// - Complexity: That of ``/MessageStorage/SynchronousMessageStore/threads(in:before:limit:)``, as often as it takes.
  public func threads(
    in conversations: Selection.Conversations = .all, before id: Message.ID? = nil,
    limit: Int = HistoryQueries.usualLimit,
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) throws(StoreError) -> ThreadsAnswer {
    try threads(in: conversations, before: id, limit: limit, rounds: .max, isCancelled)
  }

  private func threads(
    in conversations: Selection.Conversations, before id: Message.ID?, limit: Int, rounds: Int,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> ThreadsAnswer {
    var names = ConversationNames(store)
    var answer = ThreadsAnswer(threads: [], next: id)
    var roundsLeft = rounds
    repeat {
      if isCancelled() { throw StoreError(.cancelled, "cannot list threads") }
      let list = try store.threads(
        in: conversations, before: answer.next, limit: limit - answer.threads.count)
      for thread in list.threads {
        let name = try names.name(of: thread.first?.conversation ?? thread.newest.conversation)
        let text = thread.first.flatMap { Self.line($0.text.prefix { !$0.isNewline }, Self.threadTextLimit) }
        answer.threads.append(ThreadAnswer(thread, conversation: name, text: text))
      }
      answer.next = list.next
      roundsLeft -= 1
    } while answer.next != nil && answer.threads.count < limit && roundsLeft > 0
    return answer
  }

  /// Returns what is shown of a line; `nil` of an empty one.
  private static func line(_ line: Substring, _ limit: Int) -> String? {
    let words = line.prefix(8_192).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if words.isEmpty { return nil }
    return words.count > limit ? "\(words.prefix(limit))…" : words
  }

  func answer(
    _ question: ThreadsQuestion, isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> ThreadsAnswer {
    try threads(
      in: selection(question.conversations).conversations, before: question.before,
      limit: Self.limit(question.limit), rounds: Self.threadRounds, isCancelled)
  }
}

public import Foundation
public import MessageModel
internal import MessageStorage

/// Asks in which sessions of assistants an error came, and what followed it.
public struct FailuresQuestion: HistoryQuestion, ListQuestion {
  /// Its word in JSON.
  public static let word = "failures"

  /// The text of the error. Numbers, paths and addresses in it do not matter.
  public var error: String
  /// A typed query for sessions (docs/sessions.md); `nil` for all sessions and the agents in them.
  public var words: String?
  /// The message before which to begin; `nil` for the newest end.
  public var before: Message.ID?
  /// The most sessions; `nil` for the usual limit.
  public var limit: Int?
  /// The time zone of times without one; `nil` for UTC.
  public var timeZone: String?

  /// Creates a question.
  public init(
    error: String, words: String? = nil, before: Message.ID? = nil, limit: Int? = nil, timeZone: String? = nil
  ) {
    (self.error, self.words, self.before, self.limit, self.timeZone) = (error, words, before, limit, timeZone)
  }
}

extension FailuresQuestion {
  /// Returns the failures.
  public func answer(by queries: QuestionAnswerer) throws(StoreError) -> FailuresAnswer {
    try queries.failures(
      with: error, matching: words, before: before, limit: QuestionAnswerer.limit(limit),
      timeZone: QuestionAnswerer.zone(timeZone), isCancelled: queries.isCancelled)
  }

  package static var isServed: Bool { false }
  package var isSearch: Bool { true }
}

/// Sessions in which an error came, newest first.
public struct FailuresAnswer: HistoryAnswer, ServedAnswer {
  /// The last failure of each session.
  public var failures: [FailureAnswer]
  /// The message before which to continue; `nil` at the end.
  public var next: Message.ID?

  package var count: Int { failures.count }
  package var continuations: [Continuation] { [Continuation](next: next.map { .beforeMessage($0) }) }
  package var shortened: FailuresAnswer {
    var short = self
    for index in failures.indices { short.failures[index].steps = [] }
    return short
  }
}

/// An error in a session, and what followed it.
public struct FailureAnswer: Codable, Hashable, Sendable {
  /// The name of its conversation.
  public var conversation: String
  /// The program, by the platform of its sessions as `import --format` names it; `nil` if unknown.
  public var program: String?
  /// The id of the session in the program; `nil` if unknown.
  public var session: String?
  /// The path of the session's working folder; `nil` if unknown.
  public var project: String?
  /// The title of the session; `nil` if unknown.
  public var title: String?
  /// The id of the result or note with the error.
  public var id: Message.ID
  /// Its time.
  public var time: Timestamp
  /// The precision of the time; `nil` for milliseconds.
  public var precision: TimePrecision?
  /// The lines with the error.
  public var text: String
  /// The call that failed; `nil` if unknown.
  public var call: StepAnswer?
  /// What followed, oldest first.
  public var steps: [StepAnswer]
  /// `true` if more followed before ``resolved``, or if the session goes on without it; else `nil`.
  public var more: Bool?
  /// The next result of the tool that did not fail; `nil` if none is near.
  public var resolved: Message.ID?
}

/// A step of an assistant, or a text beside its steps, on one line.
public struct StepAnswer: Codable, Hashable, Sendable {
  /// Its id.
  public var id: Message.ID
  /// Its kind.
  public var kind: Message.Kind
  /// The name of its sender, of a result the tool; `nil` if it has none.
  public var sender: String?
  /// The beginning of its text.
  public var text: String
  /// `true` if it reports a failure; else `nil`.
  public var failed: Bool?

  private static let longestText = 160

  init(_ message: Message) {
    id = message.id
    kind = message.kind
    sender = message.sender?.name
    text = message.text.inOneLine(limit: Self.longestText) ?? ""
    failed = message.kind == .result && FailureMark.begins(message.text) ? true : nil
  }
}

extension QuestionAnswerer {
  private static let longestWords = 16
  private static let searchedWords = 4
  private static let countedMessages = 32
  private static let mostSteps = 12

  /// Returns the sessions in which an error came, newest first, each with the last time it came and the steps that
  /// followed, up to the next result of the same tool that did not fail.
  ///
  /// The words of the error are compared, without numbers, paths and addresses. If the error is found nowhere, the
  /// names that it quotes are left out, too. A session is returned once, unless an earlier answer had it.
  ///
  /// - Parameters:
  ///   - error: The text of the error.
  ///   - query: A typed query for sessions (docs/sessions.md); `nil` for all, and the agents in them.
  ///   - id: The message before which to begin; `nil` for the newest end.
  ///   - limit: The most sessions.
  ///   - zone: The time zone of times without one.
  ///   - isCancelled: Called between pages.
  /// - Complexity: O(results with the rarest words of the error, back to those returned), at most some thousand in
  ///   one answer, whatever the size of the store.
  public func failures(
    with error: String, matching query: String? = nil, before id: Message.ID? = nil,
    limit: Int = QuestionAnswerer.usualLimit, timeZone zone: TimeZone = .gmt,
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) throws(StoreError) -> FailuresAnswer {
    guard let error = ErrorText(error) else {
      throw StoreError(
        .invalidRequest, "cannot look for this error", cause: "there is no letter or digit in it")
    }
    guard limit > 0 else { return FailuresAnswer(failures: []) }
    for error in [error, error.withoutQuoted].compactMap(\.self) {
      guard let words = try rarestWords(of: error) else { continue }
      let selection = try selection(
        ofSessions: query, where: .and([.kind([.result, .system]), .matching(words)]), zone: zone)
      var seen: Set<Conversation.ID> = []
      var found: [(record: MessageRecord, text: String)] = []
      var scan = SessionScan(store, isCancelled: isCancelled)
      let next = try scan.run(selection, before: id) { (record) throws(StoreError) in
        guard !seen.contains(record.message.conversation), let text = error.place(in: record.message.text)
        else {
          return true
        }
        seen.insert(record.message.conversation)
        found.append((record, text))
        return found.count < limit
      }
      if !found.isEmpty || next != nil { return try answer(found, error, next: next) }
    }
    return FailuresAnswer(failures: [])
  }

  /// Returns a query for the rarest words of an error that the store has, by the numbers of messages up to a few;
  /// `nil` if it has none of them.
  private func rarestWords(of error: ErrorText) throws(StoreError) -> String? {
    var counted: [(word: String, count: Int)] = []
    for word in error.longest(Self.longestWords) {
      guard let phrase = Self.phrase(word) else { continue }
      let request = PageRequest(
        Selection(.all, where: .matching(phrase)), fetchLimit: Self.countedMessages, wantsCounts: false)
      let count = try store.page(request).messages.count
      if count > 0 { counted.append((phrase, count)) }
    }
    // Among those that are equally frequent as far as counted, the longer ones come first.
    let rarest = counted.enumerated().sorted { ($0.element.count, $0.offset) < ($1.element.count, $1.offset) }
    let words = rarest.prefix(Self.searchedWords).map(\.element.word)
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  private func answer(
    _ found: [(record: MessageRecord, text: String)], _ error: ErrorText, next: Message.ID?
  ) throws(StoreError) -> FailuresAnswer {
    let places = try SessionPlaces(found.map(\.record), in: store)
    let steps = SessionSteps(store: store)
    var names = ConversationNames(store)
    var answer = FailuresAnswer(failures: [], next: next)
    for (record, text) in found {
      let message = record.message
      let following = try steps.following(message, limit: Self.mostSteps) { error.place(in: $0) != nil }
      let place = places[message.conversation]
      answer.failures.append(
        FailureAnswer(
          conversation: try names.name(of: message.conversation), program: place.program,
          session: place.session, project: place.project, title: place.title, id: message.id,
          time: message.time, precision: message.precision.unlessMillisecond, text: text,
          call: try steps.call(of: message).map(StepAnswer.init), steps: following.steps.map(StepAnswer.init),
          more: following.isCut ? true : nil, resolved: following.resolved?.id))
    }
    return answer
  }
}

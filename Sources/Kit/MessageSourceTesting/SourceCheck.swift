public import MessageModel

/// A rule that a source has broken, and the fewest operations after which it does.
public struct SourceDisagreement: Error, CustomStringConvertible, Sendable {
  /// The rule.
  public let rule: SourceRule
  /// The request or call whose answer breaks it.
  public let request: String
  /// The seed that the operations were drawn from.
  public let seed: UInt64
  /// The steps taken, shortened until none could be left out; the last one is the question.
  public let operations: [String]
  /// The answer by the rule: the model's.
  public let expected: String
  /// The source's answer.
  public let found: String

  public var description: String {
    let steps = operations.enumerated().map { "  \($0 + 1). \($1)" }.joined(separator: "\n")
    return """
      the source breaks a rule: \(rule.sentence) (\(rule.rawValue))
        request  \(request)
        expected \(expected)
        found    \(found)
        after these steps (seed \(seed)):
      \(steps)
      """
  }
}

/// Compares a source with the naive model over random changes and questions.
///
/// Ask it from a test of your own source:
///
/// ```swift
/// try await checkMessageSource(seeds: 0..<100) { try MyStore(path: temporaryPath()) }
/// ```
///
/// It asks for pages at every kind of anchor, in both orders, with all sorts of limits, offsets, shares and filters, also
/// senseless ones, and compares messages, end flags, resolutions, exact counts, and how far the version has moved. It sees
/// to it that ids are not used again and that `MessageSource.changes()` tells of commits. Where the first unread message is
/// it asks with marks if the source is a ``ReadMarkingSource``, and else without.
///
/// What a source does wrong is reported, and never ends the test process: only a source that itself traps does.
///
/// - Parameters:
///   - seeds: A random sequence is drawn for each.
///   - length: How many operations a sequence has.
///   - patience: How long to wait for a change to be told of.
///   - makeSource: Makes an empty source; called once for each sequence and again for each step of shortening one.
/// - Throws: ``SourceDisagreement`` with the shortest sequence found, or what `makeSource` throws.
public func checkMessageSource<Source: MutableMessageSource>(
  seeds: Range<UInt64> = 0..<20, length: Int = 200, patience: Duration = .seconds(10),
  makeSource: () async throws -> Source
) async throws {
  for seed in seeds {
    try await check(seed: seed, length: length) { operations in
      var pair = SourceAndModel(try await makeSource())
      if let difference = await pair.begin() { return difference }
      for operation in operations {
        if let difference = await pair.perform(operation) { return difference }
      }
      return nil
    }
  }
  try await checkChanges(of: makeSource(), patience: patience)
}

/// Compares a source that is only read with what it should hold, by random questions as
/// ``checkMessageSource(seeds:length:patience:makeSource:)`` asks them.
///
/// ```swift
/// try await checkMessageSource(MyArchive(path: sample), holding: expectedMessages)
/// ```
///
/// Compared besides are kinds, the names of senders, and what is answered.
///
/// - Parameters:
///   - source: The source. Nothing may write to it meanwhile.
///   - messages: All that it should hold, in any order, as pages give it: each with an id of its own.
///   - readMarks: Up to where its conversations were read.
///   - seeds: A random sequence of questions is drawn for each.
///   - length: How many questions a sequence has.
///   - patience: How long to wait for the first element of `MessageSource.changes()`.
/// - Throws: ``SourceDisagreement`` with the request that is answered wrongly.
public func checkMessageSource<Source: MessageSource>(
  _ source: Source, holding messages: [Message], readMarks: [Conversation.ID: Message.ID] = [:],
  seeds: Range<UInt64> = 0..<20, length: Int = 100, patience: Duration = .seconds(10)
) async throws {
  var distinct: [Message.ID: Message] = [:]
  for message in messages { distinct[message.id] = message }
  let model = ReferenceSource(Array(distinct.values))
  for (conversation, mark) in readMarks { model.setReadMark(mark, of: conversation) }
  let conversations = Set(messages.map(\.conversation)).sorted()
  for seed in seeds {
    try await check(seed: seed, length: length) { operations in
      var pair = SourceAndModel(source, holding: model, in: conversations)
      if let difference = await pair.noteVersions() { return difference }
      for operation in operations {
        if let difference = await pair.ask(operation) { return difference }
      }
      return nil
    }
  }
  let notices = NoticeCheck(stream: source.changes(), patience: patience)
  if case .some(let found) = await notices.failure() {
    throw NoticeCheck.disagreement("changes()", expected: "an element at once", found: found)
  }
}

/// Draws a sequence of operations and, if a rule is broken, looks for the shortest one that breaks the same.
private func check<Source>(
  seed: UInt64, length: Int,
  difference: ([SourceOperation]) async throws -> SourceAndModel<Source>.Difference?
) async throws {
  var generator = SeededGenerator(seed: seed)
  let operations = (0..<length).map { _ in SourceOperation.random(using: &generator) }
  guard let first = try await difference(operations) else { return }
  let shortest = try await shrunk(operations) { try await difference($0)?.rule == first.rule }
  guard let last = try await difference(shortest), last.rule == first.rule else {
    throw SourceDisagreement(
      rule: first.rule, request: first.request, seed: seed,
      operations: ["(the same operations gave other answers when repeated)"], expected: first.expected,
      found: first.found)
  }
  throw SourceDisagreement(
    rule: last.rule, request: last.request, seed: seed, operations: shortest.map { String(describing: $0) },
    expected: last.expected, found: last.found)
}

/// Sees to it that a source tells of commits, and that who reads after a notice sees them.
private func checkChanges(of source: some MutableMessageSource, patience: Duration) async throws {
  let notices = NoticeCheck(stream: source.changes(), patience: patience)
  if let found = await notices.failure() {
    throw NoticeCheck.disagreement("changes()", expected: "an element at once", found: found)
  }
  let conversation = try await source.makeConversation(named: "told of")
  // What was told before may be told once more; a source that tells of nothing runs out of that.
  for number in 1...4 {
    let call = "changes(), after append(\"\(number)\", to: \(conversation.rawValue))"
    let id = try await source.append("\(number)", to: conversation)
    if let found = await notices.failure() {
      throw NoticeCheck.disagreement(call, expected: "an element", found: found)
    }
    let newest = try await source.page(PageRequest(Selection(conversation), fetchLimit: 1)).messages.last?.id
    guard newest == id else {
      throw NoticeCheck.disagreement(
        call, expected: "that \(id) is there",
        found: "\(newest.map(\.description) ?? "nothing") as the newest")
    }
  }
}

/// Waits for notices of changes.
private struct NoticeCheck {
  let stream: AsyncStream<SourceChange>
  let patience: Duration

  /// Waits for one; returns what came instead, or `nil`.
  func failure() async -> String? {
    await withTaskGroup(of: String?.self) { group in
      group.addTask { [stream] in
        for await _ in stream { return nil }
        return "the end of the stream"
      }
      group.addTask { [patience] in
        try? await Task.sleep(for: patience)
        return "nothing for \(patience)"
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
  }

  static func disagreement(_ request: String, expected: String, found: String) -> SourceDisagreement {
    SourceDisagreement(
      rule: .told, request: request, seed: 0, operations: [request], expected: expected, found: found)
  }
}

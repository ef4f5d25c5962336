public import MessageModel

/// A rule that a source broke, with the shortest sequence of operations found.
public struct SourceDisagreement: Error, CustomStringConvertible, Sendable {
  /// The broken rule.
  public let rule: SourceRule
  /// The request or call whose reply breaks the rule.
  public let request: String
  /// The seed of the operations.
  public let seed: UInt64
  /// The operations, shortened until none could be removed; the last one is the question.
  public let operations: [String]
  /// The model's reply.
  public let expected: String
  /// The source's reply.
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
/// Call it from a test of your own source:
///
/// ```swift
/// try await checkMessageSource(seeds: 0..<100) { try MyStore(path: temporaryPath()) }
/// ```
///
/// It requests pages with every kind of anchor, in both orders, with many limits, offsets, shares and
/// filters, including invalid ones, and compares messages, end flags, resolutions, exact counts, and changes
/// of the version. It also checks that ids are not reused and that `MessageSource.changes()` reports commits.
/// The first unread message is requested with marks if the source is a ``ReadMarkingSource``, otherwise
/// without.
///
/// Faults of a source are reported and never end the test process, unless the source itself traps.
///
/// - Parameters:
///   - seeds: Each seed yields a random sequence.
///   - length: The number of operations of a sequence.
///   - patience: How long to wait for a change to be reported.
///   - makeSource: Creates an empty source; called for each sequence and for each step of shortening one.
/// - Throws: ``SourceDisagreement`` with the shortest sequence found, or the error of `makeSource`.
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

/// Compares a read-only source with its expected content, by random questions like those of
/// ``checkMessageSource(seeds:length:patience:makeSource:)``.
///
/// ```swift
/// try await checkMessageSource(MyArchive(path: sample), holding: expectedMessages)
/// ```
///
/// It also compares kinds, names of senders, and replies.
///
/// - Parameters:
///   - source: The source, which must not change meanwhile.
///   - messages: The expected messages in any order, as pages return them, with distinct ids.
///   - readMarks: The read marks of conversations.
///   - seeds: Each seed yields a random sequence of questions.
///   - length: The number of questions of a sequence.
///   - patience: How long to wait for the first element of `MessageSource.changes()`.
/// - Throws: ``SourceDisagreement`` with the request whose reply is wrong.
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

/// Checks that a source reports commits, and that reading after a notice shows them.
private func checkChanges(of source: some MutableMessageSource, patience: Duration) async throws {
  let notices = NoticeCheck(stream: source.changes(), patience: patience)
  if let found = await notices.failure() {
    throw NoticeCheck.disagreement("changes()", expected: "an element at once", found: found)
  }
  let conversation = try await source.makeConversation(named: "told of")
  // Earlier commits may be reported again; a source that reports none runs out of those.
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

private struct NoticeCheck {
  let stream: AsyncStream<Void>
  let patience: Duration

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

/// Returns a shorter sequence of operations that still fails, from which no single operation can be removed.
///
/// It removes stretches, long ones first, as long as the rest fails.
///
/// - Complexity: Usually O(*n* log *n*) trials for *n* operations, O(*n*²) at worst.
public func shrunk<Operation>(
  _ operations: [Operation], stillFails: ([Operation]) async throws -> Bool
) async rethrows -> [Operation] {
  var shortest = operations
  var stretch = max(operations.count / 2, 1)
  while true {
    var start = 0
    var hasShrunk = false
    while start < shortest.count {
      var shorter = shortest
      shorter.removeSubrange(start..<min(start + stretch, shorter.count))
      if try await stillFails(shorter) {
        shortest = shorter
        hasShrunk = true
      } else {
        start += stretch
      }
    }
    if stretch == 1, !hasShrunk { return shortest }
    stretch = max(stretch / 2, 1)
  }
}

/// A random number generator determined by its seed (SplitMix64, <https://prng.di.unimi.it/splitmix64.c>).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator that produces the same numbers for the same seed.
  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

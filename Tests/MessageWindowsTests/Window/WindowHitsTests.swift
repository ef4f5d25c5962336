import MessageModel
import MessageSourceTesting
import MessageWindows
import TestSupport
import Testing

/// Windows of hits: of what a source looks for in one message after the other, giving up on the way to a page's limit.
@Suite struct WindowHitsTests {
  private static let looked: [MessagePredicate] = [.has(.edit), .not(.has(.edit)), .everything]
  private static let stepCount = isLong ? 2_000 : 200

  @Test(arguments: UInt64(0)..<(isLong ? 40 : 10))
  func `a window of hits equals the naive array after every step, whatever a page looks at`(seed: UInt64)
    async throws
  {
    var generator = SeededGenerator(seed: 400 + seed)
    let steps = (0..<Self.stepCount).map { _ in WindowStep.random(using: &generator, bytes: [0]) }
    try await expectNoMistake(on: [.jump(.newest)] + steps, seed: seed) { walk in
      var state = try await state(over: ScanningSource(reach: Int(seed % 9) + 1))
      for step in walk {
        if let mistake = await state.take(step) { return mistake }
      }
      return nil
    }
  }

  @Test(arguments: UInt64(0)..<(isLong ? 40 : 10))
  func `parts of pages that arrive late, in any order or never leave a window of hits true`(seed: UInt64)
    async throws
  {
    var generator = SeededGenerator(seed: 500 + seed)
    let steps = (0..<Self.stepCount).map { _ in WindowStep.racing(using: &generator) }
    try await expectNoMistake(on: [.jump(.newest)] + steps, seed: seed) { race in
      var state = try await state(over: ScanningSource(reach: Int(seed % 9) + 1))
      for step in race {
        if let mistake = await state.race(step) { return mistake }
      }
      return await state.settle()
    }
  }

  @Test(arguments: UInt64(0)..<(isLong ? 40 : 10))
  func `a window that spans states has no hole, and finds what comes in, while others write`(seed: UInt64)
    async throws
  {
    var generator = SeededGenerator(seed: 600 + seed)
    let all = (0..<Self.stepCount).map { _ in WindowStep.racing(using: &generator) }
    let steps = all.filter { !$0.takesAway }
    try await expectNoMistake(on: [.jump(.newest)] + steps, seed: seed) { race in
      var state = try await state(over: ScanningSource(reach: Int(seed % 9) + 1), spansStates: true)
      for step in race + [.announce] {
        if let mistake = await state.race(step) { return mistake }
      }
      if let mistake = await state.settle() { return mistake }
      for step in [WindowStep.jump(.oldest), .look(at: 0, height: 1)] {
        if let mistake = await state.race(step) { return mistake }
        if let mistake = await state.settle() { return mistake }
      }
      return nil
    }
  }

  @Test(arguments: UInt64(0)..<4)
  func `a window of what a regular expression finds in a store equals the naive array`(seed: UInt64)
    async throws
  {
    var generator = SeededGenerator(seed: 700 + seed)
    let steps = (0..<60).map { _ in WindowStep.random(using: &generator, bytes: [0]) }
    try await expectNoMistake(on: [.jump(.newest)] + steps, seed: seed) { walk in
      var state = try await WindowWalk(
        over: StoreSource(), limits: WindowLimits(messages: 24, pageSize: 6), count: 60,
        hits: [.regex("[27]"), .regex("9$")])
      for step in walk {
        if let mistake = await state.take(step) { return mistake }
      }
      return nil
    }
  }

  /// Few texts in which something may be found, in pages that end anywhere.
  private func state(
    over source: ScanningSource, spansStates: Bool = false
  ) async throws -> WindowWalk<ScanningSource> {
    try await WindowWalk(
      over: source, limits: WindowLimits(messages: 24, pageSize: 6), count: 90, hits: Self.looked,
      spansStates: spansStates)
  }
}

extension WindowStep {
  /// Whether it may take a message away from hits that were read, or put one among them.
  fileprivate var takesAway: Bool {
    switch self {
    case .insert, .delete, .edit: true
    default: false
    }
  }
}

/// A source that looks at so many messages in each direction of a page at most, as a store does that has no index for what
/// is looked for.
private struct ScanningSource: MutableMessageSource, SynchronousMessageSource {
  let base = ReferenceSource()
  let reach: Int

  func page(_ request: PageRequest) throws(StoreError) -> Page {
    var page = try base.page(request)
    guard request.fetchLimit > 0, request.selection.predicate != .everything else { return page }
    let ids = base.messages.filter(Selection(request.selection.conversations).contains).map(\.id)
    let pivot = page.resolution.message ?? page.messages.first?.id
    let older: Message.ID
    let newer: Message.ID
    switch request.anchor {
    case .newest: (older, newer) = (last(of: ids), .highest)
    case .oldest: (older, newer) = (.lowest, first(of: ids))
    case .before(let id): (older, newer) = (last(of: ids.filter { $0 < id }), .highest)
    case .after(let id): (older, newer) = (.lowest, first(of: ids.filter { $0 > id }))
    case .around, .time, .ordinal, .percent, .firstUnread:
      guard let pivot else { return page }
      older = last(of: ids.filter { $0 < pivot })
      newer = first(of: ids.filter { $0 >= pivot })
    }
    let count = page.messages.count
    let beyond = (page.messages.contains { $0.id < older }, page.messages.contains { $0.id > newer })
    page.messages.removeAll { $0.id < older || $0.id > newer }
    page.counts = nil
    // What lies beyond is not known, unless the limit was reached before.
    let isCut = (
      beyond.0 || count < request.fetchLimit && older > ids.first ?? older,
      beyond.1 || count < request.fetchLimit && newer < ids.last ?? newer
    )
    if isCut.0 { page.hasOlder = true }
    if isCut.1 { page.hasNewer = true }
    if isCut.0 { page.nextAnchor = .before(older) } else if isCut.1 { page.nextAnchor = .after(newer) }
    return page
  }

  private func last(of ids: [Message.ID]) -> Message.ID { ids.suffix(reach).first ?? .lowest }
  private func first(of ids: [Message.ID]) -> Message.ID { ids.prefix(reach).last ?? .highest }

  func changes() -> AsyncStream<Void> { base.changes() }
  func makeConversation(named name: String) -> Conversation.ID { base.makeConversation(named: name) }
  func append(_ text: String, to conversation: Conversation.ID) -> Message.ID {
    base.append(text, to: conversation)
  }
  func insert(
    _ text: String, at time: Timestamp, in conversation: Conversation.ID
  ) throws(StoreError) -> Message.ID { try base.insert(text, at: time, in: conversation) }
  func delete(_ ids: [Message.ID]) { base.delete(ids) }
  func edit(_ id: Message.ID, text: String) { base.edit(id, text: text) }
}

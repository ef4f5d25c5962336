import MessageModel
import MessageSourceTesting
import MessageWindows
import TestSupport
import Testing

/// Every anchor with every half size over histories that come about in different orders, compared after every
/// commit: the method of Telegram's MessageHistoryViewTests.
@Suite struct WindowExhaustiveTests {
  enum Growth: CaseIterable {
    case forward, backward, shuffled, mixed

    /// The commits by which 24 messages come to be there.
    fileprivate func changes(seed: UInt64) -> [HistoryChange] {
      var generator = SeededGenerator(seed: seed)
      switch self {
      case .forward: return (1...24).map { .insert($0) }
      case .backward: return (1...24).reversed().map { .insert($0) }
      case .shuffled: return (1...24).shuffled(using: &generator).map { .insert($0) }
      case .mixed:
        return (1...24).shuffled(using: &generator).flatMap { number in
          let other = Int.random(in: 0..<1_000, using: &generator)
          let removal: [HistoryChange] = other % 3 == 0 ? [.remove(other)] : []
          return [.insert(number)] + removal + [.edit(other)]
        }
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 200], Growth.allCases)
  func `windows at every anchor follow every commit`(half: Int, growth: Growth) async throws {
    try await follow(ReferenceSource(), anchorStep: isLong ? 1 : 5, half: half, growth: growth)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 200], Growth.allCases)
  func `windows over a store at every anchor follow every commit`(half: Int, growth: Growth) async throws {
    try await follow(StoreSource(), anchorStep: isLong ? 1 : 21, half: half, growth: growth)
  }

  private func follow(
    _ source: some MutableMessageSource & SynchronousMessageSource, anchorStep: Int, half: Int, growth: Growth
  ) async throws {
    var history = try await GrowingHistory(source)
    let limits = try WindowLimits(messages: 2 * half, pageSize: half, prefetchDistance: 0)
    let anchors = history.anchors(step: anchorStep)
    func window(at anchor: PageAnchor) throws -> MessageWindow {
      var window = MessageWindow(history.selection, limits: limits)
      try window.perform(.jump(to: anchor), in: source)
      return window
    }
    var windows = try anchors.map(window)
    for change in growth.changes(seed: UInt64(half)) {
      try await history.make(change)
      for index in windows.indices {
        let before = windows[index]
        try windows[index].perform(.sourceChanged, in: source)
        let fresh = try window(at: anchors[index]).messages
        let expected = try definition(anchors[index], half: half, of: history)
        let mistake =
          mistake(in: windows[index], after: before, naive: history.model.messages)
          ?? (facts(fresh) == expected ? nil : "a fresh window holds \(fresh.map(\.text))")
        if let mistake { Issue.record("at \(anchors[index]) after \(change): \(mistake)") }
      }
    }
  }

  /// What a window is by its definition: up to twice the half size next to the anchor or, where nothing is next to
  /// it, one page of what there is.
  private func definition(
    _ anchor: PageAnchor, half: Int, of history: GrowingHistory<some MutableMessageSource>
  ) throws -> [Fact] {
    func page(_ anchor: PageAnchor, _ limit: Int) throws -> [Message] {
      try history.model.page(PageRequest(history.selection, anchor: anchor, fetchLimit: limit)).messages
    }
    let next = try page(anchor, 2 * half)
    guard next.isEmpty else { return facts(next) }
    if case .before = anchor { return facts(try page(.oldest, half)) }
    return facts(try page(.newest, half))
  }

  /// A window holds a stretch of the array around its reader, as long as it may be and the array allows.
  private func mistake(
    in window: MessageWindow, after before: MessageWindow, naive: [Message]
  ) -> String? {
    let header = window.header
    let start = window.messages.first.flatMap { first in naive.firstIndex { $0.id == first.id } } ?? 0
    let end = start + window.count
    guard end <= naive.count, facts(naive[start..<end]) == facts(window.messages) else {
      return "it holds \(window.messages.map(\.text)) of \(naive.map(\.text))"
    }
    if header.hasOlder != (start > 0) || header.hasNewer != (end < naive.count) { return "an end flag lies" }
    if header.firstOrdinal != start || header.total != naive.count { return "the ordinal or total is wrong" }
    if window.count != min(2 * (window.limits.pageSize), naive.count) { return "it holds \(window.count)" }
    guard let place = before.position?.id, !before.header.isFollowing,
      naive.contains(where: { $0.id == place })
    else { return nil }
    return window.position?.id == place ? nil : "the reader was moved"
  }

  /// What is compared of a message: which it is, and what has become of it.
  private struct Fact: Equatable {
    var id: Message.ID
    var revision: Int
    var text: String
  }

  private func facts(_ messages: some Sequence<Message>) -> [Fact] {
    messages.map { Fact(id: $0.id, revision: $0.revision, text: $0.text) }
  }
}

/// A commit. Messages to be removed or edited are named by numbers taken modulo what there is.
private enum HistoryChange {
  case insert(Int)
  case remove(Int)
  case edit(Int)
}

/// A source that comes to hold 24 messages, and the array that it must equal.
private struct GrowingHistory<Source: MutableMessageSource> {
  let source: Source
  let model = ReferenceSource()
  private let conversation: Conversation.ID

  init(_ source: Source) async throws {
    self.source = source
    conversation = try await source.makeConversation(named: "growing")
  }

  var selection: Selection { Selection(conversation) }

  mutating func make(_ change: HistoryChange) async throws {
    switch change {
    case .insert(let number):
      let id = try await source.insert("\(number)", at: Self.time(number), in: conversation)
      model.insert([Message(id: id, conversation: conversation, text: "\(number)")])
    case .remove(let number):
      guard let victim = victim(number) else { return }
      try await source.delete([victim])
      model.delete([victim])
    case .edit(let number):
      guard let victim = victim(number) else { return }
      try await source.edit(victim, text: "edited \(number)")
      model.edit(victim, text: "edited \(number)")
    }
  }

  private func victim(_ number: Int) -> Message.ID? {
    let all = model.messages
    return all.isEmpty ? nil : all[number % all.count].id
  }

  private static func time(_ number: Int) -> Timestamp {
    Timestamp(millisecondsSince1970: Int64(number) * 10)
  }

  /// All kinds of anchors, at every `step`-th of the places on and between the messages.
  func anchors(step: Int) -> [PageAnchor] {
    let times = stride(from: 1, through: 49, by: step).map { Timestamp(millisecondsSince1970: Int64($0) * 5) }
    let ids = times.map { Message.ID(time: $0) }
    return [.newest, .oldest, .firstUnread] + ids.map { .around($0) }
      + zip(ids, times).dropFirst().prefix(step == 1 ? 49 : 2).flatMap { id, time in
        [.before(id), .after(id), .time(time)]
      }
      + stride(from: 0, through: 24, by: step * 2).map { .ordinal($0) } + [.ordinal(99), .percent(50)]
  }
}

import MessageModel
import MessageSourceTesting
import MessageWindows
import TestSupport
import Testing

/// Every anchor with every half size over histories that come about in different orders, compared after every
/// commit: the method of Telegram's MessageHistoryViewTests.
@Suite struct WindowExhaustiveTests {
  enum Growth: CaseIterable {
    case forward, backward, shuffled, mixed, gapped

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
      case .gapped:
        return (1...24).shuffled(using: &generator).flatMap { number in
          let (start, end) = (
            Int.random(in: 0...25, using: &generator), Int.random(in: 0...25, using: &generator)
          )
          let other = Int.random(in: 0..<1_000, using: &generator)
          let gap: [HistoryChange] = start < end ? [.open(start, end)] : []
          let filling: [HistoryChange] = other % 4 == 0 ? [.close(start, start + 5)] : []
          return [.insert(number)] + gap + filling + (other % 5 == 0 ? [.remove(other)] : [])
        }
      }
    }
  }

  private static let halves = isLong ? [1, 2, 3, 4, 5, 6, 7, 200] : [1, 2, 3, 7, 200]

  @Test(arguments: halves, Growth.allCases)
  func `windows at every anchor follow every commit`(half: Int, growth: Growth) async throws {
    try await follow(ReferenceSource(), anchorStep: isLong ? 1 : 7, half: half, growth: growth)
  }

  @Test(arguments: halves, Growth.allCases)
  func `windows over a store at every anchor follow every commit`(half: Int, growth: Growth) async throws {
    try await follow(StoreSource(), anchorStep: isLong ? 1 : 37, half: half, growth: growth)
  }

  private func follow(
    _ source: some GapKeepingSource & SynchronousMessageSource, anchorStep: Int, half: Int, growth: Growth
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
          mistake(in: windows[index], after: before, of: history.model)
          ?? (facts(fresh) == expected ? nil : "a fresh window holds \(fresh.map(\.text))")
        if let mistake { Issue.record("at \(anchors[index]) after \(change): \(mistake)") }
      }
    }
  }

  /// What a window is by its definition: up to twice the half size next to the anchor or, where nothing is next to
  /// it, one page of what there is.
  private func definition(
    _ anchor: PageAnchor, half: Int, of history: GrowingHistory<some GapKeepingSource>
  ) throws -> [Fact] {
    func page(_ anchor: PageAnchor, _ limit: Int) throws -> [Message] {
      var request = PageRequest(history.selection, anchor: anchor, fetchLimit: limit)
      request.stopsAtGaps = true
      return try history.model.page(request).messages
    }
    let next = try page(anchor, 2 * half)
    guard next.isEmpty else { return facts(next) }
    switch anchor {
    // Only a gap lies there.
    case .before(let id) where try isBeyondGap(anchor, of: history):
      return facts(try page(.around(id), 2 * half))
    case .after(let id) where try isBeyondGap(anchor, of: history):
      return facts(try page(.around(id), 2 * half))
    case .before: return facts(try page(.oldest, half))
    default: return facts(try page(.newest, half))
    }
  }

  /// Whether there is something in the direction of an anchor, on the other side of a gap.
  private func isBeyondGap(
    _ anchor: PageAnchor, of history: GrowingHistory<some GapKeepingSource>
  ) throws -> Bool {
    var request = PageRequest(history.selection, anchor: anchor, fetchLimit: 1)
    request.stopsAtGaps = true
    let page = try history.model.page(request)
    return page.olderGap != nil || page.newerGap != nil
  }

  /// A window holds a stretch of the array around its reader, as long as it may be and the array allows.
  private func mistake(
    in window: MessageWindow, after before: MessageWindow, of model: ReferenceSource
  ) -> String? {
    let naive = model.messages
    let header = window.header
    let start = window.messages.first.flatMap { first in naive.firstIndex { $0.id == first.id } } ?? 0
    let end = start + window.count
    guard end <= naive.count, facts(naive[start..<end]) == facts(window.messages) else {
      return "it holds \(window.messages.map(\.text)) of \(naive.map(\.text))"
    }
    if header.hasOlder != (start > 0) || header.hasNewer != (end < naive.count) { return "an end flag lies" }
    if header.firstOrdinal != start || header.total != naive.count { return "the ordinal or total is wrong" }
    let gaps = (0...naive.count).map { index in
      model.gap(from: index > 0 ? naive[index - 1].id : nil, to: index < naive.count ? naive[index].id : nil)
    }
    if start + 1 < end, gaps[(start + 1)..<end].contains(where: { $0 != nil }) {
      return "it reads over a gap"
    }
    // Where nothing is, all is older.
    if window.gap(.older) != gaps[start] || window.gap(.newer) != (naive.isEmpty ? nil : gaps[end]) {
      return "it says nothing of a gap"
    }
    let first = gaps[...start].lastIndex { $0 != nil } ?? 0
    let last = gaps[end...].firstIndex { $0 != nil } ?? naive.count
    if window.count != min(2 * (window.limits.pageSize), last - first) { return "it holds \(window.count)" }
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
  /// A gap between two of the times, and that there is none.
  case open(Int, Int)
  case close(Int, Int)
}

/// A source that comes to hold 24 messages, and the array that it must equal.
private struct GrowingHistory<Source: GapKeepingSource> {
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
    case .open(let start, let end):
      let gap = gap(start, end)
      try await source.setGap(gap)
      model.setGap(gap)
    case .close(let start, let end):
      let gap = gap(start, end)
      try await source.removeGaps(in: conversation, after: gap.after, before: gap.before)
      model.removeGaps(in: conversation, after: gap.after, before: gap.before)
    }
  }

  private func victim(_ number: Int) -> Message.ID? {
    let all = model.messages
    return all.isEmpty ? nil : all[number % all.count].id
  }

  /// The gap between two times; the first and the last stand for the ends.
  private func gap(_ start: Int, _ end: Int) -> MessageGap {
    MessageGap(
      in: conversation, after: start == 0 ? nil : Message.ID(time: Self.time(start)),
      before: end >= 25 ? nil : Message.ID(time: Self.time(end)), token: end % 2 == 0 ? "t\(end)" : nil)
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

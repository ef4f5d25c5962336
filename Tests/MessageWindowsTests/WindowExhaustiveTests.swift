import MessageModel
import MessageSourceTesting
import MessageWindows
import Testing

/// Every anchor with every half size over histories that come about in different orders, compared after every
/// commit: the method of Telegram's MessageHistoryViewTests.
@Suite struct WindowExhaustiveTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 200], Growth.allCases)
  func `windows at every anchor follow every commit`(half: Int, growth: Growth) throws {
    let source = ReferenceSource()
    var windows = try anchors.map { anchor in
      var window = MessageWindow(Selection(conversation), limits: try limits(half: half))
      try window.perform(.jump(to: anchor), in: source)
      return window
    }
    var generator = SeededGenerator(seed: UInt64(half))
    for change in changes(growth, using: &generator) {
      change(source)
      for index in windows.indices {
        let before = windows[index]
        try windows[index].perform(.sourceChanged, in: source)
        expect(windows[index], after: before, equals: source.messages)
        let fresh = try freshWindow(at: anchors[index], half: half, in: source)
        #expect(try fresh.messages == model(anchors[index], half: half, of: source), "\(anchors[index])")
      }
    }
  }

  enum Growth: CaseIterable {
    case forward, backward, shuffled, mixed
  }

  private let conversation = Conversation.ID(rawValue: 1)
  private let ids = (1...24).map { Message.ID(rawValue: $0 * 10) }

  private var anchors: [Anchor] {
    [.newest, .oldest, .firstUnread]
      + stride(from: 5, through: 245, by: lengthFactor > 1 ? 5 : 15).map { .around(Message.ID(rawValue: $0)) }
      + [.ordinal(0), .ordinal(11), .ordinal(99), .percent(50), .before(ids[3]), .after(ids[20])]
  }

  private func limits(half: Int) throws -> WindowLimits {
    try WindowLimits(messages: 2 * half, pageSize: half, prefetchDistance: 0)
  }

  private func freshWindow(at anchor: Anchor, half: Int, in source: ReferenceSource) throws -> MessageWindow {
    var window = MessageWindow(Selection(conversation), limits: try limits(half: half))
    try window.perform(.jump(to: anchor), in: source)
    return window
  }

  /// What a window is by its definition: up to twice the half size next to the anchor or, where nothing is next to
  /// it, one page of what there is.
  private func model(_ anchor: Anchor, half: Int, of source: ReferenceSource) throws -> [Message] {
    func page(_ anchor: Anchor, _ limit: Int) throws -> [Message] {
      try source.page(FetchRequest(Selection(conversation), anchor: anchor, fetchLimit: limit)).messages
    }
    let next = try page(anchor, 2 * half)
    guard next.isEmpty else { return next }
    if case .before = anchor { return try page(.oldest, half) }
    return try page(.newest, half)
  }

  private func changes(_ growth: Growth, using generator: inout SeededGenerator) -> [(ReferenceSource) ->
    Void]
  {
    let insert: (Message.ID) -> (ReferenceSource) -> Void = { id in
      { $0.insert([Message(id: id, conversation: Conversation.ID(rawValue: 1), text: "")]) }
    }
    switch growth {
    case .forward: return ids.map(insert)
    case .backward: return ids.reversed().map(insert)
    case .shuffled: return ids.shuffled(using: &generator).map(insert)
    case .mixed:
      return ids.shuffled(using: &generator).flatMap { id in
        let number = Int.random(in: 0..<1_000, using: &generator)
        let remove: (ReferenceSource) -> Void = { source in
          if let victim = source.messages.dropFirst(number % source.messages.count).first {
            source.delete([victim.id])
          }
        }
        let edit: (ReferenceSource) -> Void = { source in
          if !source.messages.isEmpty {
            source.edit(source.messages[number % source.messages.count].id, text: "\(number)")
          }
        }
        return [insert(id)] + (number % 3 == 0 ? [remove] : []) + [edit]
      }
    }
  }

  /// A window holds a stretch of the array around its reader, as long as it may be and the array allows.
  private func expect(_ window: MessageWindow, after before: MessageWindow, equals naive: [Message]) {
    let header = window.header
    let start = window.messages.first.flatMap { first in naive.firstIndex { $0.id == first.id } } ?? 0
    let end = start + window.count
    #expect(end <= naive.count && Array(naive[start..<end]) == window.messages)
    #expect(header.hasOlder == (start > 0) && header.hasNewer == (end < naive.count))
    #expect(header.firstOrdinal == start && header.total == naive.count)
    #expect(window.count == min(2 * (window.limits.pageSize), naive.count))
    guard let place = before.position, !before.header.isFollowing else { return }
    if naive.contains(where: { $0.id == place.id }) { #expect(window.position?.id == place.id) }
  }
}

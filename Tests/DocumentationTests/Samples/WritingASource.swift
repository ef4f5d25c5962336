import Foundation
import MessageSourceTesting
import ScrollbackKit
import Testing

// sample
/// The messages of a file in memory, oldest first.
struct LogSource: SynchronousMessageSource {
  let messages: [Message]

  func page(_ request: PageRequest) throws(StoreError) -> Page {
    try Page(answering: request, in: messages)
  }

  /// One element at once; the file does not change.
  func changes() -> AsyncStream<Void> {
    AsyncStream { continuation in
      continuation.yield()
      continuation.finish()
    }
  }
}
// end

/// The same source by hand, as one writes it who does not know of that call.
private struct LogByHand: SynchronousMessageSource {
  let messages: [Message]

  func page(_ request: PageRequest) throws(StoreError) -> Page {
    guard request.fetchLimit >= 0, request.fetchOffset >= 0 else {
      throw StoreError(.invalidRequest, "cannot read a page", cause: "a limit or an offset is negative")
    }
    let all = messages.filter { request.selection.contains($0) }
    let place = Place.of(request, in: all)
    let held = Array(all[place.range])
    return Page(
      messages: request.order == .oldestFirst ? held : held.reversed(),
      hasOlder: place.range.lowerBound > 0, hasNewer: place.range.upperBound < all.count,
      counts: request.wantsCounts
        ? Page.Counts(firstOrdinal: place.range.lowerBound, total: all.count) : nil,
      resolution: place.resolution, version: SourceVersion(inserted: messages.count))
  }

  func changes() -> AsyncStream<Void> { AsyncStream { $0.yield() } }
}

/// Where the messages of a request lie among those of its selection.
private struct Place {
  var range: Range<Int>
  var resolution = Page.Resolution(.exact)

  static func of(_ request: PageRequest, in all: [Message]) -> Place {
    guard !all.isEmpty else { return Place(range: 0..<0, resolution: Page.Resolution(.nothing)) }
    let (count, skipped) = (all.count, min(request.fetchOffset, all.count))
    func index(after id: Message.ID) -> Int { all.firstIndex { $0.id > id } ?? count }
    func index(from id: Message.ID) -> Int { all.firstIndex { $0.id >= id } ?? count }
    switch request.anchor {
    case .newest: return before(count - skipped, request.fetchLimit)
    case .oldest: return after(skipped, request.fetchLimit, count)
    case .before(let id): return before(index(from: id) - skipped, request.fetchLimit)
    case .after(let id): return after(index(after: id) + skipped, request.fetchLimit, count)
    case .around(let id):
      let next = index(from: id)
      if next < count, all[next].id == id { return around(next, .exact, request, all) }
      return next > 0
        ? around(next - 1, .nearestOlder, request, all) : around(0, .nearestNewer, request, all)
    case .time(let time):
      let next = index(from: Message.ID(time: time))
      return next < count
        ? around(next, .exact, request, all) : around(count - 1, .nearestOlder, request, all)
    case .ordinal(let ordinal): return around(ordinal, .exact, request, all)
    case .percent(let percent):
      let ordinal = PageAnchor.ordinal(atPercent: percent, of: count)
      return around(ordinal, (0...100).contains(percent) ? .exact : .clamped, request, all)
    case .firstUnread:
      // Nothing was ever read here. Of several conversations none has the first unread message.
      guard case .some(let ids) = request.selection.conversations, ids.count == 1 else {
        return before(count - skipped, request.fetchLimit)
      }
      return around(0, .exact, request, all)
    }
  }

  private static func before(_ end: Int, _ limit: Int) -> Place {
    Place(range: max(end - limit, 0)..<max(end, 0))
  }

  private static func after(_ start: Int, _ limit: Int, _ count: Int) -> Place {
    let start = min(start, count)
    return Place(range: start..<(start + min(limit, count - start)))
  }

  /// Around a message. An offset moves it, and what one side lacks the other side gives.
  private static func around(
    _ index: Int, _ match: Page.Resolution.Match, _ request: PageRequest, _ all: [Message]
  ) -> Place {
    var (pivot, match) = (min(max(index, 0), all.count - 1), match)
    if pivot != index { match = .clamped }
    if request.fetchOffset > 0 {
      let offset = min(request.fetchOffset, all.count)
      let moved = request.order == .oldestFirst ? pivot + offset : pivot - offset
      pivot = min(max(moved, 0), all.count - 1)
      match = pivot == moved ? .exact : .clamped
    }
    let limit = request.fetchLimit
    let wanted = min(max(request.olderShare ?? limit / 2, 0), max(limit - 1, 0))
    let newer = min(limit - min(wanted, pivot), all.count - pivot)
    return Place(
      range: (pivot - min(limit - newer, pivot))..<(pivot + newer),
      resolution: Page.Resolution(match, message: all[pivot].id))
  }
}

@Suite struct WritingASource {
  private let messages = (1...500).map { number in
    Message(
      id: Message.ID(time: Timestamp(millisecondsSince1970: Int64(number) * 1_000)),
      conversation: Conversation.ID(rawValue: 1), text: "line \(number)")
  }

  @Test func `a list reads it`() async throws {
    let messages = messages
    // sample
    let list = MessageList(.everything, in: AwaitedSource(LogSource(messages: messages)))
    let snapshot = await list.perform(.jump(to: .newest))
    // end
    #expect(snapshot.messages.last?.text == "line 500")
    #expect(snapshot.header.total == 500)
    await list.close()
  }

  @Test func `it answers as one does that is written by hand`() throws {
    let (source, model) = (LogSource(messages: messages), LogByHand(messages: messages))
    let ids = [0, 1, 2_048_000, 4_096_000, 4_096_001, 2_048_000_000, 9_999_999_999].map {
      Message.ID(rawValue: $0)
    }
    var anchors: [PageAnchor] = [.newest, .oldest, .ordinal(-1), .ordinal(7), .ordinal(499), .ordinal(500)]
    anchors += [.percent(-1), .percent(33), .percent(101), .firstUnread]
    anchors += ids.flatMap { [.before($0), .after($0), .around($0), .time($0.placeTime)] }
    for (anchor, selection) in anchors.flatMap({
      [($0, Selection.everything), ($0, Selection(messages[0].conversation))]
    }) {
      for (limit, offset) in [(0, 0), (1, 0), (10, 0), (10, 3), (10, 495), (10, 600), (1_000, 0)] {
        for (share, order) in [(nil, PageRequest.Order.oldestFirst), (2, .newestFirst)] {
          let request = PageRequest(
            selection, order: order, anchor: anchor, fetchLimit: limit, fetchOffset: offset,
            olderShare: share)
          #expect(try source.page(request) == model.page(request), "\(request)")
        }
      }
    }
  }

  @Test func `it passes the check, with one conversation and with two`() async throws {
    try await checkMessageSource(AwaitedSource(LogSource(messages: messages)), holding: messages)
    let both = messages.map { message in
      var message = message
      if message.id.rawValue % 3 == 0 { message.conversation = Conversation.ID(rawValue: 2) }
      return message
    }
    try await checkMessageSource(AwaitedSource(LogSource(messages: both)), holding: both)
    try await checkMessageSource(AwaitedSource(LogByHand(messages: both)), holding: both)
  }

  @Test func `one that is awaited reads elsewhere`() async throws {
    let messages = messages
    let list = MessageList(.everything, in: RemoteLog(link: Link(messages: messages)))
    let snapshot = await list.perform(.jump(to: .oldest))
    #expect(snapshot.messages.first?.text == "line 1")
    await list.close()
  }
}

/// Stands for a connection.
private struct Link: Sendable {
  var messages: [Message]

  func page(_ request: PageRequest) async throws -> Page { try LogSource(messages: messages).page(request) }
}

// sample
/// The same log on another machine.
private struct RemoteLog: MessageSource {
  let link: Link

  func page(_ request: PageRequest) async throws -> Page { try await link.page(request) }

  func changes() -> AsyncStream<Void> {
    AsyncStream { $0.yield() }
  }
}
// end

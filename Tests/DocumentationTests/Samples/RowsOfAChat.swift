import Foundation
import RowGeometry
import ScrollbackKit
import Testing

@Suite struct RowsOfAChat {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// A store with a conversation of so many messages of different lengths.
  private func filled(_ count: Int) async throws -> (store: MessageStore, room: Conversation.ID) {
    let store = try await MessageStore(path: folder.path("chats.db"))
    let room = try await store.write { try $0.makeConversationIfNeeded(named: "tea") }.id
    let messages = (1...count).map { number in
      NewMessage(
        String(repeating: "tea ", count: number % 23 + 1), from: number % 4 == 0 ? "ada" : "mira",
        at: Timestamp(millisecondsSince1970: 1_700_000_000_000 + Int64(number) * 600_000))
    }
    try await store.append(messages, to: room)
    return (store, room)
  }

  @Test func `rows are days and messages in groups`() async throws {
    let (store, room) = try await filled(60)
    let list = MessageList(Selection(room), in: store)
    // sample
    var rows = MessageRows(grouping: .bySender(within: .seconds(1_800)))
    rows.update(with: await list.perform(.jump(to: .newest)))
    for row in rows {
      switch row {
      case .beginning: print("Here it begins")
      case .day(let day): print("—", day.date.year, day.date.month, day.date.day, "—")
      case .message(let message, let group):
        if group.isFirst { print(message.sender?.name ?? "*") }
        print("  ", message.text)
      case .gap: print("some are missing here")
      case .loading, .failed, .unread: print("…")
      }
    }
    // end
    #expect(rows.first == .beginning && rows.compactMap(\.message).count == 60)
    await list.close()
    await store.close()
  }
}

// sample
/// A list without a toolkit, whose rows are as high as they turn out when they are shown.
private struct Screen {
  private(set) var rows = MessageRows()
  private(set) var geometry = ListGeometry(estimatedHeight: 40, viewportHeight: 600)
  /// Where the list is scrolled to.
  private(set) var offset = 0.0

  mutating func show(_ snapshot: MessageList.Snapshot) {
    let changes = rows.update(with: snapshot)
    // A table view would delete, insert and reload these rows here.
    geometry.followsEnd = !snapshot.header.hasNewer
    scroll(geometry.apply(changes))
    switch snapshot.scroll {
    case .keep: break
    case .end: scroll(geometry.scroll(to: .end))
    case .row(let id, _):
      if let row = rows.index(of: id) { scroll(geometry.scroll(to: .row(row, distance: 0))) }
    }
    measure()
  }

  /// The reader scrolls.
  mutating func scroll(by points: Double) {
    scroll(geometry.scroll(by: points))
    measure()
  }

  /// Measures what is in view, until that brings nothing else into view.
  private mutating func measure() {
    var seen: Range<Int>?
    while seen != geometry.visible {
      seen = geometry.visible
      for row in geometry.visible { scroll(geometry.measure(row, height: height(of: rows[row]))) }
    }
  }

  private mutating func scroll(_ scroll: ListGeometry.Scroll?) {
    if let scroll { offset = scroll.offset }
  }
}
// end

extension Screen {
  private func height(of row: MessageRows.Row) -> Double {
    row.message.map { 20 + Double($0.text.utf8.count % 7) * 18 } ?? 24
  }
}

extension RowsOfAChat {
  @Test func `nothing moves on the screen as older rows come and are measured`() async throws {
    let (store, room) = try await filled(600)
    let list = MessageList(Selection(room), in: store)
    var screen = Screen()
    await list.perform(.jump(to: .newest))
    // sample
    for await snapshot in list.snapshots(every: .milliseconds(16)) {
      screen.show(snapshot)
      screen.scroll(by: -300)  // as a reader does who wants to see the first message
      if screen.rows.first == .beginning, screen.offset == 0 { break }
      let seen = screen.rows.messageIndices(in: screen.geometry.visible)
      if let first = seen.first, let last = seen.last {
        let messages = screen.rows.messages
        list.send(.readerMoved(first: messages[first].id, last: messages[last].id))
      }
    }
    // end
    #expect(screen.geometry.visible.lowerBound == 0 && screen.rows.messages.first?.id != nil)
    await list.close()
    await store.close()
  }

  @Test func `the row that is held stays where it is, whatever is measured`() async throws {
    let (store, room) = try await filled(600)
    let list = MessageList(Selection(room), in: store)
    var screen = Screen()
    screen.show(await list.perform(.jump(to: .ordinal(300))))
    for _ in 1...60 {
      screen.scroll(by: -250)
      let seen = screen.rows.messageIndices(in: screen.geometry.visible)
      let id = screen.rows.messages[try #require(seen.first)].id
      let row = try #require(screen.rows.index(of: id))
      let place = screen.geometry.top(of: row) - screen.geometry.offset
      let last = screen.rows.messages[try #require(seen.last)].id
      screen.show(await list.perform(.readerMoved(first: id, last: last)))
      let now = try #require(screen.rows.index(of: id))
      #expect(screen.geometry.top(of: now) - screen.geometry.offset == place)
      #expect(screen.offset == screen.geometry.offset)
    }
    await list.close()
    await store.close()
  }

  @Test func `the line of the unread ones, and a scroll bar`() async throws {
    let (store, room) = try await filled(600)
    let messages = try await store.page(PageRequest(Selection(room), anchor: .ordinal(300), fetchLimit: 1))
      .messages
    try await store.write { try $0.markRead(room, upTo: messages[0].id) }
    let list = MessageList(Selection(room), in: store)
    var rows = MessageRows()
    // sample
    let mark = try await store.read { try $0.readMark(of: room) } ?? .lowest
    let opened = await list.perform(.jump(to: .firstUnread))
    // Where all was read the jump leads to the newest message, and there is no line.
    rows.firstUnread = opened.header.resolution.message.flatMap { $0 > mark ? $0 : nil }
    rows.update(with: opened)
    // And once they have seen it all:
    if let newest = rows.messages.last {
      try await store.write { try $0.markRead(room, upTo: newest.id) }
    }
    // end
    let line = try #require(rows.firstIndex(of: .unread))
    #expect(opened.header.firstOrdinal.map { $0 + rows.messageIndices(in: 0..<line).count } == 301)
    let geometry = ListGeometry(rowCount: rows.count, estimatedHeight: 40, viewportHeight: 600)
    // sample
    let thumb = ScrollThumb(of: geometry, showing: rows, header: opened.header, track: 500)
    let ordinal = thumb.ordinal(
      draggedTo: 120, track: 500, total: opened.header.total ?? 0,
      visibleCount: rows.messageIndices(in: geometry.visible).count)
    let there = await list.perform(.jump(to: .ordinal(ordinal)))
    // end
    let place = there.messages.firstIndex { $0.id == there.header.resolution.message }
    #expect(there.header.firstOrdinal.flatMap { first in place.map { first + $0 } } == ordinal)
    let again = await list.perform(.jump(to: .firstUnread))
    #expect(again.header.resolution.message.map { $0 <= rows.messages[rows.messages.count - 1].id } == false)
    await list.close()
    await store.close()
  }
}

import Foundation
import ScrollbackKit
import Testing

@Suite struct HowPagingWorks {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// A store with a conversation of 200 messages.
  private func filled() async throws -> (store: MessageStore, room: Conversation.ID) {
    let store = try await MessageStore(path: folder.path("chats.db"))
    let room = try await store.write { try $0.makeConversationIfNeeded(named: "tea") }.id
    try await store.append((1...200).map { NewMessage("message \($0)", from: "ada") }, to: room)
    return (store, room)
  }

  @Test func `pages lie beside each other`() async throws {
    let (store, room) = try await filled()
    // sample
    let newest = try await store.page(PageRequest(Selection(room), anchor: .newest, fetchLimit: 50))
    guard newest.hasOlder, let oldest = newest.messages.first else { return }
    let older = try await store.page(
      PageRequest(Selection(room), anchor: .before(oldest.id), fetchLimit: 50))
    // end
    #expect(older.messages.last?.text == "message 150")
    #expect(older.messages.count == 50)
    // sample
    let middle = try await store.page(PageRequest(Selection(room), anchor: .ordinal(100), fetchLimit: 50))
    if let counts = middle.counts {
      print("\(counts.firstOrdinal + 1) to \(counts.firstOrdinal + middle.messages.count) of \(counts.total)")
    }
    // end
    #expect(middle.counts?.firstOrdinal == 75)
    #expect(middle.counts?.total == 200)
    await store.close()
  }

  @Test func `a list goes through them`() async throws {
    let (store, room) = try await filled()
    // sample
    let limits = try WindowLimits(messages: 500, bytes: 2 << 20, pageSize: 50)
    let list = MessageList(Selection(room), in: store, limits: limits)
    await list.perform(.jump(to: .newest))
    // end
    // sample
    let there = await list.perform(.jump(to: .ordinal(20)))
    print(there.header.resolution.match)  // exact: there is such a message
    let back = await list.perform(.back)
    // end
    #expect(there.header.resolution.match == .exact)
    #expect(back.messages.last?.text == "message 200")
    // sample
    let saved = back.header.position.map(\.description)  // "7353904490930176+0", to be kept
    if let position = saved.flatMap(WindowPosition.init) { await list.perform(.restore(position)) }
    // end
    #expect(saved != nil)
    // sample
    await list.freeze(reading: try await store.snapshot(), pinnedByteCount: { store.logByteCount })
    try await store.append([NewMessage("Nobody sees me yet", from: "jon")], to: room)
    await list.thaw()
    // end
    #expect(await list.current.messages.last?.text == "Nobody sees me yet")
    await list.close()
    await store.close()
  }

  @Test func `rows that are not loaded are placeholders`() async throws {
    let (store, room) = try await filled()
    let list = MessageList(Selection(room), in: store)
    // sample
    let rows = await list.perform(.jump(to: .newest)).placeholderRows
    let loaded = rows[rows.count - 1].message?.text
    list.send(.showOrdinals(0..<20))  // the scroll bar was pulled to the top
    // end
    #expect(rows.count == 200)
    #expect(loaded == "message 200")
    let top = await list.perform(.showOrdinals(0..<20)).placeholderRows
    #expect(top[0].message?.text == "message 1")
    await list.close()
    await store.close()
  }

  @Test func `what lies on a server comes when a reader comes near`() async throws {
    let store = try await MessageStore(path: folder.path("chats.db"))
    let room = try await store.write { try $0.makeConversationIfNeeded(named: "tea") }.id
    let server = Server()
    // sample
    let loader = EdgeLoader(beyond: [.older]) { request in
      let answer = try await server.messages(before: request.time, limit: request.limit)
      let messages = answer.map { item in
        NewMessage(item.text, from: item.author, at: item.time, source: .init(platform: "ours", id: item.id))
      }
      try await store.append(messages, to: room)
      return answer.isEmpty ? .endReached : .loaded
    }
    let list = MessageList(Selection(room), in: store, edgeLoader: loader)
    await list.perform(.jump(to: .newest))
    // end
    var snapshots = list.snapshots().makeAsyncIterator()
    var texts: [String] = []
    while texts.count < 120, let snapshot = await snapshots.next() {
      texts = snapshot.messages.map(\.text)
      if snapshot.edges.older == .endReached { break }
      if let first = snapshot.messages.first, let last = snapshot.messages.last {
        list.send(.readerMoved(first: first.id, last: last.id))
      }
    }
    #expect(texts == (1...120).map { "from the server \($0)" })
    await list.close()
    await store.close()
  }
}

extension HowPagingWorks {
  @Test func `what is missing in the middle comes when a reader comes near`() async throws {
    let store = try await MessageStore(path: folder.path("chats.db"))
    let room = try await store.write { try $0.makeConversationIfNeeded(named: "tea") }.id
    let server = Server()
    let all = try await server.messages(before: nil, limit: 120).map(\.message)
    let (newest, hits) = (Array(all[100...]), Array(all[40..<60]))
    // sample
    // The newest messages: all else is missing. And some around a hit, without a gap among themselves.
    try await store.write { store in
      try store.setGap(in: room)
      try store.fillGap(MessageGap(in: room), .newest, with: newest)
      let found = try store.append(hits, to: room)
      try store.removeGaps(in: room, after: found.first, before: found.last)
    }

    let loader = EdgeLoader { request in
      guard let gap = request.gap else { return .endReached }
      let answer = try await server.messages(request.edge, of: request.time, limit: request.limit)
      let part = answer.count < request.limit ? .all : request.part
      try await store.write { try $0.fillGap(gap, part, with: answer.map(\.message)) }
      return .loaded
    }
    let list = MessageList(Selection(room), in: store, edgeLoader: loader)
    // end
    #expect(try await store.read { try $0.gaps(of: room) }.count == 2)
    let there = await list.perform(.jump(to: .time(try #require(all[80].time)))).header
    #expect(there.resolution.match == .beyondGap && !there.isComplete)
    list.send(.jump(to: .newest))
    for await snapshot in list.snapshots() {
      if snapshot.holdsAll(.older) { break }
      if case .loading = snapshot.edges.older { continue }
      list.send(.scroll(.older))
    }
    #expect(try await store.read { try $0.gaps(of: room) }.isEmpty)
    #expect(try await store.read { try $0.conversation(room) }?.messageCount == 120)
    await list.close()
    await store.close()
  }
}

/// Stands for a server that has 120 messages.
private struct Server {
  struct Item {
    var id: String
    var text: String
    var author = "ada"
    var time: Timestamp
    var message: NewMessage {
      NewMessage(text, from: author, at: time, source: .init(platform: "ours", id: id))
    }
  }

  /// The messages next to a time, older or newer, oldest first.
  func messages(_ edge: ScrollDirection, of time: Timestamp?, limit: Int) async throws -> [Item] {
    guard edge == .newer, let time else { return try await messages(before: time, limit: limit) }
    return Array(try await messages(before: nil, limit: 120).drop { $0.time <= time }.prefix(limit))
  }

  func messages(before time: Timestamp?, limit: Int) async throws -> [Item] {
    (1...120).map { number in
      Item(
        id: "\(number)", text: "from the server \(number)",
        time: Timestamp(millisecondsSince1970: 1_700_000_000_000 + Int64(number) * 60_000))
    }.filter { item in time.map { item.time < $0 } ?? true }.suffix(limit)
  }
}

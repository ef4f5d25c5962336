import Foundation
import ScrollbackKit
import Testing

@Suite struct FiltersCountsAndOrdinals {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func filled() async throws -> (store: MessageStore, room: Conversation.ID) {
    let store = try await MessageStore(path: folder.path("chats.db"))
    let room = try await store.write { try $0.makeConversationIfNeeded(named: "tea") }.id
    let messages = (1...300).map { number in
      NewMessage(
        number.isMultiple(of: 3) ? "more tea \(number)" : "hello \(number)",
        from: number.isMultiple(of: 2) ? "ada" : "jon")
    }
    try await store.append(messages, to: room)
    return (store, room)
  }

  @Test func `a predicate says which messages`() async throws {
    let (store, room) = try await filled()
    // sample
    let ada = try await store.read { try $0.senderIDs(named: "ada") }
    let lastWeek = MessagePredicate.time(from: Timestamp(Date(timeIntervalSinceNow: -7 * 86_400)), until: nil)
    let selection = Selection(room, where: .and([.sender(ada), lastWeek, .not(.matching("hello"))]))
    let page = try await store.page(PageRequest(selection, anchor: .newest, fetchLimit: 20))
    // end
    #expect(page.messages.count == 20)
    #expect(page.messages.allSatisfy { $0.sender?.name == "ada" && $0.text.hasPrefix("more tea") })
    // sample
    let list = MessageList(Selection(room), in: store)
    await list.perform(.jump(to: .newest))
    await list.perform(.select(selection))  // as near as possible to where the reader was
    // end
    #expect(await list.current.header.total == 50)
    await list.close()
    await store.close()
  }

  @Test func `counts and ordinals come with pages`() async throws {
    let (store, room) = try await filled()
    // sample
    let counts = try await store.page(PageRequest(Selection(room), fetchLimit: 0)).counts
    let bar = try await store.page(PageRequest(Selection(room), anchor: .percent(50), fetchLimit: 50))
    // end
    #expect(counts?.total == 300)
    #expect(counts?.isExact == true)
    #expect(bar.messages.count == 50)
    // sample
    let first = bar.counts.map { "\($0.isExact ? "" : "about ")\($0.firstOrdinal + 1) of \($0.total)" }
    // end
    #expect(first == "126 of 300")
    await store.close()
  }

  @Test func `a saved filter has a total that is kept`() async throws {
    let (store, room) = try await filled()
    // sample
    try await store.write { try $0.saveFilter(named: "tea", words: "tea", predicate: .matching("tea")) }
    let filter = try await store.countMessages(ofFilter: "tea")  // once: what was there before
    print(filter.total, filter.isExact)
    try await store.append([NewMessage("tea again", from: "jon")], to: room)
    // end
    #expect(try await store.read { try $0.savedFilter(named: "tea") }?.total == 101)
    await store.close()
  }

  @Test func `a search has pages of hits`() async throws {
    let (store, room) = try await filled()
    // sample
    let (hits, count) = try await store.read { store in
      (
        try store.hits(.matching("tea -hello"), in: Selection(room), limit: 50),
        try store.hitCount(.matching("tea"), in: Selection(room))
      )
    }
    if let oldest = hits.hits.last {
      let next = try await store.read { store in
        try store.hits(.matching("tea"), in: Selection(room), anchor: .before(oldest.message.id))
      }
      print(count, next.hits.count)
    }
    // end
    #expect(count == 100)
    #expect(hits.hits.count == 50)
    await store.close()
  }
}

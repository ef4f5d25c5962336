import HistoryModel
import MessageModel
import MessageSourceTesting
import MessageStorage
import MessageWindows
import TestSupport
import Testing

/// Windows, lists and collections over a real file, and over two openings of it, as two processes have them.
@Suite struct WindowStoreTests {
  private let source: StoreSource
  private let room: Conversation.ID

  init() async throws {
    source = try StoreSource()
    room = try source.makeConversation(named: "general")
  }

  private var store: SynchronousMessageStore { source.store }

  private func another() throws -> SynchronousMessageStore {
    try SynchronousMessageStore(
      path: store.path, options: StoreOptions(access: .readWrite, durability: .process),
      clock: { Timestamp(utc: CivilTime(year: 2024, month: 5, day: 1)) })
  }

  /// Loads messages a minute apart, from the beginning of a year on.
  private func load(_ count: Int, year: Int) throws {
    let load = try BulkImport(
      into: store, BulkImport.Description(name: "\(year)", format: "made up", zone: "UTC"))
    let start = Timestamp(utc: CivilTime(year: year, month: 1, day: 1))
    for first in stride(from: 0, to: count, by: 8_192) {
      var batch = ImportBatch()
      let conversation = batch.conversation(named: "general")
      for number in first..<min(first + 8_192, count) {
        let sender = batch.store("alice")
        let text = batch.store("\(number)")
        batch.append(
          ImportBatch.Entry(
            time: start.advanced(byMilliseconds: Int64(number) * 60_000), precision: .millisecond,
            kind: .text, conversation: conversation, sender: sender, text: text))
      }
      try load.add(batch)
    }
    _ = try load.finish()
  }

  @Test
  func
    `a message that is moved leaves a reader where they are, moves as one row, and is found by its former id`()
    async throws
  {
    try load(200, year: 2020)
    let list = MessageList(
      Selection(room), in: SilentSource(base: AwaitedSource(store)), limits: try .small(60, page: 10))
    let first = await list.perform(.jump(to: .ordinal(100)))
    let place = try #require(first.header.position?.id)
    let index = try #require(first.messages.firstIndex { $0.id == place })
    let below = first.messages[index + 1]
    let seen = await list.perform(.readerMoved(first: place, last: first.messages[index + 5].id)).messages
    // Three rows on, and in view still: one row that moves.
    let near = try store.move(place, to: first.messages[index + 3].id.successor)
    var snapshot = await list.perform(.sourceChanged)
    #expect(snapshot.header.position?.id == below.id && snapshot.scroll == .keep)
    #expect(snapshot.changes.moves.map { seen[$0.source].id } == [place])
    #expect(snapshot.changes.moves.map { snapshot.messages[$0.destination].id } == [near])
    #expect(seen.applying(snapshot.difference) == snapshot.messages)
    let arrived = snapshot.difference.insertions.filter {
      if case .insert(_, _, .some) = $0 { true } else { false }
    }
    #expect(arrived.count == 1)
    // Far away: the reader stays, and does not go with it.
    let year = Timestamp(utc: CivilTime(year: 2019, month: 1, day: 1))
    let far = try store.move(below.id, to: year)
    snapshot = await list.perform(.sourceChanged)
    #expect(snapshot.header.position?.id == first.messages[index + 2].id)
    #expect(snapshot.header.total == 200 && !snapshot.messages.contains { $0.id == far })
    // Who jumps to it by the id that it had finds it.
    snapshot = await list.perform(.jump(to: .around(below.id)))
    #expect(snapshot.header.position?.id == far && snapshot.header.resolution.match == .exact)
    #expect(snapshot.messages.first?.identity == below.id)
  }

  @Test func `what another process writes is shown and leaves a reader in the middle where they are`()
    async throws
  {
    try load(1_000, year: 2020)
    let list = MessageList(Selection(room), in: AwaitedSource(store), limits: try .small(40, page: 10))
    let before = await list.perform(.jump(to: .ordinal(500))).header
    let snapshots = list.snapshots()
    let other = try another()
    defer { other.close() }
    let newest = try other.append([NewMessage("a"), NewMessage("b")], to: room)
    let oldest = try store.page(PageRequest(Selection(room), anchor: .oldest, fetchLimit: 1))
    _ = try other.delete(oldest.messages.map(\.id))
    for await snapshot in snapshots where snapshot.header.total == 1_001 && snapshot.header.arrived == 2 {
      #expect(snapshot.header.position == before.position && snapshot.header.firstOrdinal == 489)
      break
    }
    #expect(await list.perform(.jump(to: .newest)).header.position?.id == newest.last)
    await list.close()
  }

  @Test func `my own messages from another device are not counted as new`() async throws {
    let me = SenderKey(name: "Ada", externalID: "U1")
    try store.setMe([me])
    try load(200, year: 2020)
    let list = MessageList(Selection(room), in: AwaitedSource(store), limits: try .small(60, page: 10))
    let newest = await list.perform(.jump(to: .newest)).messages
    // A little above the newest edge, the window holds what arrives; far above, the store counts it.
    await list.perform(.readerMoved(first: newest[newest.count - 9].id, last: newest[newest.count - 3].id))
    try store.append([NewMessage("mine", from: me), NewMessage("yours", from: "Bo")], to: room)
    #expect(await list.perform(.sourceChanged).header.arrived == 1)
    #expect(await list.perform(.jump(to: .ordinal(50))).header.arrived == 1)
    try store.append([NewMessage("mine too", from: me), NewMessage("yours too", from: "Bo")], to: room)
    #expect(await list.perform(.sourceChanged).header.arrived == 2)
    #expect(await list.current.header.newerBelow == 153)
    await list.close()
  }

  @Test func `an import of many older messages moves the ordinals of an open list and nothing else`()
    async throws
  {
    let count = isLong ? 1_000_000 : 2_000
    try load(100, year: 2024)
    let list = MessageList(Selection(room), in: AwaitedSource(store), limits: try .small(40, page: 10))
    let before = await list.perform(.jump(to: .ordinal(50))).header
    var snapshots = list.snapshots().makeAsyncIterator()
    let held = await snapshots.next()?.messages
    try load(count, year: 2000)
    while let snapshot = await snapshots.next() {
      #expect(snapshot.messages == held && snapshot.header.position == before.position)
      if snapshot.header.total == count + 100 {
        #expect(snapshot.header.firstOrdinal == count + (before.firstOrdinal ?? 0))
        break
      }
    }
    await list.close()
  }

  @Test func `a list over a store that is awaited shows, follows and freezes`() async throws {
    try load(200, year: 2020)
    let awaited = MessageStore(store)
    let list = MessageList(Selection(room), in: awaited, limits: try .small(20, page: 5))
    #expect(await list.perform(.jump(to: .ordinal(100))).messages.contains { $0.text == "100" })
    await list.freeze(reading: try await awaited.snapshot())
    let newest = try await awaited.append([NewMessage("new")], to: room)
    #expect(await list.perform(.jump(to: .newest)).messages.last?.text == "199")
    await list.thaw()
    #expect(await list.perform(.jump(to: .newest)).messages.last?.id == newest.first)
    await list.close()
  }

  @Test func `an app writes, shows and scrolls in a few lines`() async throws {
    let path = store.path + ".app"
    let store = try await MessageStore(path: path)
    let room = try await store.write { try $0.makeConversation(named: "general") }
    try await store.append([NewMessage("Tea?", from: "mira")], to: room.id)

    let list = MessageList(Selection(room.id), in: store)
    let snapshot = await list.perform(.jump(to: .newest))
    #expect(snapshot.messages.map(\.text) == ["Tea?"] && snapshot.header.total ?? 0 == 1)
    list.send(.scroll(.older))
    for await snapshot in list.snapshots() {
      #expect(snapshot.messages.count == 1)
      break
    }
    await list.close()
    await store.close()
  }

  @Test func `a frozen list reads on in a snapshot of the store and knows what has happened`() async throws {
    try load(200, year: 2020)
    let list = MessageList(Selection(room), in: AwaitedSource(store), limits: try .small(20, page: 5))
    await list.perform(.jump(to: .newest))
    let newest = try #require(try store.page(PageRequest(Selection(room), fetchLimit: 1)).messages.first?.id)
    let snapshot = try store.snapshot()
    await list.freeze(reading: AwaitedSource(snapshot), pinnedByteCount: { [store] in store.logByteCount })
    try store.append([NewMessage("new")], to: room)
    _ = try store.edit(newest, text: "edited")
    for _ in 1...10 { await list.perform(.scroll(.older)) }
    let frozen = await list.perform(.jump(to: .newest)).header
    #expect(frozen.position?.id == newest && frozen.total == 200)
    #expect(await list.perform(.sourceChanged).header.sinceFrozen == SourceVersion(inserted: 1, changed: 1))
    await list.thaw()
    #expect(await list.perform(.jump(to: .newest)).header.total == 201)
    await list.close()
  }

  @Test func `a collection over a store works as an array of all its messages`() throws {
    let count = isLong ? 100_000 : 10_000
    try load(count, year: 2020)
    let snapshot = try store.snapshot()
    let collection = try MessageCollection(Selection(room), in: snapshot)
    try store.append([NewMessage("later")], to: room)
    #expect(collection.count == count && collection.last?.text == "\(count - 1)")
    #expect(collection[4_000..<4_003].map(\.text) == ["4000", "4001", "4002"])
    #expect(collection.dropFirst(9_990).prefix(2).reversed().map(\.text) == ["9991", "9990"])
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<100 {
      let wanted = Int.random(in: 0..<count, using: &generator)
      let id = collection[wanted].id
      var range = collection.indices
      while !range.isEmpty {
        let middle = collection.index(range.lowerBound, offsetBy: range.count / 2)
        range = collection[middle].id < id ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
      }
      #expect(range.lowerBound == wanted && collection[wanted].text == "\(wanted)")
    }
    let reversed = try MessageCollection(Selection(room), order: .newestFirst, in: snapshot)
    #expect(reversed.first == collection.last && reversed.last == collection.first)
    #expect(collection.error == nil && reversed.error == nil)
  }

  @Test func `a message of 15 MB is held as its beginning`() throws {
    try load(100, year: 2020)
    let large = String(repeating: "x", count: 15 << 20)
    let ids = try store.append(
      [NewMessage(large, at: Timestamp(utc: CivilTime(year: 2020, month: 1, day: 1, minute: 50)))], to: room)
    let limits = try WindowLimits(messages: 40, bytes: 32_000, pageSize: 10)
    var window = MessageWindow(Selection(room), limits: limits)
    try window.perform(.jump(to: .around(try #require(ids.first))), in: store)
    let message = try #require(window.position.flatMap { window.message($0.id) })
    #expect(message.isTextCut && message.textByteCount == 15 << 20)
    #expect(window.count > 10 && window.header.byteCount <= 32_000)
  }
}

import MessageModel
import MessageSourceTesting
import MessageWindows
import Testing

@Suite struct ListDeliveryTests {
  private let frame = Duration.milliseconds(16)

  @Test func `what happens within a frame is one snapshot with one change`() async throws {
    let source = ReferenceSource(count: 10)
    let list = MessageList(Selection(conversation), in: source)
    await list.perform(.jump(to: .newest))
    let clock = ManualClock()
    let snapshots = list.snapshots(every: frame, clock: clock)
    var iterator = snapshots.makeAsyncIterator()
    #expect(await iterator.next()?.messages.count == 10)
    source.append("11")
    await list.perform(.sourceChanged)
    async let next = Self.next(&iterator)
    await clock.waitForSleeps(1)
    for _ in 12...100 {
      source.append("more")
      await list.perform(.sourceChanged)
    }
    await clock.advance(by: frame)
    let snapshot = await next
    #expect(snapshot?.changes.insertions == [10..<100])
  }

  @Test func `what a command returns is what the stream shows next`() async throws {
    let source = ReferenceSource(count: 500)
    let list = MessageList(Selection(conversation), in: source, limits: try .small(40, page: 10))
    var iterator = list.snapshots().makeAsyncIterator()
    _ = await iterator.next()
    for anchor in [PageAnchor.newest, .oldest, .ordinal(250), .around(id(300)), .newest] {
      source.append("meanwhile")
      let performed = await list.perform(.jump(to: anchor))
      let shown = try #require(await iterator.next())
      #expect(performed.messages == shown.messages && performed.header == shown.header)
      #expect(performed.changes == shown.changes && performed.scroll == shown.scroll)
    }
  }

  @Test func `what the stream was quicker to show is returned as it was shown`() async throws {
    let list = MessageList(Selection(conversation), in: ReferenceSource(count: 500))
    let snapshots = list.snapshots()
    let viewer = Task {
      var shown: [MessageList.Snapshot] = []
      for await snapshot in snapshots {
        shown.append(snapshot)
        if snapshot.header.position?.id == id(1), snapshot.header.jumping == .idle { break }
      }
      return shown
    }
    let performed = await list.perform(.jump(to: .oldest))
    let all = await viewer.value
    let shown = try #require(all.last)
    #expect(performed.messages == shown.messages)
    // What came behind the jump may be shown by itself.
    #expect((all + [performed]).contains { $0.scroll == .row(id(1), offset: 0) })
    #expect(await list.perform(.retry).messages == shown.messages)
  }

  @Test func `where to scroll is a value`() async throws {
    let source = ReferenceSource(count: 500)
    let list = MessageList(
      Selection(conversation), in: SilentSource(base: source), limits: try .small(40, page: 10))
    #expect(await list.current.scroll == .keep)
    #expect(await list.perform(.jump(to: .newest)).scroll == .end)
    source.append("at the end")
    #expect(await list.perform(.sourceChanged).scroll == .end)
    #expect(await list.perform(.jump(to: .around(id(200)))).scroll == .row(id(200), offset: 0))
    #expect(await list.perform(.readerMoved(first: id(200), last: id(203), rowOffset: 2)).scroll == .keep)
    source.append("far away")
    source.delete([id(200), id(199)])
    #expect(await list.perform(.sourceChanged).scroll == .keep)
    source.delete([id(201), id(202), id(203)])
    #expect(await list.perform(.sourceChanged).scroll == .row(id(198), offset: 0))
    let back = await list.perform(.back)
    #expect(back.scroll == back.header.position.map { .row($0.id, offset: $0.rowOffset) })
    #expect(await list.perform(.scroll(.older)).scroll != .end)
  }

  @Test func `a view that has not seen a jump yet does not undo it by saying what it shows`() async throws {
    let list = MessageList(
      Selection(conversation), in: ReferenceSource(count: 500), limits: try .small(100, page: 20))
    let snapshots = list.snapshots()
    var view = snapshots.makeAsyncIterator()
    _ = await view.next()
    await list.perform(.jump(to: .ordinal(100)))
    _ = await view.next()
    let target = try #require(await list.perform(.jump(to: .ordinal(110))).header.position?.id)
    for first in [id(90), id(100), id(400)] { list.send(.readerMoved(first: first, last: first)) }
    list.send(.showOrdinals(400..<410))
    #expect(await list.perform(.readerMoved(first: id(95), last: id(99))).header.position?.id == target)
    #expect(await view.next()?.scroll == .row(target, offset: 0))
    #expect(await list.perform(.readerMoved(first: id(95), last: id(99))).header.position?.id == id(95))
  }

  @Test func `a command returns what the view sees next, whoever loads payloads besides`() async throws {
    let list = MessageList(Selection(conversation), in: ReferenceSource(count: 500))
    let snapshots = list.snapshots()
    var view = snapshots.makeAsyncIterator()
    let payloads = list.payloads()
    var pictures = payloads.makeAsyncIterator()
    await list.perform(.jump(to: .newest))
    _ = await view.next()
    let performed = await list.perform(.jump(to: .oldest))
    _ = await pictures.next()
    let shown = try #require(await view.next())
    #expect(performed.changes == shown.changes && !shown.changes.isEmpty)
  }

  @Test func `messages are shown at once if nothing was for a frame`() async throws {
    let source = ReferenceSource(count: 10)
    let list = MessageList(Selection(conversation), in: source)
    await list.perform(.jump(to: .newest))
    let clock = ManualClock()
    var iterator = list.snapshots(every: frame, clock: clock).makeAsyncIterator()
    _ = await iterator.next()
    await clock.advance(by: frame, afterSleeps: 0)
    source.append("11")
    await list.perform(.sourceChanged)
    // Nobody lets time pass: this would wait forever.
    #expect(await iterator.next()?.changes.insertions == [10..<11])
  }

  @Test func `a header alone waits for what comes of it`() async throws {
    let source = GatedSource(ReferenceSource(count: 500))
    let list = MessageList(Selection(conversation), in: source, limits: try .small(40, page: 10))
    source.open()
    await list.perform(.jump(to: .newest))
    source.close()
    let clock = ManualClock()
    var iterator = list.snapshots(every: frame, clock: clock).makeAsyncIterator()
    _ = await iterator.next()
    await clock.advance(by: frame, afterSleeps: 0)
    list.send(.scroll(.older))
    await source.waitForReaders(1)
    async let next = Self.next(&iterator)
    await clock.waitForSleeps(1)
    source.open()
    await list.perform(.retry)
    await clock.advance(by: frame)
    let snapshot = await next
    #expect(snapshot?.changes.insertions == [0..<10] && snapshot?.header.readingOlder == .idle)
  }

  @Test
  func `a stream is there at once: it shows the present state first, and misses nothing after the call`()
    async throws
  {
    let source = ReferenceSource(count: 10)
    let list = MessageList(Selection(conversation), in: source)
    var early = list.snapshots().makeAsyncIterator()
    list.send(.jump(to: .newest))
    #expect(await early.next()?.messages.isEmpty == true)
    while let snapshot = await early.next(), snapshot.messages.count < 10 {}
    let late = list.snapshots()
    source.append("11")
    await list.perform(.sourceChanged)
    var iterator = late.makeAsyncIterator()
    #expect(await iterator.next()?.messages.count == 11)
    let latest = Task { @MainActor in
      for await snapshot in list.snapshots() { return snapshot.messages.count }
      return 0
    }
    #expect(await latest.value == 11)
  }

  @Test(arguments: 1...20) func `a stream that is made while the list changes shows where it ends`(round: Int)
    async throws
  {
    let source = ReferenceSource(count: 10)
    let list = MessageList(Selection(conversation), in: source)
    await list.perform(.jump(to: .newest))
    let changing = Task.detached {
      for _ in 1...5 {
        source.append("new")
        await list.perform(.sourceChanged)
      }
    }
    var replica: [Message] = []
    for await snapshot in list.snapshots() {
      snapshot.delta.apply(to: &replica)
      #expect(replica == snapshot.messages)
      if replica.count == 15 { break }
    }
    await changing.value
  }

  @Test func `whoever is slow gets the newest state, and nothing waits behind it`() async throws {
    let source = ReferenceSource(count: 10)
    let list = MessageList(Selection(conversation), in: source)
    await list.perform(.jump(to: .newest))
    var iterator = list.snapshots().makeAsyncIterator()
    _ = await iterator.next()
    for number in 1...500 {
      source.append("new")
      if number % 2 == 0 { source.delete([id(Int64(number))]) }
      await list.perform(.sourceChanged)
    }
    let snapshot = await iterator.next()
    #expect(snapshot?.messages == Array(source.messages.suffix(snapshot?.messages.count ?? 1)))
    #expect(snapshot?.header.total == source.messages.count && snapshot?.changes.removals == [0..<10])
    await list.close()
    #expect(await iterator.next() == nil)
  }

  @Test func `a viewer whose task is cancelled is not kept waiting, nor is one of a closed list`()
    async throws
  {
    let list = MessageList(Selection(conversation), in: ReferenceSource(count: 10))
    let viewer = Task {
      for await _ in list.snapshots() {}
      return true
    }
    viewer.cancel()
    #expect(await viewer.value)
    await list.close()
    var count = 0
    for await _ in list.snapshots() { count += 1 }
    #expect(count == 1)
  }

  @Test func `payloads are told of as they come into view, near to it, and leave`() async throws {
    let source = ReferenceSource(count: 500)
    let list = MessageList(
      Selection(conversation), in: source, limits: try .small(100, page: 20, prefetch: 5))
    await list.perform(.jump(to: .ordinal(250)))
    await list.perform(.readerMoved(first: id(250), last: id(259)))
    var payloads = list.payloads().makeAsyncIterator()
    let first = await payloads.next()
    #expect(first?.visible.map(\.id) == (250...259).map(id))
    #expect(first?.near.map(\.id) == ((240...249).map(id) + (260...269).map(id)))
    await list.perform(.readerMoved(first: id(253), last: id(262)))
    let second = await payloads.next()
    #expect(second?.visible.map(\.id) == (260...262).map(id))
    #expect(second?.near.map(\.id) == (270...272).map(id))
    #expect(second?.gone == (240...242).map(id))
    source.edit(id(255), text: "with a picture")
    source.delete([id(256)])
    await list.perform(.sourceChanged)
    let third = await payloads.next()
    #expect(third?.visible.map(\.id) == [id(255)] && third?.gone == [id(256)])
  }

  @Test func `payloads are told of however the reader got there, and no more are kept than are near`()
    async throws
  {
    let list = MessageList(
      Selection(conversation), in: ReferenceSource(count: 5_000),
      limits: try .small(100, page: 20, prefetch: 5))
    var payloads = list.payloads().makeAsyncIterator()
    var held: Set<Message.ID> = []
    for ordinal in stride(from: 0, to: 5_000, by: 250) {
      await list.perform(.showOrdinals(ordinal..<(ordinal + 8)))
      guard let change = await payloads.next() else { break }
      held.formUnion(change.visible.map(\.id) + change.near.map(\.id))
      held.subtract(change.gone)
      #expect(held.count <= 100)
    }
    await list.close()
  }

  private static func next(_ iterator: inout MessageList.Snapshots.Iterator) async -> MessageList.Snapshot? {
    await iterator.next()
  }
}

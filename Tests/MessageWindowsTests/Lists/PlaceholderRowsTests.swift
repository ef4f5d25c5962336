import MessageModel
import MessageSourceTesting
import MessageWindows
import TestSupport
import Testing

@Suite struct PlaceholderRowsTests {
  @Test func `there is a row for each message, and those that are not loaded are placeholders`() async throws
  {
    let list = MessageList(
      Selection(conversation), in: ReferenceSource(count: 10_000), limits: try .small(40, page: 10))
    let rows = await list.perform(.jump(to: .ordinal(5_000))).placeholderRows
    #expect(rows.count == 10_000 && rows.isExact)
    #expect(rows[0] == .placeholder(ordinal: 0) && rows[9_999] == .placeholder(ordinal: 9_999))
    #expect(rows[5_000].message?.id == id(5_001))
    #expect(rows.loaded.count == rows.messages.count && rows.loaded.contains(5_000))
    #expect(Set(rows.map(\.id)).count == 10_000)
  }

  @Test func `a look at placeholders makes messages of them, and is no jump to come back from`() async throws
  {
    let list = MessageList(
      Selection(conversation), in: ReferenceSource(count: 10_000),
      limits: try .small(60, page: 10, prefetch: 5))
    await list.perform(.jump(to: .newest))
    let there = await list.perform(.showOrdinals(3_000..<3_020))
    #expect((3_000..<3_020).allSatisfy { there.placeholderRows[$0].message?.id == id(Int64($0) + 1) })
    #expect(there.header.position?.id == id(3_001) && there.inView.count == 20)
    #expect(await list.perform(.back).header.position?.id == id(3_001))
  }

  @Test func `a look at what is held reads nothing but what is to be ready`() async throws {
    let source = FailingSource(ReferenceSource(count: 500))
    let list = MessageList(
      Selection(conversation), in: SilentSource(base: AwaitedSource(source)),
      limits: try .small(60, page: 10, prefetch: 5))
    // What is read for one look may still come when it is answered.
    for _ in 1...2 { await list.perform(.showOrdinals(100..<110)) }
    source.restart()
    await list.perform(.showOrdinals(100..<110))
    await list.perform(.showOrdinals(101..<111))
    let fetches = source.requests.map(\.anchor)
    #expect(fetches.allSatisfy { $0 == .after(id(120)) || $0 == .before(id(91)) }, "\(fetches)")
  }

  @Test func `whoever rushes through thousands of rows is read for where they stop`() async throws {
    let source = GatedSource(ReferenceSource(count: 3_000))
    let list = MessageList(Selection(conversation), in: source, limits: try .small(60, page: 10, prefetch: 5))
    source.open()
    await list.perform(.jump(to: .newest))
    source.close()
    let readCount = source.readCount
    for start in stride(from: 2_900, to: 600, by: -10) { list.send(.showOrdinals(start..<(start + 10))) }
    async let last = list.perform(.showOrdinals(500..<510))
    await source.waitForReaders(1)
    source.open()
    let snapshot = await last
    #expect((500..<510).allSatisfy { snapshot.placeholderRows[$0].message?.id == id(Int64($0) + 1) })
    #expect(source.readCount - readCount <= 4)
  }

  @Test func `looks at rows that there are not end somewhere`() async throws {
    for ordinals in [-50..<(-40), Int.min..<(Int.max - 1), 10_000..<10_010, 7..<7] {
      let list = MessageList(Selection(conversation), in: ReferenceSource(count: 100))
      await list.perform(.jump(to: .newest))
      #expect(await list.perform(.showOrdinals(ordinals)).placeholderRows.count == 100)
    }
    let empty = MessageList(Selection(conversation), in: ReferenceSource())
    #expect(await empty.perform(.showOrdinals(0..<10)).placeholderRows.isEmpty)
  }

  @Test func `a jump goes on while the rows that are left are looked at`() async throws {
    let source = GatedSource(ReferenceSource(count: 500))
    let list = MessageList(Selection(conversation), in: source, limits: try .small(60, page: 10))
    source.open()
    await list.perform(.jump(to: .oldest))
    source.close()
    list.send(.jump(to: .newest))
    await source.waitForReaders(1)
    list.send(.showOrdinals(0..<10))
    source.open()
    #expect(await list.perform(.retry).header.isFollowing)
  }

  @Test(arguments: 0..<UInt64(isLong ? 1_000 : 60))
  func `changes of rows turn the rows before into those after`(seed: UInt64)
    async throws
  {
    var generator = SeededGenerator(seed: seed)
    let source = ReferenceSource(count: .random(in: 0...120, using: &generator), step: 100)
    let list = MessageList(Selection(conversation), in: source, limits: try .small(20, page: 5, prefetch: 2))
    let snapshots = list.snapshots()
    var iterator = snapshots.makeAsyncIterator()
    var rows: [PlaceholderRows.Row] = []
    var shown: MessageList.Snapshot?
    for _ in 0..<20 {
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        try change(source, using: &generator)
      }
      let ordinal = Int.random(in: 0...120, using: &generator)
      let command: ListCommand =
        Bool.random(using: &generator) ? .showOrdinals(ordinal..<(ordinal + 5)) : .sourceChanged
      await list.perform(command)
      while true {
        let current = await list.current
        if shown?.messages == current.messages, shown?.header == current.header { break }
        guard let snapshot = await iterator.next() else { break }
        rows = try applied(snapshot, to: rows, seed: seed)
        shown = snapshot
      }
    }
  }

  /// What is not said to have changed looks as before: the same message, or a placeholder as it was.
  private func applied(
    _ snapshot: MessageList.Snapshot, to rows: [PlaceholderRows.Row], seed: UInt64
  ) throws -> [PlaceholderRows.Row] {
    let new = snapshot.placeholderRows
    let applied = snapshot.placeholderChanges.applied(to: rows, takingFrom: new)
    try #require(applied.count == new.count, "seed \(seed)")
    for (found, expected) in zip(applied, new) {
      #expect(found.message == expected.message, "seed \(seed)")
    }
    return Array(new)
  }

  private func change(_ source: ReferenceSource, using generator: inout SeededGenerator) throws {
    let all = source.messages.map(\.id)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: source.append("new")
    case 1 where !all.isEmpty: source.delete([all[Int.random(in: all.indices, using: &generator)]])
    case 2 where !all.isEmpty:
      source.edit(all[Int.random(in: all.indices, using: &generator)], text: "edited")
    case 3:
      _ = try? source.insert(
        "between", at: Timestamp(millisecondsSince1970: .random(in: 0...2, using: &generator)),
        in: conversation)
    default: break
    }
  }
}

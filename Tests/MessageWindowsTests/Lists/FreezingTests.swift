import MessageModel
import MessageSourceTesting
import MessageWindows
import Testing

@Suite struct FreezingTests {
  @Test func `a view that was frozen for long enough thaws and says why`() async throws {
    let source = ReferenceSource(count: 100)
    let list = MessageList(Selection(conversation), in: source, limits: try .small(20, page: 5))
    await list.perform(.jump(to: .newest))
    let clock = ManualClock()
    await list.freeze(
      reading: ReferenceSource(count: 100), limits: .init(age: .seconds(60), pinnedByteCount: 1_000),
      clock: clock)
    let newest = source.append("new")
    #expect(await list.perform(.scroll(.older)).header.sinceFrozen != nil)
    await clock.advance(by: .seconds(60))
    for await snapshot in list.snapshots() where snapshot.thawed != nil {
      #expect(snapshot.thawed == .age(.seconds(60)) && snapshot.header.sinceFrozen == nil)
      break
    }
    #expect(await list.perform(.jump(to: .newest)).header.position?.id == newest)
  }

  @Test func `a view whose snapshot keeps too much alive thaws and says why`() async throws {
    let source = ReferenceSource(count: 100)
    let list = MessageList(Selection(conversation), in: source, limits: try .small(20, page: 5))
    await list.perform(.jump(to: .newest))
    await list.freeze(
      reading: ReferenceSource(count: 100), limits: .init(age: .seconds(60), pinnedByteCount: 1_000),
      clock: ManualClock(), pinnedByteCount: { (source.messages.count - 100) * 400 })
    for _ in 1...3 { source.append("new") }
    for await snapshot in list.snapshots() where snapshot.thawed != nil {
      #expect(snapshot.thawed == .pinnedBytes(1_200))
      break
    }
  }

  @Test func `a view that was thawed and frozen again starts its time anew`() async throws {
    let list = MessageList(Selection(conversation), in: ReferenceSource(count: 100))
    await list.perform(.jump(to: .newest))
    let limits = FreezeLimits(age: .seconds(60), pinnedByteCount: 0)
    let (first, second) = (ManualClock(), ManualClock())
    await list.freeze(limits: limits, clock: first)
    await list.thaw()
    await list.freeze(limits: limits, clock: second)
    await first.advance(by: .seconds(100))
    #expect(await list.thawed == nil)
    #expect(await list.perform(.follow(true)).header.sinceFrozen != nil)
  }
}

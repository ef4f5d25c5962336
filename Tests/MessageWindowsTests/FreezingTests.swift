import MessageModel
import MessageSourceTesting
import MessageWindows
import Synchronization
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
    #expect(await list.perform(.older).header.sinceFrozen != nil)
    await clock.advance(by: .seconds(60))
    for await snapshot in await list.snapshots() where snapshot.thawed != nil {
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
    for await snapshot in await list.snapshots() where snapshot.thawed != nil {
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

/// A clock that stands still until it is told to go on.
private final class ManualClock: Clock {
  struct Instant: InstantProtocol {
    var offset = Duration.zero
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
  }

  private struct State {
    var now = Instant()
    var sleeper: (deadline: Instant, wake: CheckedContinuation<Void, any Error>)?
    var observers: [CheckedContinuation<Void, Never>] = []
    var wasUsed = false
  }

  private let state = Mutex(State())

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        state.withLock { state in
          state.wasUsed = true
          for observer in state.observers { observer.resume() }
          state.observers = []
          if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
          state.sleeper = (deadline, continuation)
        }
      }
    } onCancel: {
      state.withLock { state in
        state.sleeper?.wake.resume(throwing: CancellationError())
        state.sleeper = nil
      }
    }
  }

  /// Waits until somebody has begun to sleep, and lets time pass for them.
  func advance(by duration: Duration) async {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        if state.wasUsed { continuation.resume() } else { state.observers.append(continuation) }
      }
    }
    state.withLock { state in
      state.now = state.now.advanced(by: duration)
      guard let sleeper = state.sleeper, sleeper.deadline <= state.now else { return }
      sleeper.wake.resume()
      state.sleeper = nil
    }
  }
}

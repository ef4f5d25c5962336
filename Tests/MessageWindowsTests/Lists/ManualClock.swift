import Synchronization

/// A clock that stands still until it is told to go on.
final class ManualClock: Clock {
  struct Instant: InstantProtocol {
    var offset = Duration.zero
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
  }

  private struct State {
    var now = Instant()
    var sleepers: [Int: (deadline: Instant, wake: CheckedContinuation<Void, any Error>)] = [:]
    var sleepCount = 0
    var observers: [(count: Int, wake: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.sleepCount += 1
      return state.sleepCount
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        state.withLock { state in
          if Task.isCancelled {
            continuation.resume(throwing: CancellationError())
          } else {
            state.sleepers[number] = (deadline, continuation)
          }
          for observer in state.observers where observer.count <= state.sleepCount { observer.wake.resume() }
          state.observers.removeAll { $0.count <= state.sleepCount }
        }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: number) }?.wake.resume(throwing: CancellationError())
    }
  }

  /// Waits until somebody has begun to sleep for the `count`th time, and lets time pass for all.
  func advance(by duration: Duration, afterSleeps count: Int = 1) async {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        if state.sleepCount >= count {
          continuation.resume()
        } else {
          state.observers.append((count, continuation))
        }
      }
    }
    state.withLock { state in
      state.now = state.now.advanced(by: duration)
      for (number, sleeper) in state.sleepers where sleeper.deadline <= state.now {
        sleeper.wake.resume()
        state.sleepers[number] = nil
      }
    }
  }

  /// Waits until somebody has begun to sleep for the `count`th time.
  func waitForSleeps(_ count: Int) async { await advance(by: .zero, afterSleeps: count) }
}

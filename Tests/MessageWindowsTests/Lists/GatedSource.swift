import MessageModel
import MessageSourceTesting
import Synchronization

/// A source that answers only while it is open.
final class GatedSource: MessageSource {
  private struct State {
    var isOpen = false
    var readCount = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
    var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let base: ReferenceSource
  private let state = Mutex(State())

  init(_ base: ReferenceSource) { self.base = base }

  var readCount: Int { state.withLock { $0.readCount } }

  func page(_ request: PageRequest) async throws(StoreError) -> Page {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        state.readCount += 1
        if state.isOpen { return continuation.resume() }
        state.waiting.append(continuation)
        for observer in state.observers where observer.count <= state.waiting.count {
          observer.continuation.resume()
        }
        state.observers.removeAll { $0.count <= state.waiting.count }
      }
    }
    return try base.page(request)
  }

  /// Nothing ever changes, so that all reads are those asked for.
  func changes() -> AsyncStream<Void> { AsyncStream { _ in } }

  func open() {
    state.withLock { state in
      state.isOpen = true
      for reader in state.waiting { reader.resume() }
      state.waiting.removeAll()
    }
  }

  func close() { state.withLock { $0.isOpen = false } }

  /// Waits until so many readers wait at once.
  func waitForReaders(_ count: Int) async {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        if state.waiting.count >= count { return continuation.resume() }
        state.observers.append((count, continuation))
      }
    }
  }
}

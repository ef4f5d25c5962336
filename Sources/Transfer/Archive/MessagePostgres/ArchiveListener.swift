internal import Dispatch
internal import Foundation
internal import MessageModel
internal import Synchronization

/// Works on a thread and a connection of its own while there are listeners. After reconnecting it reports a
/// change, since notifications may have been missed.
final class ArchiveListener: Sendable {
  private struct State {
    var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    var nextNumber = 0
    var isRunning = false
    var isClosed = false
  }

  private let state = Mutex(State())
  private let channel: String
  private let open: @Sendable () throws(StoreError) -> PostgresConnection

  init(channel: String, open: @escaping @Sendable () throws(StoreError) -> PostgresConnection) {
    self.channel = channel
    self.open = open
  }

  func changes() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let (isClosed, begins) = state.withLock { state in
      guard !state.isClosed else { return (true, false) }
      let number = state.nextNumber
      state.nextNumber += 1
      state.listeners[number] = continuation
      continuation.onTermination = { [weak self] _ in
        // Not synchronously: the stream may end while the state is locked.
        guard let self else { return }
        DispatchQueue.global().async { self.forget(number) }
      }
      defer { state.isRunning = true }
      return (false, !state.isRunning)
    }
    continuation.yield()
    if isClosed { continuation.finish() }
    if begins { Thread.detachNewThread { [weak self] in Self.listen(for: { self }) } }
    return stream
  }

  func close() {
    let listeners = state.withLock { state in
      state.isClosed = true
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }

  private func forget(_ number: Int) { state.withLock { $0.listeners[number] = nil } }

  private var isOver: Bool {
    state.withLock { state in
      let isOver = state.isClosed || state.listeners.isEmpty
      if isOver { state.isRunning = false }
      return isOver
    }
  }

  private func tell() {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield() }
  }

  private static func listen(for owner: () -> ArchiveListener?) {
    var connection: PostgresConnection?
    var pause = firstPause
    while true {
      guard let listener = owner(), !listener.isOver else { return }
      do throws(StoreError) {
        if connection == nil {
          let fresh = try listener.open()
          try fresh.run("LISTEN \(listener.channel)")
          connection = fresh
          pause = firstPause
          listener.tell()
        }
        if try connection?.waitForNotice(turn) == true { listener.tell() }
      } catch {
        connection = nil
        Thread.sleep(forTimeInterval: pause)
        pause = min(pause * 2, 10)
      }
    }
  }

  private static let turn = Duration.milliseconds(500)
  /// Seconds before the first reconnection; each further pause is twice as long.
  private static let firstPause = 0.1
}

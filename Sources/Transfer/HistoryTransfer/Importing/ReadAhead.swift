internal import Foundation
internal import Synchronization

/// Produces items on a thread of its own, one ahead of the consumer.
package final class ReadAhead<Item: Sendable>: Sendable {
  private let items = Mutex<[Item]>([])
  private let isStopped = Mutex(false)
  private let room = DispatchSemaphore(value: 0)
  private let filled = DispatchSemaphore(value: 0)

  private let depth = 1
  /// Deeply nested records are parsed recursively.
  private let stackByteCount = 8 << 20

  /// - Parameter make: Returns the next item, `nil` at the end. Called on the thread only.
  package init(_ make: sending @escaping () -> Item?) {
    // Signalled up to its depth: a semaphore deallocated below its initial value traps.
    for _ in 0..<depth { room.signal() }
    // From here on only the thread uses the closure.
    nonisolated(unsafe) let make = make
    let thread = Thread { [self] in run(make) }
    thread.stackSize = stackByteCount
    thread.start()
  }

  private func run(_ make: () -> Item?) {
    while true {
      room.wait()
      guard !isStopped.withLock({ $0 }), let item = make() else { break }
      items.withLock { $0.append(item) }
      filled.signal()
    }
    filled.signal()
  }

  /// Returns the next item; `nil` at the end or if cancelled.
  package func next(isCancelled: () -> Bool = { false }) -> Item? {
    repeat {
      if isCancelled() { return nil }
    } while filled.wait(timeout: .now() + .milliseconds(100)) == .timedOut
    guard let item = items.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return nil }
    room.signal()
    return item
  }

  /// Stops after the present item.
  package func stop() {
    isStopped.withLock { $0 = true }
    room.signal()
  }
}

internal import Foundation
internal import Synchronization

/// Makes one thing after the other on a thread of its own, one ahead of whoever takes them.
package final class ReadAhead<Item: Sendable>: Sendable {
  private let items = Mutex<[Item]>([])
  private let isStopped = Mutex(false)
  private let room = DispatchSemaphore(value: 0)
  private let filled = DispatchSemaphore(value: 0)

  /// The most items that wait to be taken: each may have some megabytes.
  private let depth = 1
  /// Deeply nested records are read by recursion.
  private let stackByteCount = 8 << 20

  /// Begins to make items.
  ///
  /// - Parameter make: Returns the next item, `nil` at the end of everything. Only the thread calls it.
  package init(_ make: sending @escaping () -> Item?) {
    // A semaphore must not go with less than it began with, so this one begins with nothing.
    for _ in 0..<depth { room.signal() }
    // What makes the items is the thread's alone from here on.
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

  /// Returns what comes next; `nil` at the end of everything or when `isCancelled` says so.
  package func next(isCancelled: () -> Bool = { false }) -> Item? {
    repeat {
      if isCancelled() { return nil }
    } while filled.wait(timeout: .now() + .milliseconds(100)) == .timedOut
    guard let item = items.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return nil }
    room.signal()
    return item
  }

  /// Makes nothing any more but the item at hand.
  package func stop() {
    isStopped.withLock { $0 = true }
    room.signal()
  }
}

internal import Foundation
internal import MessageInterchange
internal import Synchronization

/// Reads histories on a thread of its own, a batch ahead of whoever writes them into a store.
final class ReadAhead: Sendable {
  /// What was read, and how far the reading had come with it.
  struct Item: Sendable {
    var event: ImportEvent
    var progress: ImportProgress
  }

  private let items = Mutex<[Item]>([])
  private let isStopped = Mutex(false)
  private let room = DispatchSemaphore(value: 0)
  private let filled = DispatchSemaphore(value: 0)

  /// How many events wait to be taken at most: each may be a batch of some megabytes.
  private static let depth = 1
  /// Deeply nested records are read by recursion.
  private static let stackByteCount = 8 << 20

  /// Begins to read.
  init(_ reader: ImportReader) {
    // A semaphore must not go with less than it began with, so this one begins with nothing.
    for _ in 0..<Self.depth { room.signal() }
    // The reader is the thread's alone from here on.
    nonisolated(unsafe) let start = reader
    let thread = Thread { [self] in run(start) }
    thread.stackSize = Self.stackByteCount
    thread.start()
  }

  private func run(_ start: ImportReader) {
    var reader = start
    while true {
      room.wait()
      guard !isStopped.withLock({ $0 }), let event = reader.next() else { break }
      let item = Item(event: event, progress: reader.progress)
      items.withLock { $0.append(item) }
      filled.signal()
    }
    filled.signal()
  }

  /// Returns what comes next; `nil` at the end of everything or when `isCancelled` says so.
  func next(isCancelled: () -> Bool) -> Item? {
    repeat {
      if isCancelled() { return nil }
    } while filled.wait(timeout: .now() + .milliseconds(100)) == .timedOut
    guard let item = items.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return nil }
    room.signal()
    return item
  }

  /// Reads no further than the event at hand.
  func stop() {
    isStopped.withLock { $0 = true }
    room.signal()
  }
}
